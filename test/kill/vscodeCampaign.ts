import { dice } from '../support/dice';
import { inParallel, oncePerKind, shuffled, untilItHappens, type Campaign, type CampaignOptions } from './campaign';
import type { Kill } from './round';
import { KillingVscode, vscodeScenarios, type VscodeRoundPlan, type VscodeRoundResult } from './vscodeRound';

/**
 * Runs like `runCampaign`, with the extension host of the real VS Code as the only victim: at every point of a run
 * without kills, those inside operations once of each kind, and at times by chance. From the second pass on the
 * extension host that took over dies as well; a third death would make VS Code ask.
 */
export async function runVscodeCampaign(options: CampaignOptions): Promise<Campaign> {
  const until = options.minutes === null ? Infinity : performance.now() + options.minutes * 60_000;
  const random = dice(options.seed);
  // The servers end with this process, and that includes its end by a signal.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  // Rounds side by side have servers of their own.
  const servers: KillingVscode[] = [];
  try {
    for (let job = 1; job <= options.jobs; job++) servers.push(await KillingVscode.start());
    const [first] = servers;
    if (first === undefined) throw new Error('There are no jobs.');
    const free = [...servers];
    const roundOf = async (plan: VscodeRoundPlan): Promise<VscodeRoundResult> => {
      let vscode = free.pop() ?? first;
      try {
        return await vscode.round(plan);
      } catch (error) {
        // A window that the harness has lost says nothing about the product: once more in a new one.
        process.stderr.write(`${String(error)}\n`);
        await vscode.stop();
        servers.splice(servers.indexOf(vscode), 1);
        vscode = await KillingVscode.start();
        servers.push(vscode);
        return await vscode.round(plan);
      } finally {
        free.push(vscode);
      }
    };
    const recorded: VscodeRoundResult[] = [];
    for (const scenario of vscodeScenarios)
      recorded.push(await withoutKill(first, { scenario, kills: [], keep: options.keep }));
    const jobs: { readonly name: string; readonly group: 'point' | 'time'; readonly plan: VscodeRoundPlan }[] = [];
    for (let round = 1; round <= options.rounds; round++) {
      const more = (): readonly Kill[] => (round === 1 ? [] : [{ kind: 'nth', nth: 1 + random.below(40) }]);
      const isChosen = oncePerKind();
      for (const { plan, points } of recorded) {
        for (const point of points[0] ?? []) {
          const name = `extension host, ${plan.scenario}: ${point}`;
          const isAsked = options.point === null ? isChosen(point) : name.includes(options.point);
          if (options.by_chance_only || !isAsked) continue;
          jobs.push({ name, group: 'point', plan: { ...plan, kills: [{ kind: 'point', point }, ...more()] } });
        }
      }
      for (let time = 0; time < (options.point === null ? options.times : 0); time++) {
        for (const { plan, mission_ms } of recorded) {
          const kills = [1, 2].map((): Kill => ({
            kind: 'time',
            ms: random.below(0.85 * mission_ms),
            victims: ['owner'],
          }));
          jobs.push({ name: `extension host, ${plan.scenario}`, group: 'time', plan: { ...plan, kills } });
        }
      }
    }
    let done = 0;
    const rounds = await inParallel(shuffled(jobs, random), options.jobs, async ({ name, group, plan }) => {
      if (performance.now() > until) return null;
      const result = await untilItHappens(() => roundOf(plan));
      const round = { name, group, result, happened: result.kills[0]?.happened === true };
      done += 1;
      options.onRound(round, jobs.length - done);
      return round;
    });
    const run = rounds.filter((round) => round !== null);
    return { rounds: run, left_out: rounds.length - run.length };
  } finally {
    for (const vscode of servers) await vscode.stop();
  }
}

async function withoutKill(vscode: KillingVscode, plan: VscodeRoundPlan): Promise<VscodeRoundResult> {
  const result = await vscode.round(plan);
  if (result.problems.length === 0) return result;
  throw new Error(`${plan.scenario} does not even end without a kill: ${result.problems.join(' ')}`);
}
