import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Mission } from '../../src/core/model/state';
import { missionStatus } from '../../src/core/mission/status';
import { checkWorkspace, markJournal, type JournalMark } from './checks';
import { handoffFaults } from './handoffChecks';
import { attemptsUnderWay } from './live';
import type { OwnerOrder } from './owner.program';
import { Person } from './person';
import {
  environmentOf,
  makeWorkspace,
  placesIn,
  planPathOf,
  scenarios,
  type Places,
  type ScenarioName,
} from './scenarios';
import { endProcess, processesOf, strike, type Victim } from './victims';

/** How one owner process comes to its end; without a kill it stays until the missions have ended. */
export type Kill =
  | { readonly kind: 'point'; readonly point: string }
  /** The so-many-th point that it reaches. */
  | { readonly kind: 'nth'; readonly nth: number }
  /** Milliseconds after the owner was started. */
  | { readonly kind: 'time'; readonly ms: number; readonly victims: readonly Victim[] };

export interface RoundPlan {
  readonly scenario: ScenarioName;
  /** The last one: `mission` takes over from the program. `program`: the real ports and host in test/kill/owner.program.ts. `cli`: `mission run`, `resume` and `retry`. */
  readonly owner: 'program' | 'cli' | 'program_then_cli';
  /** The first owner process dies by the first of them, the next one by the second, and so on; null: that one stays. */
  readonly kills: readonly (Kill | null)[];
  readonly journal_in_thread: boolean;
  /** A folder with the workspace as it is to be at the start; null: a new one. */
  readonly from: string | null;
  /** Leaves the folder of a round with problems. */
  readonly keep: boolean;
}

export interface RoundResult {
  readonly plan: RoundPlan;
  /** Per kill: whether it happened, and how the newest mission stood in the journal then. */
  readonly kills: readonly { readonly happened: boolean; readonly found: string }[];
  /** Owner processes until everything had ended. */
  readonly owners: number;
  readonly ending: string;
  readonly problems: readonly string[];
  /** Points that each owner process reached. */
  readonly points: readonly (readonly string[])[];
  readonly commands: number;
  readonly ms: number;
  /** Only with `keep` and problems. */
  readonly folder: string | null;
}

const mostOwners = 12;
/** An owner that is not killed has ended its missions by then. */
const ownerLimitMs = 60_000;

export async function runRound(plan: RoundPlan): Promise<RoundResult> {
  const began = performance.now();
  const places = placesIn(realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-kill-'))));
  if (plan.from === null) makeWorkspace(plan.scenario, places);
  else cpSync(plan.from, places.scratch, { recursive: true });
  mkdirSync(path.join(places.scratch, 'points'));
  const alive: { owner: ChildProcess | null } = { owner: null };
  const person = new Person(plan.scenario, places, () => alive.owner !== null);
  const acting = person.act();
  const kills: RoundResult['kills'][number][] = [];
  const marks: JournalMark[] = [];
  const problems: string[] = [];
  let owners = 0;
  for (let ended = false; !ended && owners < mostOwners;) {
    const kill = plan.kills[owners] ?? null;
    owners += 1;
    const owner = startOwner(plan, places, owners, kill, await person.missions());
    alive.owner = owner.child;
    const happened = await endOfOwner(owner, kill, places, problems);
    alive.owner = null;
    marks.push(await markJournal(places));
    problems.push(...(await handoffFaults(places.workspace)));
    if (kill !== null) kills.push({ happened, found: standing((await person.missions()).at(0)) });
    const missions = await person.missions();
    ended =
      problems.length > 0 ||
      (missions.length >= wantedMissions(plan) && missions.every(({ execution }) => execution === 'REPORTED'));
  }
  const ending = standing((await person.missions()).at(0));
  await person.leave(acting);
  problems.push(...(await endOfProcesses(places)));
  const exact = plan.kills.every((kill) => kill?.kind !== 'time' || kill.victims.every((victim) => victim === 'owner'));
  const { scenario } = plan;
  const { acknowledged } = person;
  const stays = plan.owner === 'program';
  problems.push(...(await checkWorkspace(places, { scenario, exact, stays, marks, acknowledged })));
  const points = Array.from({ length: owners }, (_, index) => readLines(pointsFile(places, index + 1)));
  const kept = plan.keep && problems.length > 0;
  if (!kept) rmSync(places.scratch, { recursive: true, force: true, maxRetries: 5 });
  return {
    plan,
    kills,
    owners,
    ending,
    problems,
    points,
    commands: person.acknowledged.length,
    ms: Math.round(performance.now() - began),
    folder: kept ? places.scratch : null,
  };
}

/** A workspace in which a plan was executed once: the start of rounds of `again`. */
export async function executedOnce(): Promise<string> {
  const places = placesIn(realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-kill-'))));
  makeWorkspace('again', places);
  mkdirSync(path.join(places.scratch, 'points'));
  const order = { ...orderOf('again', places, 0, null, false), missions: 1 };
  const code = await ending(startProgram(order, places, 0).child);
  if (code !== 0) throw new Error(`The execution to begin with ended with ${String(code)}.`);
  rmSync(path.join(places.scratch, 'points'), { recursive: true });
  return places.scratch;
}

function wantedMissions(plan: RoundPlan): number {
  return scenarios[plan.scenario].missions;
}

export interface Owner {
  readonly child: ChildProcess;
  readonly ended: Promise<number | string>;
  readonly printed: () => string;
  readonly errors: () => string;
}

function startOwner(
  plan: RoundPlan,
  places: Places,
  nth: number,
  kill: Kill | null,
  missions: readonly Mission[],
): Owner {
  if (plan.owner === 'program' || (plan.owner === 'program_then_cli' && nth === 1))
    return startProgram(orderOf(plan.scenario, places, nth, kill, plan.journal_in_thread), places, nth);
  // Of two kinds of owner only the first dies at a point.
  const at = plan.owner === 'cli' ? kill : null;
  const decision = ['--by', 'Grace', '--reason', 'kill test'];
  const [newest] = missions;
  const mission = newest?.execution === 'REPORTED' && missions.length < wantedMissions(plan) ? undefined : newest;
  const blocked = mission?.rows.find((row) => row.status === 'blocked' && !row.retry);
  const args =
    mission === undefined
      ? ['run', planPathOf(plan.scenario)]
      : blocked
        ? ['retry', mission.mission_id, blocked.task.task_id, ...decision]
        : ['resume', mission.mission_id, ...decision];
  return startMission(args, places.workspace, places, { points_file: pointsFile(places, nth), kill: at });
}

/** `mission ... --json` as it is shipped, with the points of points.program.ts. */
export function startMission(
  args: readonly string[],
  workspace: string,
  places: Places,
  { points_file, kill }: { readonly points_file: string; readonly kill: Kill | null },
): Owner {
  const die_at = kill?.kind === 'point' ? kill.point : kill?.kind === 'nth' ? String(kill.nth) : undefined;
  return watched(
    spawn(
      process.execPath,
      ['--require', path.resolve('dist-test/kill/points.program.js'), path.resolve('dist/cli.js'), ...args, '--json'],
      {
        cwd: workspace,
        env: {
          ...environmentOf(places),
          KILL_POINTS_FILE: points_file,
          ...(die_at === undefined ? {} : { KILL_AT: die_at }),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    ),
  );
}

function orderOf(
  scenario: ScenarioName,
  places: Places,
  nth: number,
  kill: Kill | null,
  journal_in_thread: boolean,
): OwnerOrder {
  return {
    workspace: places.workspace,
    plan: planPathOf(scenario),
    missions: scenarios[scenario].missions,
    journal_in_thread,
    points_file: pointsFile(places, nth),
    die_at: kill?.kind === 'point' ? kill.point : kill?.kind === 'nth' ? kill.nth : null,
  };
}

function startProgram(order: OwnerOrder, places: Places, nth: number): Owner {
  const file = path.join(places.scratch, `order-${nth}.json`);
  writeFileSync(file, JSON.stringify(order));
  return watched(
    spawn(process.execPath, ['--enable-source-maps', path.resolve('dist-test/kill/owner.program.js'), file], {
      env: environmentOf(places),
      stdio: ['ignore', 'ignore', 'pipe'],
    }),
  );
}

function watched(child: ChildProcess): Owner {
  let [text, printed] = ['', ''];
  child.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (text = (text + data.toString()).slice(-4000)));
  return { child, ended: ending(child), printed: () => printed, errors: () => text.trim() };
}

function ending(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(signal ?? code ?? 'unknown'));
  });
}

/** Returns whether the kill happened. An owner that ends unasked, or not at all, is a problem. */
async function endOfOwner(owner: Owner, kill: Kill | null, places: Places, problems: string[]): Promise<boolean> {
  const over = new AbortController();
  const struck = kill?.kind === 'time' ? strikeAt(kill, owner.child, places, over.signal) : Promise.resolve(false);
  const limit = sleep(ownerLimitMs, 'limit' as const, { signal: over.signal }).catch(() => 'limit' as const);
  const how = await Promise.race([owner.ended, limit]);
  over.abort();
  const hit = await struck;
  if (how === 'limit') {
    problems.push(`The owner had not ended its missions after ${ownerLimitMs / 1000} s. ${owner.errors()}`);
    owner.child.kill('SIGKILL');
    await owner.ended;
    return hit;
  }
  const wanted = kill?.kind === 'time' ? hit && kill.victims.includes('owner') : kill !== null;
  if (how === 'SIGKILL' && wanted) return true;
  // `mission` says with its exit code how the mission stands (0 to 3); where that is wrong the checks find it.
  const cli = owner.child.spawnargs.some((arg) => arg.endsWith('cli.js'));
  if (how !== 0 && !(cli && typeof how === 'number' && how <= 3))
    problems.push(`An owner ended with ${String(how)}: ${owner.errors()}`);
  return hit;
}

/** At the time, or as soon after it as there is such a process. */
async function strikeAt(
  kill: Extract<Kill, { kind: 'time' }>,
  owner: ChildProcess,
  places: Places,
  over: AbortSignal,
): Promise<boolean> {
  await sleep(kill.ms, null, { signal: over }).catch(() => null);
  while (!over.aborted && owner.pid !== undefined) {
    if (await strike(kill.victims, owner.pid, places)) return true;
    await sleep(3);
  }
  return false;
}

/** No process of the round may be left; one that is left is ended now. */
export async function endOfProcesses(places: Places): Promise<readonly string[]> {
  for (let look = 1; look <= 100 && processesOf(places).length > 0; look++) await sleep(50);
  const left = processesOf(places);
  for (const { pid } of left) endProcess(pid);
  return left.map(({ command }) => `Still alive at the end: ${command}`);
}

/** In words, for the report. */
export function standing(mission: Mission | undefined): string {
  if (mission === undefined) return 'no mission yet';
  const live = attemptsUnderWay(mission).map(({ task_id, attempt, stage }) => `${task_id}#${attempt} ${stage.at}`);
  return [`${mission.execution}, ${missionStatus(mission)}`, ...live].join(', ');
}

function pointsFile(places: Places, nth: number): string {
  return path.join(places.scratch, 'points', String(nth));
}

export function readLines(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
