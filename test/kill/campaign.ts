import { rmSync } from 'node:fs';
import { dice, type Dice } from '../support/dice';
import { blockedOnce, handoffVictims, runHandoffRound, type HandoffRoundPlan } from './handoffRound';
import { isInside, pointKind } from './points';
import { executedOnce, runRound, type Kill, type RoundPlan, type RoundResult } from './round';
import type { ScenarioName } from './scenarios';
import type { Victim } from './victims';

export interface CampaignOptions {
  /** How often every point is killed at. From the second time on the next owners are killed as well, at points by chance. */
  readonly rounds: number;
  /** The same seed gives the same order of rounds and the same choices of chance (times: as shares of a run without kills). */
  readonly seed: number;
  /** Only points whose name has this in it; null: all. */
  readonly point: string | null;
  /** No points, only times by chance. */
  readonly by_chance_only: boolean;
  /** Kills at a time by chance, per kind of victim. */
  readonly times: number;
  /** No new rounds after so many minutes; null: all are run. */
  readonly minutes: number | null;
  /** Rounds that run side by side. */
  readonly jobs: number;
  readonly keep: boolean;
  readonly onRound: (done: CampaignRound, of: number) => void;
}

/** What is asked of a round, whatever it is a round of. */
export interface RoundOutcome {
  readonly kills: readonly { readonly happened: boolean; readonly found: string }[];
  readonly owners: number;
  readonly ending: string;
  readonly problems: readonly string[];
  readonly commands: number;
  readonly ms: number;
  readonly folder: string | null;
  /** What repeats it. */
  readonly plan: unknown;
}

export interface CampaignRound {
  /** The point, or who was killed at a time: what its line in the report is about. */
  readonly name: string;
  readonly group: 'point' | 'time';
  readonly result: RoundOutcome;
  /** The first kill happened; a point is not reached when this run took another turn. */
  readonly happened: boolean;
}

export interface Campaign {
  readonly rounds: readonly CampaignRound[];
  /** Rounds for which there was no time. */
  readonly left_out: number;
}

/** The order of missions: of equal points inside operations, the one in the shorter mission is taken. */
const cheapestFirst: readonly ScenarioName[] = ['again', 'cancel', 'lanes', 'all'];

/** Missions in which `mission run` dies at its own points as well. */
const shipped: readonly ScenarioName[] = ['again', 'lanes', 'all'];

/** What is killed at times by chance: the real CLI as well as the owner of the points. */
const strikes: readonly { readonly owner: RoundPlan['owner']; readonly victims: readonly Victim[] }[] = [
  { owner: 'program', victims: ['owner'] },
  { owner: 'program', victims: ['supervisor'] },
  { owner: 'program', victims: ['worker'] },
  { owner: 'program', victims: ['owner', 'supervisor'] },
  { owner: 'cli', victims: ['owner'] },
  { owner: 'cli', victims: ['owner', 'supervisor'] },
  { owner: 'cli', victims: ['worker'] },
];

/** A run without kills names the points; then each of them is killed at, and processes at times by chance. */
export async function runCampaign(options: CampaignOptions): Promise<Campaign> {
  const until = options.minutes === null ? Infinity : performance.now() + options.minutes * 60_000;
  const random = dice(options.seed);
  const [template, blocked] = await Promise.all([executedOnce(), blockedOnce()]);
  const base = (scenario: ScenarioName): Omit<RoundPlan, 'kills'> => ({
    scenario,
    owner: 'program',
    journal_in_thread: false,
    from: scenario === 'again' ? template : null,
    keep: options.keep,
  });
  try {
    const jobs: Job[] = [];
    const recorded = await inParallel(cheapestFirst, options.jobs, async (scenario) => {
      const result = await withoutKill({ ...base(scenario), kills: [] });
      if (result.owners !== 1) throw new Error(`${scenario} needed ${result.owners} owners without a kill.`);
      return { scenario, result };
    });
    const programs = options.by_chance_only
      ? []
      : await inParallel(shipped, options.jobs, async (scenario) => {
          const plan: RoundPlan = { ...base(scenario), owner: 'cli', kills: [] };
          return { plan, result: await withoutKill(plan) };
        });
    const handovers = options.by_chance_only
      ? []
      : await inParallel(handoffVictims, options.jobs, async (victim) => {
          const plan: HandoffRoundPlan = { victim, kill: null, from: blocked, keep: options.keep };
          const { points, problems } = await runHandoffRound(plan);
          if (problems.length > 0) throw new Error(`${victim} does not even end without a kill: ${problems.join(' ')}`);
          return { plan, points };
        });
    for (let round = 1; round <= options.rounds; round++) {
      const isAsked = (name: string, point: string, isChosen: (point: string) => boolean): boolean =>
        !options.by_chance_only && (options.point === null ? isChosen(point) : name.includes(options.point));
      const isChosen = oncePerKind();
      for (const { scenario, result } of recorded) {
        for (const point of result.points[0] ?? []) {
          const name = `${scenario}: ${point}`;
          if (!isAsked(name, point, isChosen)) continue;
          const kills: Kill[] = [{ kind: 'point', point }];
          // The owner that takes over dies as well, and the next one once more.
          for (let more = 1; round > 1 && more <= 2; more++) kills.push({ kind: 'nth', nth: 1 + random.below(60) });
          // In threads journal and workspace are out of reach of the points inside operations.
          const journal_in_thread = random.chance(0.5) && !isInside(point);
          const owner = kills.length === 1 && random.chance(0.4) ? 'program_then_cli' : 'program';
          jobs.push(jobOf(name, 'point', { ...base(scenario), owner, kills, journal_in_thread }));
        }
      }
      const isChosenShipped = oncePerKind();
      for (const { plan, result } of programs) {
        for (const [before, points] of result.points.entries()) {
          for (const point of points) {
            // `mission run`, or what took over from it: `mission retry`, `mission resume`.
            const name = `mission, ${plan.scenario}: ${point}`;
            if (!isAsked(name, point, isChosenShipped)) continue;
            const kills = [...Array.from({ length: before }, () => null), { kind: 'point', point } as const];
            jobs.push(jobOf(name, 'point', { ...plan, kills }));
          }
        }
      }
      for (const { plan, points } of handovers) {
        const isChosenHere = oncePerKind();
        for (const point of points) {
          const name = `mission handoff, ${plan.victim}: ${point}`;
          if (!isAsked(name, point, isChosenHere)) continue;
          jobs.push(handoffJob(name, { ...plan, kill: { kind: 'point', point } }));
        }
      }
      for (const { owner, victims } of options.point === null ? strikes : []) {
        for (let time = 0; time < options.times; time++) {
          const scenario = random.chance(0.6) ? 'all' : random.chance(0.5) ? 'cancel' : 'lanes';
          const lasts = recorded.find((run) => run.scenario === scenario)?.result.ms ?? 0;
          const kills = [1, 2].map((): Kill => ({ kind: 'time', ms: random.below(lasts), victims }));
          const name = `${owner === 'cli' ? 'mission' : 'owner program'}: ${victims.map((victim) => (owner === 'cli' && victim === 'owner' ? 'mission' : victim)).join(' and ')}`;
          jobs.push(jobOf(name, 'time', { ...base(scenario), owner, kills, journal_in_thread: random.chance(0.5) }));
        }
      }
    }
    let done = 0;
    const rounds = await inParallel(shuffled(jobs, random), options.jobs, async ({ name, group, run }) => {
      if (performance.now() > until) return null;
      const result = await untilItHappens(run);
      const round = { name, group, result, happened: result.kills[0]?.happened === true };
      done += 1;
      options.onRound(round, jobs.length - done);
      return round;
    });
    const run = rounds.filter((round) => round !== null);
    return { rounds: run, left_out: rounds.length - run.length };
  } finally {
    for (const folder of [template, blocked]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Every point around an operation of a port; of those inside of them each kind once, after the change: the moment
 * before it is the one after whatever came before it. Before a statement of the journal a transaction is open.
 */
export function oncePerKind(): (point: string) => boolean {
  const kinds = new Set<string>();
  return (point) => {
    if (!isInside(point)) return true;
    const repeats = point.endsWith(':before') && !point.startsWith('sqlite.');
    if (repeats || kinds.has(pointKind(point))) return false;
    kinds.add(pointKind(point));
    return true;
  };
}

interface Job {
  readonly name: string;
  readonly group: CampaignRound['group'];
  readonly run: () => Promise<RoundOutcome>;
}

function jobOf(name: string, group: Job['group'], plan: RoundPlan): Job {
  return { name, group, run: () => runRound(plan) };
}

function handoffJob(name: string, plan: HandoffRoundPlan): Job {
  const run = async (): Promise<RoundOutcome> => {
    const { happened, found, ...result } = await runHandoffRound(plan);
    return { ...result, plan, commands: 0, kills: [{ happened, found }] };
  };
  return { name, group: 'point', run };
}

async function withoutKill(plan: RoundPlan): Promise<RoundResult> {
  const result = await runRound(plan);
  if (result.problems.length === 0) return result;
  throw new Error(`${plan.scenario} does not even end without a kill: ${result.problems.join(' ')}`);
}

/** Which effect comes first is decided by the machine: a point that this run did not pass is tried for again. */
export async function untilItHappens(run: Job['run']): Promise<RoundOutcome> {
  let result = await run();
  for (let again = 1; again <= 2 && result.problems.length === 0 && result.kills[0]?.happened !== true; again++)
    result = await run();
  return result;
}

export async function inParallel<T, R>(items: readonly T[], jobs: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const one = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: jobs }, one));
  return results;
}

export function shuffled<T>(items: readonly T[], random: Dice): readonly T[] {
  return items
    .map((item) => ({ item, at: random.share() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
