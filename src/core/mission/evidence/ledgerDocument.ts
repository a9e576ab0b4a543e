import { contractCode, verdictOf, type Verdict } from '../../documents/verdict';
import type { JsonObject } from '../../../base/json';
import { collectFindings, type AddFinding } from '../../documents/finding';
import { isOpen } from '../../ledger/transitions';
import { waitsInLayer } from '../../confinement/boundary';
import { reconcile } from '../../ledger/reconcile';
import { minimalScope } from '../../locks/conflicts';
import { lockSurroundings, type LockSurroundings } from '../../locks/lockPath';
import { laneOf } from '../../model/lanes';
import type { TaskRow, Tasks } from '../../model/state';
import type { LedgerStatus, TaskEvidenceStatus } from '../../../contracts/vocabulary/execution';

/** The owner of every row in progress. */
const owner = 'mission-control';

/**
 * Rows, locks and blockers of a mission as a document of the contract, for reconciliation. Only started rows have
 * their dependencies: a task that waits for one that will never be done is no contradiction, but blocked for that.
 */
function ledgerDocument(mission: Tasks, surroundings: LockSurroundings = surroundingsOf(mission)): JsonObject {
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
        ...(waitsInLayer(mission, row, false) && { x_layered: true }),
      })),
    ),
    open_blockers: mission.rows
      .filter(({ status }) => status === 'blocked')
      .map((row) => ({ task_id: row.task.task_id, code: row.code && contractCode(row.code), reason: row.reason })),
  };
}

/** Judges lock overlap and consistency of the ledger, before anything is dispatched. Source: seed 003. */
export function judgeLedger(mission: Tasks): Verdict {
  const surroundings = surroundingsOf(mission);
  const document = ledgerDocument(mission, surroundings);
  const { report, list } = collectFindings();
  reconcile(document, report, surroundings);
  judgeAttempt(mission, report);
  return verdictOf(document, list);
}

/** The file system's facts for judging the locks of this mission. */
export function surroundingsOf({ file_system }: Tasks): LockSurroundings {
  return lockSurroundings(file_system.comparison, file_system.links);
}

/** Reports rows in progress without a live attempt, and the reverse. */
function judgeAttempt(mission: Tasks, report: AddFinding): void {
  mission.rows.forEach(({ task, status }, index) => {
    const live = laneOf(mission, task.task_id) !== undefined;
    if (live === (status === 'in_progress')) return;
    const fault = live ? `has a live attempt and is ${status}` : 'is in progress without a live attempt';
    report('LEDGER_INCONSISTENT', `/ledger/${index}/status`, `Task "${task.task_id}" ${fault}.`);
  });
}

/**
 * Returns whether the ledger shows the row's lock. It leaves out the lock of an ended task whose processes are not
 * proven gone, because that is no contradiction.
 */
function holds(row: TaskRow): boolean {
  return row.lock === 'held' && (isOpen(row.status) || !row.unproven);
}

const ofStatus: Readonly<Record<LedgerStatus, TaskEvidenceStatus | null>> = {
  ...{ todo: null, in_progress: null, blocked: null },
  ...{ done: 'SUCCESS', failed: 'FAILED', canceled: 'SKIPPED' },
};

/** Null while the task is open. */
export function evidenceStatus({ status }: Pick<TaskRow, 'status'>): TaskEvidenceStatus | null {
  return ofStatus[status];
}
