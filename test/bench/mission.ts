import { execFileSync, spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openNodePorts } from '../../src/adapters/nodePorts';
import { exitRecordSchema } from '../../src/contracts/launch';
import type { ConfinementMode } from '../../src/contracts/vocabulary/confinement';
import type { MissionEvent } from '../../src/core/model/events';
import type { JournalEntry } from '../../src/core/model/journalEntry';
import { missionStatus } from '../../src/core/mission/status';
import { startMission } from '../../src/engine/mission/start';
import { agentWorkers } from '../../src/workers/registry';
import { parseVersion } from '../../src/workers/versions';
import { median, type Line } from './measure';
import { commandPlan } from './plans';

/** Medians over all pairs of neighbouring tasks, milliseconds. */
export interface MissionTimes {
  readonly tasks: number;
  /** From `ended_at` of an exit record to `started_at` of the next process record. */
  readonly exitToStart: number;
  /** From what one worker writes to what the next one writes: nothing between the two is left out. */
  readonly writeToWrite: number;
  /** Where `exitToStart` goes, in order. */
  readonly parts: readonly { readonly name: string; readonly ms: number }[];
  /** Mean from the first task's start to the last task's end, per task. */
  readonly perTask: number;
  /** The same over the first and the last tenth of the tasks: equal when costs are linear. */
  readonly firstTenth: number;
  readonly lastTenth: number;
  /** What it leaves in `.mission-control`, bytes: of its files, and of the blocks that the file system takes for files and folders. */
  readonly left: { readonly files: number; readonly blocks: number };
}

/** Real missions of `command` tasks in a small repository: engine, journal, supervisors and evidence as in the product. */
export async function missionBench(scratch: string, sizes: readonly number[]) {
  const times: MissionTimes[] = [];
  for (const tasks of sizes) times.push(await runMission(scratch, tasks));
  const [first] = times;
  const last = times.at(-1);
  if (first === undefined || last === undefined) throw new Error('No mission was run.');
  const lines: readonly Line[] = [
    {
      name: 'worker exit to next worker start',
      unit: 'ms',
      ours: last.exitToStart,
      against: 'starting and ending a Node process that does nothing',
      limit: bareNode(),
      aim: { of: 'value', is: 'at_most', value: 50 },
    },
    {
      name: 'write of one worker to write of the next',
      unit: 'ms',
      ours: last.writeToWrite,
      against: '(the same with exit and start of the workers)',
      limit: null,
      aim: null,
    },
    {
      name: `time per task, ${String(last.tasks)} tasks`,
      unit: 'ms',
      ours: last.perTask,
      against: `time per task, ${String(first.tasks)} tasks`,
      limit: first.perTask,
      aim: { of: 'ratio', is: 'at_most', value: 1.1 },
    },
    {
      name: `left in .mission-control by ${String(last.tasks)} tasks, for 2000 of them`,
      unit: 'MB',
      ours: megabytesOf2000(last, 'files'),
      against: `the same of ${String(first.tasks)} tasks`,
      limit: megabytesOf2000(first, 'files'),
      aim: { of: 'value', is: 'at_most', value: 50 },
    },
    {
      name: '(the same in blocks of this file system)',
      unit: 'MB',
      ours: megabytesOf2000(last, 'blocks'),
      against: '(the same)',
      limit: megabytesOf2000(first, 'blocks'),
      aim: null,
    },
  ];
  return { lines, times };
}

function megabytesOf2000({ left, tasks }: MissionTimes, of: 'files' | 'blocks'): number {
  return ((left[of] / tasks) * 2000) / 1e6;
}

async function runMission(scratch: string, tasks: number): Promise<MissionTimes> {
  const dir = mkdtempSync(path.join(scratch, 'mission-'));
  const times = await timesIn(dir, repository(dir, tasks), tasks);
  const state = path.join(dir, '.mission-control');
  const all = readdirSync(state, { recursive: true, encoding: 'utf8' }).map((name) =>
    lstatSync(path.join(state, name)),
  );
  const files = all.filter((stats) => stats.isFile()).reduce((sum, { size }) => sum + size, 0);
  return { ...times, left: { files, blocks: all.reduce((sum, { blocks }) => sum + blocks * 512, 0) } };
}

/** Runs the mission of a plan that `repository` made. */
export async function timesIn(
  dir: string,
  planPath: string,
  tasks: number,
  confinement?: ConfinementMode,
): Promise<Omit<MissionTimes, 'left'>> {
  const opened = await openNodePorts({
    workspaceDir: dir,
    journal: { kind: 'thread', script: path.resolve('dist/journalThread.js') },
    toolVersion: '0.0.0-bench',
    workers: {
      workers: agentWorkers,
      settings: () => ({ path: null, extraArgs: [], envNames: [], model: null }),
      environment: process.env,
      parseVersion,
    },
    supervisor: { supervisorFile: path.resolve('dist/supervisor.cjs') },
    onProblem: (problem) => process.stderr.write(`${problem}\n`),
  });
  if (!opened.ok) throw new Error(opened.refusal.reason);
  const { ports, journal } = opened.value;
  try {
    const lease = await ports.lease.acquire({ kind: 'human', name: 'bench' });
    if (!lease.ok) throw new Error(lease.refusal.reason);
    const options = {
      tool_version: '0.0.0-bench',
      fence: lease.value.fence,
      ticket_seconds: 60,
      grace_seconds: 1,
    };
    const actor = { kind: 'human', name: 'bench' } as const;
    const request = {
      ...{ plan_path: planPath, actor, default_worker: 'codex' as const, require_approval_record: false },
      ...(confinement && { confinement }),
    } as const;
    const started = await startMission(request, ports, options);
    if (started.kind !== 'started') throw new Error(started.refusal.reason);
    await started.engine.settled();
    const { mission, halt, missionId } = started.engine;
    if (mission === null || missionStatus(mission) !== 'completed') throw new Error(halt?.reason ?? 'not completed');
    const entries = await journal.read(missionId);
    return timesOf(dir, tasks, entries, (runDir) => ports.paths.runDir(missionId, runDir));
  } finally {
    await ports.lease.release();
    await opened.value.close();
  }
}

/** A hundred files, one commit, the plan. */
export function repository(dir: string, tasks: number): string {
  const planPath = path.join(dir, 'docs/plans/PLAN_BENCH.json');
  for (const folder of ['docs/plans', 'src', 'out']) mkdirSync(path.join(dir, folder), { recursive: true });
  for (let index = 0; index < 100; index++)
    writeFileSync(path.join(dir, `src/file-${String(index)}.txt`), `${index}\n`);
  writeFileSync(path.join(dir, '.gitignore'), '.mission-control/\n');
  writeFileSync(path.join(dir, 'out/.gitkeep'), '');
  writeFileSync(planPath, JSON.stringify(commandPlan(tasks), null, 2));
  const env = { PATH: process.env['PATH'] ?? '', HOME: dir, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@example.invalid', ...args], { cwd: dir, env });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  return planPath;
}

type Entries = readonly JournalEntry<MissionEvent>[];

function timesOf(
  dir: string,
  tasks: number,
  entries: Entries,
  runDir: (name: string) => string,
): Omit<MissionTimes, 'left'> {
  const launches = entries.flatMap(({ event }) => (event.type === 'LaunchRequested' ? [event] : []));
  const at = (type: MissionEvent['type'], which: (event: never) => boolean): number => {
    const entry = entries.find(({ event }) => event.type === type && which(event as never));
    if (entry === undefined) throw new Error(`The journal has no ${type} where it should.`);
    return Date.parse(entry.at);
  };
  const ofLaunch = (type: 'WorkerEnded' | 'LaunchPrepared' | 'WorkerStarted', id: string): number =>
    at(type, (event: { launch_id: string }) => event.launch_id === id);
  const ofTask = (
    type: 'ChangesObserved' | 'AttemptStarted' | 'PlanHashChecked' | 'BaselineTaken',
    id: string,
  ): number => at(type, (event: { task_id: string }) => event.task_id === id);
  const exitOf = (name: string) =>
    exitRecordSchema.parse(JSON.parse(readFileSync(path.join(runDir(name), 'exit.json'), 'utf8')));
  const exits = launches.map((launch) => exitOf(launch.run_dir));
  const pairs = launches.slice(1).map((next, index) => {
    const before = launches[index] as (typeof launches)[number];
    const ended = Date.parse((exits[index] as (typeof exits)[number]).ended_at);
    const started = Date.parse((exits[index + 1] as (typeof exits)[number]).started_at);
    const steps = [
      ['exit record written, seen and journalled', ofLaunch('WorkerEnded', before.launch_id)],
      ['difference of the workspace', ofTask('ChangesObserved', before.task_id)],
      ['verdict, next attempt', ofTask('AttemptStarted', next.task_id)],
      ['plan hash', ofTask('PlanHashChecked', next.task_id)],
      ['baseline of the workspace', ofTask('BaselineTaken', next.task_id)],
      ['run directory and ticket', ofLaunch('LaunchPrepared', next.launch_id)],
      ['start of the supervisor until it claims', started],
    ] as const;
    return { ended, started, steps };
  });
  const [sample] = pairs;
  const parts = (sample?.steps ?? []).map(([name], step) => ({
    name,
    ms: median(pairs.map(({ ended, steps }) => (steps[step]?.[1] ?? 0) - (steps[step - 1]?.[1] ?? ended))),
  }));
  const written = launches.map((launch) => statSync(path.join(dir, 'out', launch.task_id), { bigint: true }));
  const writes = written.map((stats) => Number(stats.mtimeNs / 1000n) / 1000);
  const perTask = (from: number, to: number): number => ((writes[to] ?? 0) - (writes[from] ?? 0)) / (to - from);
  const tenth = Math.max(1, Math.floor(tasks / 10));
  return {
    tasks,
    exitToStart: median(pairs.map(({ ended, started }) => started - ended)),
    writeToWrite: median(writes.slice(1).map((time, index) => time - (writes[index] ?? 0))),
    parts,
    perTask: perTask(0, writes.length - 1),
    firstTenth: perTask(0, tenth),
    lastTenth: perTask(writes.length - 1 - tenth, writes.length - 1),
  };
}

function bareNode(): number {
  const times = Array.from({ length: 15 }, () => {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - began;
  });
  return median(times);
}
