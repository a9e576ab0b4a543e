import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { subagentResultSchema } from '../../src/contracts/result';
import { workPlaces } from '../../src/contracts/vocabulary/confinement';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import type { LaunchLine, LaunchRequest } from '../../src/workers/worker';
import type { StreamSummary, WorkerSignal } from '../../src/contracts/launch';
import { agentEnvironment, agentExecutable, agentExtraArgs, agentModels } from './homes';
import type { AgentPlace } from './homes';

/** What one real launch left behind. */
export interface AgentRun {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly signals: readonly WorkerSignal[];
  readonly summary: StreamSummary;
  readonly line: LaunchLine;
}

export interface RunOptions {
  readonly prompt: string;
  readonly modelUrl: string;
  readonly request?: Partial<LaunchRequest>;
  /** Changes the launch line, to show what it protects from. */
  readonly alter?: (line: LaunchLine) => LaunchLine;
  /** Ends the process group with SIGKILL as soon as a signal of the stream satisfies it. */
  readonly killWhen?: (signal: WorkerSignal) => boolean;
}

/** Hard limit of one launch; reaching it fails the test. */
const deadlineMs = 90_000;

/** Starts one CLI with the product's own launch line, files and environment, the prompt on stdin from a file. */
export async function runAgent(agent: AgentName, place: AgentPlace, options: RunOptions): Promise<AgentRun> {
  const planned = agentWorkers[agent].launch({ ...launchRequest(agent, place, options.modelUrl), ...options.request });
  return runLine(agent, place, options.alter?.(planned) ?? planned, options);
}

/** Starts one CLI with a launch line, its files, and these variables beside its own. */
export async function runLine(
  agent: AgentName,
  place: AgentPlace,
  line: LaunchLine,
  options: RunOptions & { readonly environment?: Readonly<Record<string, string>> },
): Promise<AgentRun> {
  const worker = agentWorkers[agent];
  await mkdir(path.join(place.runDir, ...workPlaces.tmp.split('/')), { recursive: true });
  for (const file of line.files) {
    const target = path.join(place.runDir, ...file.path.split('/'));
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.content);
  }
  const child = spawn(line.argv[0], line.argv.slice(1), {
    cwd: place.workspace,
    env: { ...agentEnvironment(agent, place.home, options.modelUrl), ...line.env, ...options.environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin.on('error', () => undefined).end(options.prompt);
  const parser = worker.createParser((options.request?.resumeSessionId ?? null) !== null);
  const signals: WorkerSignal[] = [];
  const output = { stdout: '', stderr: '' };
  const killGroup = (): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
  };
  for (const channel of ['stdout', 'stderr'] as const) {
    const stream = child[channel];
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      output[channel] += chunk;
      const fresh = parser.push(channel, chunk);
      signals.push(...fresh);
      if (options.killWhen !== undefined && fresh.some(options.killWhen)) killGroup();
    });
  }
  const late = new AbortController();
  const deadline = setTimeout(() => {
    late.abort();
    killGroup();
  }, deadlineMs);
  const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, reason) => {
      resolve([code, reason]);
    });
  }).finally(() => {
    clearTimeout(deadline);
  });
  signals.push(...parser.end());
  if (late.signal.aborted)
    throw new Error(
      `${agent} was still running after ${deadlineMs} ms\n${output.stdout.slice(-4000)}\n${output.stderr.slice(-4000)}`,
    );
  return { exitCode, signal, ...output, signals, summary: parser.summary(), line };
}

export function launchRequest(agent: AgentName, place: AgentPlace, modelUrl: string): LaunchRequest {
  return {
    executable: agentExecutable(agent),
    version: null,
    workspaceDir: place.workspace,
    runDir: place.runDir,
    sessionId: randomUUID(),
    resumeSessionId: null,
    model: agentModels[agent],
    fileLevelOnly: true,
    writes: true,
    addDirectories: [],
    skipGitRepoCheck: false,
    trustWorkspace: true,
    resultSchema: z.toJSONSchema(subagentResultSchema, { target: 'draft-7' }),
    extraArgs: agentExtraArgs(agent, modelUrl),
  };
}
