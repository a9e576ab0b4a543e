import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bubblewrapForTests } from '../../scripts/bubblewrap.mjs';
import { createLaunches } from '../../src/adapters/launches/launches';
import { createSandboxes } from '../../src/adapters/sandbox/sandboxes';
import { openUserStateFolder } from '../../src/adapters/user/folder';
import { openSupervisorCopy } from '../../src/adapters/user/programCopy';
import type { Outcome } from '../../src/base/outcome';
import type { LaunchTicket } from '../../src/contracts/launch';
import type { HomePlace } from '../../src/workers/worker';
import { agentWorkers } from '../../src/workers/registry';
import { wallTime, type Line } from './measure';

const rounds = 21;
/** What the contract wants a sandbox to cost at most. */
const mostMs = 60;

interface Kind {
  readonly name: string;
  readonly writable: readonly string[];
  readonly home: readonly HomePlace[];
}

const kinds: readonly Kind[] = [
  { name: 'one approved folder of 3', writable: ['small'], home: [] },
  { name: 'an approved folder with 2,000 folders', writable: ['large'], home: [] },
  { name: 'an approved file beside 100 others', writable: ['flat/f0'], home: [] },
  { name: 'an agent, whose home has 25 entries', writable: ['small'], home: agentWorkers.claude.home },
];

/** A whole launch of a program that does nothing, in a sandbox and without one; none where no sandbox can be had. */
export async function launchBench(scratch: string): Promise<readonly Line[]> {
  const bwrap = bubblewrapForTests(process.cwd());
  if (bwrap.missing !== undefined) return [];
  const workspace = makeWorkspace(scratch);
  const home = path.join(scratch, 'home');
  for (let n = 0; n < 25; n++) put(path.join(home, '.claude', `entry${n}`));
  const environment = { PATH: `${path.dirname(bwrap.file)}:/usr/bin:/bin`, HOME: home };
  const sandboxes = createSandboxes({ environment, home });
  if ((await sandboxes.standing()).kind === 'unavailable') return [];
  const launch = await launcher(environment);

  const lines: Line[] = [];
  for (const { name, writable, home: places } of kinds) {
    const run_dir = (): string => path.join(workspace, '.mission-control/missions/m/runs', randomUUID());
    const line = async (run: string): Promise<LaunchTicket['sandbox']> => {
      const asked = { workspace_dir: workspace, run_dir: run, writable, granted: [], home: places, network: false };
      const { means, argv } = opened(
        await sandboxes.line({ ...asked, sealed: ['.git', '.mission-control', 'docs/plans'] }),
      );
      return { means, argv: [...argv] };
    };
    const all = await timedInTurns([
      () => launch(run_dir(), workspace),
      async () => {
        const run = run_dir();
        await launch(run, workspace, await line(run));
      },
      async () => {
        await line(run_dir());
      },
    ]);
    // The fastest: what a busy machine adds differs by more than a sandbox costs.
    const [free = 0, held = 0, composed = 0] = [0, 1, 2].map((at) =>
      Math.min(...all.map((round) => round[at] ?? Infinity)),
    );
    const none = { unit: 'ms', limit: null } as const;
    const aim: Line['aim'] = { of: 'value', is: 'at_most', value: mostMs };
    lines.push(
      {
        ...{ name: `launch in a sandbox: ${name}`, unit: 'ms', ours: held },
        ...{ against: `the same without, each the fastest of ${rounds}`, limit: free, aim: null },
      },
      { ...none, name: `what a sandbox costs more: ${name}`, ours: held - free, against: '(their difference)', aim },
      { ...none, name: `its command line: ${name}`, ours: composed, against: '(part of it)', aim: null },
    );
  }
  return lines;
}

/** The milliseconds of each piece of work, round by round; the first round is not counted. */
export async function timedInTurns(works: readonly (() => Promise<void>)[]): Promise<readonly (readonly number[])[]> {
  const taken: number[][] = [];
  for (let round = 0; round <= rounds; round++) {
    const times: number[] = [];
    for (const work of works) {
      const began = wallTime();
      await work();
      times.push(wallTime() - began);
    }
    if (round > 0) taken.push(times);
  }
  return taken;
}

export async function launcher(
  environment: Readonly<Record<string, string>>,
): Promise<(runDir: string, cwd: string, sandbox?: LaunchTicket['sandbox']) => Promise<void>> {
  const state = opened(await openUserStateFolder());
  const supervisorFile = path.resolve('dist/supervisor.cjs');
  const supervisor = opened(await openSupervisorCopy({ supervisorFile, toolVersion: '0.0.0' }, state));
  const launches = createLaunches({ supervisor, environment, sessionVariables: [] });
  return async (runDir, cwd, sandbox) => {
    const names = { launch_id: randomUUID(), nonce: randomBytes(16).toString('hex') };
    const times = { max_runtime_seconds: 60, grace_seconds: 1 };
    const ticket: LaunchTicket = {
      ...{ schema_version: '1.0.0', mission_id: 'm', run_id: randomUUID(), task_id: 'T1', fence: 1, worker: 'command' },
      ...{ argv: ['/bin/true'], cwd, env: {}, env_names: [], heartbeat_interval_seconds: 30 },
      ...{ issued_at: new Date().toISOString(), expires_at: new Date(Date.now() + 60_000).toISOString() },
      ...names,
      ...times,
      ...(sandbox && { sandbox }),
    };
    opened(await launches.prepare(runDir, '', [], ticket));
    const known = { ...names, ...times, process: null };
    await launches.start(runDir, known);
    const exit = await launches.awaitExit(runDir, known, () => undefined);
    assert.equal(exit.exit_code, 0, JSON.stringify(exit));
  };
}

function makeWorkspace(scratch: string): string {
  const workspace = mkdtempSync(path.join(scratch, 'launch-'));
  for (let n = 0; n < 3; n++) put(path.join(workspace, 'small', `folder${n}`, 'file'));
  for (let n = 0; n < 2_000; n++) put(path.join(workspace, 'large', `${n % 40}`, `${n}`, 'file'));
  for (let n = 0; n <= 100; n++) put(path.join(workspace, 'flat', `f${n}`));
  for (const file of ['.git/HEAD', 'docs/plans/PLAN_p.json']) put(path.join(workspace, file));
  return workspace;
}

function put(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
}

export function opened<T>(outcome: Outcome<T>): T {
  return outcome.ok ? outcome.value : assert.fail(outcome.refusal.reason);
}
