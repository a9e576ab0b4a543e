import type { Finding } from '../documents/finding';
import { objectsAt, quoted, textAt, valueAt } from '../../base/json';
import { judgeActiveLocks, surroundingsOf } from '../locks/validateLocks';
import { judgeTime } from '../ledger/reconcile';
import { judgeAssignment, type AssignmentContext } from './assignment';
import { judgeDocument, type ShapedDocument } from '../documents/verdict';
import { judgeSecrets } from '../documents/secrets';

/** Judges the answer of an orchestrator beyond its shape. Source: seed 003. */
export function orchestratorOutputFindings(
  document: ShapedDocument,
  context: AssignmentContext = {},
): readonly Finding[] {
  return judgeDocument(document, (output, report) => {
    if (context.run_id !== undefined && textAt(output, 'run_id') !== context.run_id)
      report('LEDGER_INCONSISTENT', '/run_id', `This output belongs to another run than ${context.run_id}.`);
    judgeActiveLocks({ document: output, base: '' }, context.surroundings ?? surroundingsOf(output), report);
    const blocked = new Set(objectsAt(output, 'blockers').map(([blocker]) => textAt(blocker, 'task_id')));
    for (const [delta, index] of objectsAt(output, 'ledger_delta')) {
      const base = `/ledger_delta/${index}`;
      judgeTime(delta, 'last_heartbeat_at', base, report);
      const status = textAt(delta, 'status');
      if (status === 'blocked' && !blocked.has(textAt(delta, 'task_id'))) {
        const message = 'A task that becomes blocked stands in blockers with its code.';
        report('LEDGER_INCONSISTENT', `${base}/status`, message);
      }
      if (valueAt(delta, 'timed_out') === true && status !== 'blocked')
        report('INVALID_TRANSITION', `${base}/status`, 'A task that timed out is blocked.');
    }
    const assigned = new Set<string>();
    for (const [packet, index] of objectsAt(output, 'assignments')) {
      const base = `/assignments/${index}`;
      const run = textAt(output, 'run_id');
      judgeAssignment(packet, base, { ...(run === null ? {} : { run_id: run }), ...context }, report);
      const task = textAt(valueAt(packet, 'task'), 'task_id');
      if (task === null) continue;
      if (assigned.has(task))
        report('LEDGER_INCONSISTENT', `${base}/task/task_id`, `Task ${quoted(task)} is assigned twice.`);
      assigned.add(task);
    }
    for (const key of ['ledger_delta', 'blockers', 'next_actions']) judgeSecrets(output[key], `/${key}`, report);
  });
}
