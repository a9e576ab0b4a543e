import type { LedgerStatus, TaskEvidenceStatus } from '../../../contracts/vocabulary/execution';
import type { TaskRow } from '../../model/state';

const ofStatus: Readonly<Record<LedgerStatus, TaskEvidenceStatus | null>> = {
  ...{ todo: null, in_progress: null, blocked: null },
  ...{ done: 'SUCCESS', failed: 'FAILED', canceled: 'SKIPPED' },
};

/** Null while the task is open. */
export function evidenceStatus({ status }: Pick<TaskRow, 'status'>): TaskEvidenceStatus | null {
  return ofStatus[status];
}
