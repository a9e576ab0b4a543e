import { codeOfCategory } from '../../../contracts/vocabulary/codes/codes';
import { spentTokens } from '../../model/usage';
import type { AttemptRecord, Launch } from '../../model/attempt';
import type { EventOf, MissionEvent } from '../../model/events';
import { isBeingStopped } from '../../model/lanes';
import { rowOf, type Tasks, type Progress, type ReceivedPlan } from '../../model/state';
import type { UsageFacts } from '../../../contracts/launchEvidence';

/**
 * The pause that is due before another attempt starts, because the agents have used up the plan's budget; null: none. A
 * person who resumes allows as much again. What a CLI does not report is not counted.
 */
export function budgetPause(mission: Progress): EventOf<'MissionPaused'> | null {
  const used = usedUp(mission);
  if (!used) return null;
  const reason = `${used.text} Resume to go on for as much again, or cancel.`;
  return { type: 'MissionPaused', reason, code: codeOfCategory.budget_exceeded, budgets: used.budgets };
}

/** The ends of all agents that run, where the budget is used up and the plan says to stop them; else none. */
export function budgetStops(mission: Progress): readonly MissionEvent[] {
  if (mission.plan.budget.on_exceed !== 'stop') return [];
  const running = mission.lanes.filter(
    (lane) =>
      lane.stage.at === 'running' &&
      lane.stage.purpose.kind === 'worker' &&
      rowOf(mission, lane.task_id).task.worker !== 'command' &&
      !isBeingStopped(lane),
  );
  const used = running.length > 0 ? usedUp(mission) : null;
  if (!used) return [];
  const reason = `${used.text} Its plan says to stop then. Retry the task to go on for as much again, or cancel.`;
  return running.map(({ task_id, attempt }) => ({
    type: 'BudgetStopRequested',
    task_id,
    attempt,
    reason,
    budgets: used.budgets,
  }));
}

/** Null: not used up since a person was asked. */
function usedUp(mission: Progress): { readonly budgets: number; readonly text: string } | null {
  const measures = measured(mission);
  const budgets = countable(Math.max(0, ...measures.map(({ used, limit }) => used / limit)));
  if (budgets - mission.budgets_asked < 1) return null;
  const usedUp = measures.filter(({ used, limit }) => used >= limit).map(({ text }) => text);
  return { budgets, text: `The budget of the plan is used up: ${usedUp.join(' and ')}.` };
}

/** Returns whether one attempt used as much as a limit of the plan allows the mission. */
export function usedUpAlone({ plan }: ReceivedPlan, attempt: AttemptRecord): boolean {
  const { tokens, usd } = plan.budget;
  const used = attempt.launches.reduce((sum, launch) => sum + spentTokens(launch), 0);
  return used >= (tokens ?? Infinity) || (usageOf([attempt]).cost_usd ?? 0) >= (usd ?? Infinity);
}

export interface Measure {
  readonly unit: 'tokens' | 'usd';
  readonly used: number;
  readonly limit: number;
  readonly text: string;
}

/** Returns what is used of each limit of the plan; empty: it sets none. */
export function measured(mission: Tasks): readonly Measure[] {
  const { tokens, usd } = mission.plan.budget;
  if (tokens === null && usd === null) return [];
  const { tokens: usedTokens, usd: dollars } = usedSoFar(mission);
  return [
    ...(tokens === null
      ? []
      : [{ unit: 'tokens' as const, used: usedTokens, limit: tokens, text: `${usedTokens} of ${tokens} tokens` }]),
    ...(usd === null
      ? []
      : [{ unit: 'usd' as const, used: dollars, limit: usd, text: `$${dollars.toFixed(2)} of $${usd.toFixed(2)}` }]),
  ];
}

/** Sums what CLIs have reported so far; null: none reported a value. Tokens are counts, cost is in US dollars. */
export function totalUsage(mission: Tasks): UsageFacts {
  return usageOf(agentLaunches(mission));
}

/** Sums what counts against the budget, also of hosts that had the run before. */
export function usedSoFar(mission: Tasks): Tasks['used_before'] {
  const { tokens, usd } = mission.used_before;
  const launches = agentLaunches(mission).flatMap((attempt) => attempt.launches);
  return {
    tokens: launches.reduce((sum, launch) => sum + spentTokens(launch), tokens),
    usd: usd + (totalUsage(mission).cost_usd ?? 0),
  };
}

/** A worker may report more than can be counted, and no journal holds an infinite number. */
export function countable(amount: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, amount));
}

function agentLaunches({ rows, lanes, sessions }: Tasks): readonly { readonly launches: readonly Counted[] }[] {
  return [...rows.flatMap((row) => row.attempts), ...lanes, ...sessions.map(({ launch }) => ({ launches: [launch] }))];
}

type Counted = Pick<Launch, 'end' | 'usage_seen' | 'adjustment'>;

export function usageOf(attempts: readonly { readonly launches: readonly Counted[] }[]): UsageFacts {
  const all = attempts
    .flatMap((attempt) => attempt.launches)
    .flatMap(({ end, usage_seen }) => end?.usage ?? usage_seen ?? []);
  const sum = (pick: (usage: UsageFacts) => number | null): number | null => {
    const known = all.map(pick).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
  };
  return {
    input_tokens: sum((usage) => usage.input_tokens),
    cached_input_tokens: sum((usage) => usage.cached_input_tokens),
    output_tokens: sum((usage) => usage.output_tokens),
    cost_usd: sum((usage) => usage.cost_usd),
  };
}
