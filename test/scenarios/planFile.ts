import type { Report } from '../../src/core/model/inputs';
import type { Attempt } from '../../src/core/model/attempt';

export const planSha256 = 'A'.repeat(64);

/** A person who resumes a mission has brought the plan back. */
export function isAway(lane: Attempt | undefined): boolean {
  return lane?.plan_waits === undefined;
}

/** What the runner finds in place of the plan file. */
export function planRead(
  { task_id, attempt }: { readonly task_id: string; readonly attempt: number },
  changed: boolean,
  lane: Attempt | undefined,
): Report {
  const away = changed && isAway(lane);
  return {
    ...{ type: 'PlanHashWasRead', task_id, attempt },
    ...(lane?.plan_waits !== undefined && { waits: lane.plan_waits }),
    observed: away ? 'C'.repeat(64) : planSha256,
    explanation: away ? 'Its content changed.' : null,
  };
}
