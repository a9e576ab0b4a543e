import type { PlanExecution, PlanTask } from '../../../contracts/plan';
import type { BudgetReaction } from '../../../contracts/vocabulary/intents';
import { parallelLimits, resourceLimits, timeLimits, type ResourceLimit } from '../../../contracts/vocabulary/plan';
import { asNumber, numberAt, objectAt } from '../../../base/json';
import { budgetWords } from '../../../base/text/words';
import { costUnreported } from '../../../workers/registry';
import { clamped, dropField } from '../fixes/entries';
import type { Fixes } from '../fixes/planFix';
import type { AddPlanFinding } from '../rules/judgedTask';
import type { Fields, Judged } from './field';
import { further, type Opened } from './right';

export interface Limits {
  readonly limits: Readonly<Record<ResourceLimit, number>>;
  readonly budget: {
    readonly tokens: number | null;
    readonly usd: number | null;
    readonly on_exceed: BudgetReaction;
  };
}

/** When an attempt of a task is stopped. */
export type TimeLimits = Readonly<Record<keyof typeof timeLimits, number>>;

const limitWords: { readonly [L in ResourceLimit]: (most: number) => string } = {
  processes: (most) => `${most} process${most === 1 ? '' : 'es'} at once (counted about once a second)`,
  memory_mb: (most) => `${most} MB of memory (measured about once a second where no control group holds it)`,
  file_mb: (most) => `files of ${most} MB`,
};

/** One line for all of them. */
const takes: Opened<Pick<Limits, 'limits'>> = ({ limits: set }) => {
  const other = (Object.keys(limitWords) as ResourceLimit[]).flatMap((limit) =>
    set[limit] === resourceLimits[limit].default ? [] : [limitWords[limit](set[limit])],
  );
  return other.length === 0 ? [] : [further(`Each launch takes at most ${other.join(', ')}.`)];
};

export const limits = {
  processes: { narrows: true, opens: takes, judge: judgeLimit('processes') },
  memory_mb: { narrows: true, opens: takes, judge: judgeLimit('memory_mb') },
  file_mb: { narrows: true, opens: takes, judge: judgeLimit('file_mb') },
} satisfies Fields<PlanExecution['limits'], Limits>;

export const budget = {
  tokens: {
    says: {
      in: 'budget',
      lines({ budget: { tokens, usd, on_exceed } }) {
        const amounts = [tokens === null ? [] : `${tokens} tokens`, usd === null ? [] : `${usd} US dollars`].flat();
        return amounts.length > 0 ? [`${amounts.join(', ')}. ${budgetWords(on_exceed)}`] : [];
      },
    },
    judge({ execution }, report) {
      const tokens = numberAt(objectAt(execution, 'budget'), 'tokens');
      if (tokens === null || (Number.isSafeInteger(tokens) && tokens >= 1)) return;
      const message = `tokens must be a whole number above 0, not ${tokens}; remove it for no limit.`;
      report('BUDGET_INVALID', '/execution/budget/tokens', message);
    },
  },
  usd: { stands: 'in the line of tokens', judge: judgeCost },
  on_exceed: {
    stands: 'in the line of tokens',
    judge({ execution }, report) {
      const written = objectAt(execution, 'budget');
      if (written?.['on_exceed'] === undefined) return;
      if (numberAt(written, 'tokens') === null && numberAt(written, 'usd') === null)
        report('BUDGET_INVALID', '/execution/budget', 'on_exceed needs a budget: give tokens, usd or both.');
    },
  },
} satisfies Fields<PlanExecution['budget'], Limits>;

/** The first one judges all three, because they have to fit together. */
export const timeLimitFields = {
  timeout_seconds: { unsaid: 'stops', judge: judgeTimeLimits },
  heartbeat_interval_seconds: { unsaid: 'stops' },
  max_runtime_seconds: { stands: 'in the row of the worker' },
} satisfies Partial<Fields<PlanTask, TimeLimits>>;

export const limitFixes = {
  // The default may let a launch use more, so it is not offered. Removing a budget would lift it.
  RESOURCE_LIMIT_INVALID: clamped(resourceLimits),
  BUDGET_INVALID: 'none',
  BUDGET_NOT_COUNTED: 'none',
  TIME_LIMIT_INVALID: (mended) => [...clamped(timeLimits)(mended), ...dropField(mended)],
  TIME_LIMIT_UNREACHABLE: dropField,
  // Within the range, or away where it has no effect.
  PARALLEL_LIMIT_INVALID: (mended) => [...clamped({ max_parallel: parallelLimits })(mended), ...dropField(mended)],
} as const satisfies Fixes;

export function limitsOf({ limits: set = {} }: PlanExecution): Pick<Limits, 'limits'> {
  const of = (limit: ResourceLimit): number => set[limit] ?? resourceLimits[limit].default;
  return { limits: { processes: of('processes'), memory_mb: of('memory_mb'), file_mb: of('file_mb') } };
}

export function budgetOf({ budget: set = {} }: PlanExecution): Pick<Limits, 'budget'> {
  const { tokens = null, usd = null, on_exceed = 'pause' } = set;
  return { budget: { tokens, usd, on_exceed } };
}

/** In the order of `timeLimits`. */
export function timeLimitsOf(task: { readonly [L in keyof TimeLimits]?: number | undefined }): TimeLimits {
  const names = Object.keys(timeLimits) as (keyof TimeLimits)[];
  return Object.fromEntries(names.map((name) => [name, task[name] ?? timeLimits[name].default])) as TimeLimits;
}

function judgeLimit(name: ResourceLimit) {
  const { min, max } = resourceLimits[name];
  return ({ execution }: Judged, report: AddPlanFinding): void => {
    const value = numberAt(objectAt(execution, 'limits'), name);
    if (value === null || isWithin(value, resourceLimits[name])) return;
    const message = `${name} must be a whole number from ${min} to ${max}, not ${value}; remove it for the default.`;
    report('RESOURCE_LIMIT_INVALID', `/execution/limits/${name}`, message);
  };
}

/** Warns of agents whose cost is not counted, because a budget in dollars reads as one of the whole mission. */
function judgeCost({ execution, tasks, defaultWorker }: Judged, report: AddPlanFinding): void {
  const written = objectAt(execution, 'budget');
  const usd = numberAt(written, 'usd');
  if (usd === null) return;
  const pointer = '/execution/budget/usd';
  if (!(usd > 0)) report('BUDGET_INVALID', pointer, `usd must be above 0, not ${usd}; remove it for no limit.`);
  if (numberAt(written, 'tokens') !== null) return;
  const workers = tasks.map(([task]) => task['worker'] ?? defaultWorker);
  for (const worker of costUnreported) {
    if (!workers.includes(worker)) continue;
    const message = `${worker} tells no cost, so usd does not bound its tasks; give tokens as well.`;
    report('BUDGET_NOT_COUNTED', pointer, message, 'warning');
  }
}

function judgeTimeLimits({ tasks }: Judged, report: AddPlanFinding): void {
  for (const [task, , pointer] of tasks) {
    const wrong = Object.entries(timeLimits).filter(([key, limit]) => {
      const value = asNumber(task[key]);
      if (value === null || isWithin(value, limit)) return false;
      const { min, max } = limit;
      const message = `${key} must be a whole number of seconds from ${min} to ${max}, not ${value}.`;
      report('TIME_LIMIT_INVALID', `${pointer}/${key}`, message);
      return true;
    });
    if (wrong.length > 0) continue;
    const timeout = asNumber(task['timeout_seconds']);
    const heartbeat = asNumber(task['heartbeat_interval_seconds']);
    const effectiveTimeout = timeout ?? timeLimits.timeout_seconds.default;
    const effectiveHeartbeat = heartbeat ?? timeLimits.heartbeat_interval_seconds.default;
    if (effectiveTimeout <= effectiveHeartbeat && (timeout !== null || heartbeat !== null)) {
      report(
        'TIME_LIMIT_INVALID',
        `${pointer}/${timeout !== null ? 'timeout_seconds' : 'heartbeat_interval_seconds'}`,
        `timeout_seconds (${effectiveTimeout}) must be greater than heartbeat_interval_seconds (${effectiveHeartbeat}), or every attempt looks stale.`,
      );
    }
    const runtime = asNumber(task['max_runtime_seconds']);
    if (runtime !== null && timeout !== null && runtime < timeout) {
      const message = `timeout_seconds (${timeout}) is never reached: max_runtime_seconds (${runtime}) ends the attempt before.`;
      report('TIME_LIMIT_UNREACHABLE', `${pointer}/timeout_seconds`, message, 'warning');
    }
  }
}

export function isWithin(value: number, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
