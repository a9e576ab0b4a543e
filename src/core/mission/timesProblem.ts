import type { MetadataChanges } from '../../contracts/metadataChanges';
import { timeLimits } from '../../contracts/vocabulary/plan';
import type { PlannedTask } from '../plan/approvedPlan';

export const times = Object.keys(timeLimits) as (keyof typeof timeLimits)[];
type Times = Pick<PlannedTask, (typeof times)[number]>;

interface TimesProblem {
  readonly reason: string;
  /** What would be taken in place of it, the likeliest first. */
  readonly instead: readonly MetadataChanges[];
}

/** Says why a task cannot have these time limits, and which it could have; null: it can. The limits are those of the plan's contract. */
export function timesProblem(task: Times, after: MetadataChanges): TimesProblem | null {
  const crossed = crossing(task, after);
  if (!crossed) return null;
  const { reason, instead } = crossed;
  return { reason, instead: instead.filter((one) => isAnother(task, one) && crossing(task, one) === null) };
}

function crossing(task: Times, after: MetadataChanges): TimesProblem | null {
  const field = times.find((name) => !isWithin(name, after[name]));
  if (field !== undefined) {
    const { min, max } = timeLimits[field];
    const reason = `${field} is a whole number of seconds from ${min} to ${max}, not ${String(after[field])}.`;
    return { reason, instead: [] };
  }
  const {
    timeout_seconds: timeout,
    heartbeat_interval_seconds: beat,
    max_runtime_seconds: runtime,
  } = { ...task, ...after } as Times;
  if (times.some((name) => after[name] !== undefined) && timeout <= beat)
    return {
      reason: `timeout_seconds (${timeout}) must be greater than heartbeat_interval_seconds (${beat}), or every attempt looks stale.`,
      instead: [
        { ...after, timeout_seconds: beat + 1 },
        { ...after, heartbeat_interval_seconds: timeout - 1 },
      ],
    };
  if (after.timeout_seconds === undefined || runtime >= timeout) return null;
  return {
    reason: `timeout_seconds (${timeout}) is never reached, because max_runtime_seconds (${runtime}) ends the attempt before.`,
    instead: [
      { ...after, max_runtime_seconds: timeout },
      { ...after, timeout_seconds: runtime },
    ],
  };
}

function isWithin(field: keyof typeof timeLimits, value: number | undefined): boolean {
  const { min, max } = timeLimits[field];
  return value === undefined || (Number.isInteger(value) && value >= min && value <= max);
}

/** A revision that changes nothing is refused. */
function isAnother(task: Times, after: MetadataChanges): boolean {
  return times.some((name) => after[name] !== undefined && after[name] !== task[name]);
}
