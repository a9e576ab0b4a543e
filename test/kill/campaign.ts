import { rmSync } from 'node:fs';
import { isOfItsOwn } from './points';
import { executedOnce, runRound, type Kill, type RoundPlan, type RoundResult } from './round';
import { scenarioNames, type ScenarioName } from './scenarios';
import type { Victim } from './victims';

export interface CampaignOptions {
  /** How often every point is killed at. From the second time on the next owners are killed as well, at points by chance. */
  readonly rounds: number;
  /** The same seed gives the same kills in the same order. */
  readonly seed: number;
  /** Only points whose name has this in it; null: all. */
  readonly point: string | null;
  /** No points, only times by chance. */
  readonly by_chance_only: boolean;
  /** Kills at a time by chance, per kind of victim. */
  readonly times: number;
  /** Rounds that run side by side. */
  readonly jobs: number;
  readonly keep: boolean;
  readonly onRound: (done: CampaignRound, of: number) => void;
}

export interface CampaignRound {
  /** The point, or who was killed at a time: what its line in the report is about. */
  readonly name: string;
  readonly group: 'point' | 'time';
  readonly result: RoundResult;
  /** The first kill happened; a point is not reached when this run took another turn. */
  readonly happened: boolean;
}

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

/** A run without kills tells the points; then each of them is killed at, and processes at times by chance. */
export async function runCampaign(options: CampaignOptions): Promise<readonly CampaignRound[]> {
  const random = randomOf(options.seed);
  const template = await executedOnce();
  const base = (scenario: ScenarioName): Omit<RoundPlan, 'kills'> => ({
    scenario,
    owner: 'program',
    journal_in_thread: false,
    from: scenario === 'again' ? template : null,
    keep: options.keep,
  });
  try {
    const jobs: { name: string; group: CampaignRound['group']; plan: RoundPlan }[] = [];
    const recorded = await inParallel(scenarioNames, options.jobs, async (scenario) => {
      const result = await runRound({ ...base(scenario), kills: [] });
      if (result.problems.length > 0 || result.owners !== 1)
        throw new Error(`${scenario} does not even end without a kill: ${result.problems.join(' ')}`);
      return { scenario, result };
    });
    for (let round = 1; round <= options.rounds; round++) {
      for (const { scenario, result } of recorded) {
        for (const point of result.points[0] ?? []) {
          const name = `${scenario}: ${point}`;
          const asked = options.point === null ? isOfItsOwn(point) : name.includes(options.point);
          if (!asked || options.by_chance_only) continue;
          const kills: Kill[] = [{ kind: 'point', point }];
          // Whoever takes over dies as well, and the next one once more.
          for (let more = 1; round > 1 && more <= 2; more++)
            kills.push({ kind: 'nth', nth: 1 + Math.floor(random() * 60) });
          jobs.push({ name, group: 'point', plan: { ...base(scenario), kills, journal_in_thread: random() < 0.5 } });
        }
      }
      for (const { owner, victims } of options.point === null ? strikes : []) {
        for (let time = 0; time < options.times; time++) {
          const kills = [1, 2].map((): Kill => ({ kind: 'time', ms: Math.floor(random() * 3500), victims }));
          const name = `${owner === 'cli' ? 'mission' : 'owner program'}: ${victims.map((victim) => (owner === 'cli' && victim === 'owner' ? 'mission' : victim)).join(' and ')}`;
          const scenario = random() < 0.8 ? 'all' : 'cancel';
          jobs.push({
            name,
            group: 'time',
            plan: { ...base(scenario), owner, kills, journal_in_thread: random() < 0.5 },
          });
        }
      }
    }
    let done = 0;
    return await inParallel(shuffled(jobs, random), options.jobs, async ({ name, group, plan }) => {
      const result = await untilItHappens(plan);
      const round = { name, group, result, happened: result.kills[0]?.happened === true };
      done += 1;
      options.onRound(round, jobs.length - done);
      return round;
    });
  } finally {
    rmSync(template, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Which effect comes first is decided by the machine: a point that this run did not pass is tried for again. */
async function untilItHappens(plan: RoundPlan): Promise<RoundResult> {
  let result = await runRound(plan);
  for (let again = 1; again <= 2 && result.problems.length === 0 && result.kills[0]?.happened !== true; again++)
    result = await runRound(plan);
  return result;
}

async function inParallel<T, R>(items: readonly T[], jobs: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const one = async (): Promise<void> => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: jobs }, one));
  return results;
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}

/** Mulberry32: numbers in [0, 1) that depend on the seed alone. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
