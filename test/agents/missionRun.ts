import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { taskEvidenceSchema } from '../../src/contracts/taskEvidence';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentEnvironment, agentExecutable, agentExtraArgs, agentModels } from './homes';
import type { AgentPlace } from './homes';

export const missionProgram = path.resolve(process.cwd(), 'dist/cli.js');

export interface MissionRun {
  readonly exitCode: number;
  /** The one document of `mission run --json`, or null when there was none. */
  readonly answer: Readonly<Record<string, unknown>> | null;
  readonly stdout: string;
  readonly stderr: string;
  /** `docs/ops/executions/<plan_id>/TASK_T1.json`, or null when it was not written. */
  readonly task: TaskEvidence | null;
}

/** Milliseconds; a mission of one task that takes longer is ended and fails its test. */
const missionLimit = 150_000;
const planId = 'P1';

/** Runs an approved plan of one task for `agent` with the built `mission`, against the model at `modelUrl`. */
export async function runMission(
  agent: AgentName,
  place: AgentPlace,
  modelUrl: string,
  task: Readonly<Record<string, unknown>>,
): Promise<MissionRun> {
  const planFile = path.join(place.workspace, 'docs', 'plans', `PLAN_${planId}.json`);
  await mkdir(path.dirname(planFile), { recursive: true });
  await mkdir(path.join(place.workspace, 'src'), { recursive: true });
  await writeFile(path.join(place.workspace, 'src', 'existing.txt'), 'here before\n');
  await writeFile(planFile, `${JSON.stringify(plan(agent, task), null, 2)}\n`);
  const environment = {
    ...agentEnvironment(agent, place.home, modelUrl),
    ...(await withWrapper(agent, place, modelUrl)),
  };
  await commitAll(place, environment);

  const outcome = await run(place, environment, ['run', planFile, '--workspace', place.workspace, '--json']);
  const evidence = path.join(place.workspace, 'docs', 'ops', 'executions', planId, 'TASK_T1.json');
  return {
    ...outcome,
    answer: jsonObject(outcome.stdout),
    task: existsSync(evidence) ? taskEvidenceSchema.parse(JSON.parse(await readFile(evidence, 'utf8'))) : null,
  };
}

/** `mission evidence verify` of what the run left. */
export async function verifyEvidence(
  agent: AgentName,
  place: AgentPlace,
): Promise<{ exitCode: number; stdout: string }> {
  const environment = agentEnvironment(agent, place.home, 'http://127.0.0.1:1');
  return run(place, environment, ['evidence', 'verify', planId, '--workspace', place.workspace, '--json']);
}

function plan(agent: AgentName, task: Readonly<Record<string, unknown>>): object {
  const model = agentModels[agent];
  return {
    contract_version: 'S2-B-05.v1',
    plan_id: planId,
    goal_id: 'G1',
    created_at: '2026-01-01T00:00:00Z',
    planner: 'tester',
    status: 'APPROVED',
    risk: { level: 1, notes: '' },
    scope: { allowed: ['file_edit'], forbidden: ['network'] },
    tasks: [
      {
        task_id: 'T1',
        description: 'Write the file.',
        paths: ['src'],
        worker: agent,
        ...(model === null ? {} : { model }),
        ...task,
      },
    ],
    execution: {
      mode: 'sequential',
      recovery: { allow: ['add_directory', 'skip_git_repo_check', 'trust_workspace'] },
      delegation: { claude_code: true, constraints: ['file_level_only', 'no_new_tasks'] },
    },
    approval: { required: true, approved_by: 'tester', approved_at: '2026-01-01T00:00:00Z' },
    success_criteria: ['no_scope_violation'],
  };
}

/** A person's own `codex` on PATH that knows another model service; the real CLI is what it starts. */
async function withWrapper(agent: AgentName, place: AgentPlace, modelUrl: string): Promise<{ PATH?: string }> {
  const args = agentExtraArgs(agent, modelUrl);
  if (args.length === 0) return {};
  const bin = path.join(place.root, 'bin');
  await mkdir(bin, { recursive: true });
  const file = path.join(bin, agent);
  const quoted = [agentExecutable(agent), ...args].map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`);
  await writeFile(file, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
  await chmod(file, 0o755);
  return { PATH: [bin, agentEnvironment(agent, place.home, modelUrl)['PATH'] ?? ''].join(path.delimiter) };
}

async function commitAll(place: AgentPlace, environment: Record<string, string>): Promise<void> {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.invalid'];
  for (const args of [
    ['add', '--all'],
    [...identity, 'commit', '--quiet', '--message', 'start'],
  ]) {
    await promisify(execFile)('git', args, { cwd: place.workspace, env: environment });
  }
}

/** Never rejects for an exit code: what it means is the test's business. */
function run(
  place: AgentPlace,
  environment: Record<string, string>,
  args: readonly string[],
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd: place.workspace,
      env: environment,
      timeout: missionLimit,
      killSignal: 'SIGKILL' as const,
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(process.execPath, [missionProgram, ...args], options, (error, stdout, stderr) => {
      if (error === null) resolve({ exitCode: 0, stdout, stderr });
      else if (typeof error.code === 'number') resolve({ exitCode: error.code, stdout, stderr });
      else reject(new Error(`mission ${args.join(' ')}: ${error.message}\n${stdout}\n${stderr}`));
    });
  });
}

function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  const trimmed = text.trim();
  return trimmed.startsWith('{') ? (JSON.parse(trimmed) as Readonly<Record<string, unknown>>) : null;
}
