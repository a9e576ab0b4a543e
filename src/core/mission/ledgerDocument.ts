import { codeForContract } from '../lifecycle/failureCode';
import type { JsonObject } from '../../base/json';
import { collectFindings, type AddFinding } from '../documents/addFinding';
import { verdictOf, type Verdict } from '../documents/verdict';
import { isOpen } from '../ledger/transitions';
import { reconcile } from '../ledger/reconcile';
import { minimalScope } from '../locks/conflicts';
import { lockSurroundings, type LockSurroundings } from '../locks/lockPath';
import { laneOf } from '../model/lanes';
import type { Mission, TaskRow } from '../model/state';

/** Who owns a row in progress: the driver of this mission. */
const owner = 'mission-control';

/**
 * Rows, locks and blockers of a mission as the contract's documents say them, for reconciliation. Dependencies stand at
 * started rows only: that a task waits for what can never be done is no contradiction but a block of its own.
 */
function ledgerDocument(mission: Mission, surroundings: LockSurroundings = surroundingsOf(mission)): JsonObject {
  return {
    run_id: mission.run_id,
    ledger: mission.rows.map((row) => ({
      task_id: row.task.task_id,
      title: row.task.description,
      status: row.status,
      owner: row.status === 'in_progress' ? owner : '',
      lock_scope: minimalScope(row.task.paths, surroundings),
      dependencies: row.status === 'in_progress' || row.status === 'done' ? row.task.depends_on : [],
      timeout_seconds: row.task.timeout_seconds,
      heartbeat_interval_seconds: row.task.heartbeat_interval_seconds,
      priority: row.task.priority,
      version: row.version,
    })),
    active_locks: mission.rows.filter(holds).flatMap((row) =>
      minimalScope(row.task.paths, surroundings).map((resource) => ({
        task_id: row.task.task_id,
        resource,
        active: true,
      })),
    ),
    open_blockers: mission.rows
      .filter(({ status }) => status === 'blocked')
      .map((row) => ({ task_id: row.task.task_id, code: codeForContract(row.code), reason: row.reason })),
  };
}

/** Lock overlap and reconciliation of what the journal says, before anything is dispatched. Source: facts B9, B10. */
export function judgeLedger(mission: Mission): Verdict {
  const surroundings = surroundingsOf(mission);
  const document = ledgerDocument(mission, surroundings);
  const { report, list } = collectFindings();
  reconcile(document, { surroundings }, report);
  judgeAttempt(mission, report);
  return verdictOf(document, list);
}

/** What this mission knows of the file system, for judging its locks. */
export function surroundingsOf({ file_system }: Mission): LockSurroundings {
  return lockSurroundings(file_system.comparison, file_system.links);
}

/** A row is in progress exactly while its attempt is live. */
function judgeAttempt(mission: Mission, report: AddFinding): void {
  mission.rows.forEach(({ task, status }, index) => {
    const live = laneOf(mission, task.task_id) !== undefined;
    if (live === (status === 'in_progress')) return;
    const words = live ? `has a live attempt and is ${status}` : 'is in progress without a live attempt';
    report('LEDGER_INCONSISTENT', `/ledger/${index}/status`, `Task "${task.task_id}" ${words}.`);
  });
}

/** What keeps the lock of an ended task held are processes that are not proven gone: no contradiction. */
function holds(row: TaskRow): boolean {
  return row.lock === 'held' && (isOpen(row.status) || !row.unproven);
}
