import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { agentNames } from '../../src/contracts/vocabulary/workers';
import type { AgentName } from '../../src/contracts/vocabulary/workers';
import { agentWorkers } from '../../src/workers/registry';
import { makePlace } from './homes';
import type { AgentPlace } from './homes';
import { startMockModel } from './mockModel';
import type { ModelScript } from './mockModel';
import { runAgent } from './runAgent';
import type { RunOptions } from './runAgent';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

/**
 * Records the transcripts that `test/workers/transcripts.test.ts` replays: `node scripts/test-agents.mjs --record`.
 * Each is what a real CLI wrote, with paths, ids and times replaced by stable ones. `expected.json` is what the
 * parser makes of it today: read its difference before committing it.
 */
const transcripts = path.resolve(process.cwd(), 'test/workers/transcripts');

interface Recording {
  readonly script: (agent: AgentName, place: AgentPlace) => ModelScript;
  readonly options?: Partial<RunOptions>;
  readonly withoutUsage?: boolean;
  /** The settings of the person, by their file in HOME; only these agents have such a recording. */
  readonly settings?: Partial<Readonly<Record<AgentName, { readonly file: string; readonly content: object }>>>;
  /** Runs twice and records the second launch, which continues the session of the first. */
  readonly resume?: boolean;
}

const recordings: Readonly<Record<string, Recording>> = {
  'write-in-scope': {
    script: (agent, place) => (request, index) =>
      index === 0
        ? writeFileTurn(agent, path.join(place.workspace, 'hello.txt'), 'hello\n')
        : finishTurn(agent, packetFor(request, [{ resource: 'hello.txt', action: 'created' }])),
  },
  'denied-out-of-scope': {
    script: (agent, place) => (request, index) =>
      index === 0
        ? writeFileTurn(agent, path.join(place.outside, 'no.txt'), 'x')
        : finishTurn(agent, packetFor(request, [], 'blocked')),
  },
  'patch-and-failing-command': {
    script: (agent, place) => (request, index) =>
      [patchTurn(agent, place), shellTurn(agent, 'exit 3')][index] ??
      finishTurn(agent, packetFor(request, [{ resource: 'new.txt', action: 'created' }])),
    options: { request: { fileLevelOnly: false } },
  },
  'api-error': { script: () => [{ error: 'this model is out of order', status: 400 }] },
  'final-missing': {
    script: (agent, place) => [writeFileTurn(agent, path.join(place.workspace, 'half.txt'), 'x'), { hang: true }],
    options: { killWhen: (signal) => signal.kind === 'tool_use' || signal.kind === 'file_change' },
  },
  // What the CLI reports while a hook of the person does not end; the run is ended as soon as that is known.
  'hook-hangs': {
    script: (agent, place) => [writeFileTurn(agent, path.join(place.workspace, 'half.txt'), 'x')],
    options: { killWhen: (signal) => signal.kind === 'hook' && signal.name === 'PreToolUse' },
    settings: {
      claude: {
        file: '.claude/settings.json',
        content: { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'sleep 85', timeout: 86 }] }] } },
      },
    },
  },
  'usage-zero': { script: (agent) => (request) => finishTurn(agent, packetFor(request, [])), withoutUsage: true },
  'resumed-session': { script: (agent) => (request) => finishTurn(agent, packetFor(request, [])), resume: true },
};

function patchTurn(agent: AgentName, place: AgentPlace): ReturnType<typeof writeFileTurn> {
  if (agent !== 'codex') return writeFileTurn(agent, path.join(place.workspace, 'new.txt'), 'new\n');
  return shellTurn(agent, "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: new.txt\n+new\n*** End Patch\nEOF\n");
}

async function record(agent: AgentName, name: string, recording: Recording): Promise<void> {
  const place = await makePlace(`record-${agent}`);
  const settings = recording.settings?.[agent];
  if (recording.settings && !settings) return;
  if (settings) {
    const file = path.join(place.home, settings.file);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify(settings.content));
  }
  const model = await startMockModel(
    { '': recording.script(agent, place) },
    { withoutUsage: recording.withoutUsage === true },
  );
  const prompt = 'Do the task. "run_id": "run-1" "task_id": "T1"';
  try {
    const options: RunOptions = { prompt, modelUrl: model.url, ...recording.options };
    let run = await runAgent(agent, place, options);
    if (recording.resume === true) {
      run = await runAgent(agent, place, { ...options, request: { resumeSessionId: run.summary.sessionId } });
    }
    const clean = sanitiser(place, model.url);
    const stdout = clean(run.stdout);
    const stderr = clean(run.stderr);
    const parser = agentWorkers[agent].createParser(recording.resume === true);
    const signals = [...parser.push('stdout', stdout), ...parser.push('stderr', stderr), ...parser.end()];
    const expected = {
      exitCode: run.exitCode,
      signal: run.signal,
      resumed: recording.resume === true,
      signals,
      summary: parser.summary(),
    };
    const folder = path.join(transcripts, agent);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, `${name}.stdout.jsonl`), stdout);
    await writeFile(path.join(folder, `${name}.stderr.log`), stderr);
    await writeFile(path.join(folder, `${name}.expected.json`), `${JSON.stringify(expected, null, 2)}\n`);
    console.log(`${agent}/${name}: exit ${String(run.exitCode ?? run.signal)}, ${signals.length} signals`);
  } finally {
    await model.stop();
  }
}

/** Replaces what differs from machine to machine and from run to run. */
function sanitiser(place: AgentPlace, modelUrl: string): (text: string) => string {
  const ids = new Map<string, string>();
  const stable = (id: string): string => {
    const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  return (text) =>
    text
      .replaceAll(place.root, '/place')
      .replaceAll(process.cwd(), '/checkout')
      .replaceAll(modelUrl, 'http://127.0.0.1:4010')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, stable)
      .replaceAll(/"(timestamp|start|end)":\d{13}/g, '"$1":1767225600000')
      .replaceAll(/\b(ses|msg|prt)_[0-9A-Za-z]{26}\b/g, (id, kind: string) =>
        stable(id).replace('00000000-', `${kind}_`),
      )
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d[:-]\d\d[:-]\d\d[.-]\d+Z/g, '2026-01-01T00:00:00.000Z')
      .replaceAll(/"(slash_commands|skills|agents|plugins|memory_paths)":(\[[^\]]*\]|\{[^}]*\})/g, '"$1":[]');
}

async function main(): Promise<void> {
  // With names of agents or recordings after it, only those.
  const chosen = process.argv.slice(2);
  const among = (names: readonly string[]): readonly string[] => {
    const found = names.filter((name) => chosen.includes(name));
    return found.length === 0 ? names : found;
  };
  for (const agent of agentNames.filter((name) => among(agentNames).includes(name))) {
    for (const [name, recording] of Object.entries(recordings))
      if (among(Object.keys(recordings)).includes(name)) await record(agent, name, recording);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
