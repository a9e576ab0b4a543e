import { parsedJson } from '../../base/json';
import { done, refused, type Outcome } from '../../base/outcome';
import { fleetOrderSchema, type FleetOrder } from '../../contracts/fleet';
import type { Plan } from '../../contracts/plan';
import { defaultApprovalHours } from '../../contracts/vocabulary/plan';
import { approvedPlanOf } from '../../core/plan/normalize';
import { judgeApproval } from '../../core/plan/approvalRecord';
import { defaultWorkerOfPlans } from '../plans/check';
import type { FleetSeals } from '../ports/fleet';

/** What a seal of an order stands for. */
export const orderKind = 'order';

/**
 * Reads an order from the database, where each user with its password may write. Refuses one without a seal that holds,
 * or whose approval no longer counts.
 */
export async function readOrder(value: unknown, seals: FleetSeals, now: string): Promise<Outcome<FleetOrder>> {
  const order = await sealedOrder(value, seals);
  if (!order.ok) return order;
  if (order.value === null)
    return refused(
      'FLEET_ORDER_REFUSED',
      'No order of this user stands in that row: its seal is not of the key of this user on this machine.',
      'Submit the plan with the user and the key of the host.',
    );
  const { plan_sha256, risk_level, approved } = order.value;
  const here = { workspace_dir: '', machine_id: '' };
  const { by, at, nonce, speaks_to, instructions } = approved;
  const record = {
    ...{ by, at, nonce, plan_sha256, ...here },
    ...(speaks_to && { speaks_to }),
    ...(instructions && { instructions }),
  };
  const recorded = { by, at, record, sealed: true, used_by: null };
  const verdict = judgeApproval([recorded], { risk_level, now, hours: defaultApprovalHours, here });
  return verdict.counts
    ? done(order.value)
    : refused('APPROVAL_RECORD_REQUIRED', verdict.why, 'Approve the plan again, then submit it again.');
}

/** Labels that a host of the plan has to have: its agents, and what a person asked for. Sorted, each once. */
export function needsOf(plan: Plan, asked: readonly string[]): readonly string[] {
  const { tasks } = approvedPlanOf(plan, { defaultWorker: defaultWorkerOfPlans });
  const agents = tasks.flatMap(({ worker }) => (worker === 'command' ? [] : [worker]));
  return [...new Set([...asked, ...agents])].sort();
}

/** The order behind a seal of this user; null: it is not such an order. */
export async function sealedOrder(value: unknown, seals: FleetSeals): Promise<Outcome<FleetOrder | null>> {
  const text = await seals.open(orderKind, value);
  if (!text.ok || text.value === null) return text as Outcome<null>;
  const order = fleetOrderSchema.safeParse(parsedJson(text.value));
  return done(order.success ? order.data : null);
}
