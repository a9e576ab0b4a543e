import type { LedgerRow } from '../../contracts/ledger';
import { priorities } from '../../contracts/vocabulary/intents';
import { validateAssignment } from '../../core/freshContext/assignment';
import { assignmentOf } from '../../core/handoff/bundle';
import { isOpen } from '../../core/ledger/transitions';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import type { HandoffChecks } from './checks';
import { exportAgain, type HandoffRefusal, type ReadHandoff } from './reading';
import type { EnginePorts } from '../ports/engine';

/** Judges the assignment packets of all open tasks; names as next the one that would be dispatched first. */
export function judgeAssignments(
  { bundle, given }: ReadHandoff,
  plan: ApprovedPlan,
  ports: EnginePorts,
  checks: HandoffChecks,
): HandoffRefusal | null {
  const statuses = Object.fromEntries(bundle.ledger.map(({ task_id, status }) => [task_id, status]));
  const open = bundle.ledger.filter(({ status }) => isOpen(status));
  const ready = open
    .filter((row) => (row.dependencies ?? []).every((on) => statuses[on] === 'done'))
    .sort((left, right) => rank(right) - rank(left));
  for (const row of open) {
    const task = plan.tasks.find(({ task_id }) => task_id === row.task_id);
    const value = assignmentOf(bundle, row, task?.forbidden_paths ?? []);
    const context = { run_id: bundle.run_id, ...(ready.includes(row) ? { statuses } : {}) };
    const verdict = validateAssignment({ value, shape: ports.handoffs.checkShape('assignment', value) }, context);
    if (verdict.allow || verdict.code === 'OK') continue;
    const reason = `The assignment of ${row.task_id} is not valid: ${verdict.reason}`;
    checks.fail('session_reset', 2, verdict.code, reason);
    checks.fail('minimal_start', 4, verdict.code, reason);
    return { code: verdict.code, reason, next: [exportAgain(given.mission_id)] };
  }
  const [next] = ready;
  checks.pass('session_reset', 2, `${open.length} packet(s) valid`);
  checks.pass('minimal_start', 4, next ? `next is ${next.task_id} (${next.status})` : 'no task is left to dispatch');
  return null;
}

/** The rank of a priority; a stable sort keeps the order of the plan within it. */
function rank({ priority }: LedgerRow): number {
  return priorities.indexOf(priority);
}
