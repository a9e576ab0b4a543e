import type { LedgerStatus } from '../../contracts/vocabulary/execution';
import { conflictsAmong } from '../locks/conflicts';
import type { LockSurroundings } from '../locks/lockPath';
import { judgeActiveLocks, judgeRequest, judgeScope, surroundingsOf } from '../locks/validateLocks';
import type { Finding, AddFinding } from '../documents/finding';
import { judgeInterval, judgeTime } from '../ledger/reconcile';
import { objectAt, quoted, textAt, textsAt, type JsonObject, objectsAt, valueAt } from '../../base/json';
import { judgeDocument, verdictOf, type ShapedDocument, type Verdict } from '../documents/verdict';
import { judgeSecrets } from '../documents/secrets';

export interface AssignmentContext {
  readonly run_id?: string;
  /** Status of every task of the ledger; without it, dependencies are not judged. */
  readonly statuses?: Readonly<Record<string, LedgerStatus>>;
  readonly surroundings?: LockSurroundings;
}

/** Before every dispatch: whether a worker may get this packet. Source: seed 003. */
export function validateAssignment(document: ShapedDocument, context: AssignmentContext = {}): Verdict {
  return verdictOf(document.value, assignmentFindings(document, context));
}

export function assignmentFindings(document: ShapedDocument, context: AssignmentContext = {}): readonly Finding[] {
  return judgeDocument(document, (packet, report) => judgeAssignment(packet, '', context, report));
}

/** The rules beyond the shape. @param base pointer of the packet in a larger document */
function judgeAssignment(packet: JsonObject, base: string, context: AssignmentContext, report: AddFinding): void {
  if (context.run_id !== undefined && textAt(packet, 'run_id') !== context.run_id)
    report('LEDGER_INCONSISTENT', `${base}/run_id`, `This packet belongs to another run than ${context.run_id}.`);
  const surroundings = context.surroundings ?? surroundingsOf(packet);
  const active = judgeActiveLocks({ document: packet, base }, surroundings, report);
  const task = objectAt(packet, 'task');
  if (task !== null) {
    const assigned = { owner: task, base: `${base}/task`, taskId: textAt(task, 'task_id') ?? '' };
    const scope = judgeScope({ ...assigned, key: 'lock_scope' }, surroundings, report);
    judgeRequest(scope, active, `${base}/task/lock_scope`, report);
    judgeForbidden(assigned, surroundings, report);
    judgeTask(assigned, context, report);
  }
  for (const key of ['global_objective', 'context_package']) judgeSecrets(packet[key], `${base}/${key}`, report);
  if (task !== null) {
    for (const key of ['title', 'acceptance_criteria']) judgeSecrets(task[key], `${base}/task/${key}`, report);
  }
}

interface AssignedTask {
  readonly owner: JsonObject;
  readonly base: string;
  readonly taskId: string;
}

function judgeForbidden(assigned: AssignedTask, surroundings: LockSurroundings, report: AddFinding): void {
  const { base } = assigned;
  // Overlaps within one of the two lists are not reported here.
  const silent: AddFinding = () => undefined;
  const scope = judgeScope({ ...assigned, key: 'lock_scope' }, surroundings, silent);
  const forbidden = judgeScope({ ...assigned, key: 'forbidden_scope' }, surroundings, (code, ...rest) => {
    if (code !== 'LOCK_CONFLICT') report(code, ...rest);
  });
  const count = scope.length === 0 ? 0 : Math.max(...scope.map(({ index }) => index)) + 1;
  const all = [...scope, ...forbidden.map((path) => ({ ...path, index: count + path.index, task_id: '' }))];
  const reported = new Set<number>();
  for (const { first, second } of conflictsAmong(all)) {
    if (first.task_id === second.task_id || reported.has(second.index)) continue;
    reported.add(second.index);
    const message = `${quoted(second.path)} is forbidden and overlaps ${quoted(first.path)} of the lock scope; separate them.`;
    report('SCOPE_VIOLATION', `${base}/forbidden_scope/${second.index - count}`, message);
  }
}

function judgeTask({ owner: task, base, taskId }: AssignedTask, context: AssignmentContext, report: AddFinding): void {
  judgeInterval(task, base, report);
  for (const [on, index] of textsAt(task, 'dependencies')) {
    const pointer = `${base}/dependencies/${index}`;
    if (on === taskId) {
      report('DEPENDENCY_NOT_MET', pointer, `Task ${quoted(on)} depends on itself and can never start.`);
    } else if (context.statuses !== undefined) {
      const status = Object.hasOwn(context.statuses, on) ? context.statuses[on] : undefined;
      if (status !== 'done')
        report('DEPENDENCY_NOT_MET', pointer, `Task ${quoted(on)} is ${status ?? 'in no row'}, not done.`);
    }
  }
}

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
