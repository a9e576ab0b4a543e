import type { TaskEvidenceStatus } from '../../../contracts/vocabulary/execution';
import type { TaskRow } from '../../model/state';

/** Null while the task is open. */
export function evidenceStatus({ status }: Pick<TaskRow, 'status'>): TaskEvidenceStatus | null {
  switch (status) {
    case 'done':
      return 'SUCCESS';
    case 'failed':
      return 'FAILED';
    case 'canceled':
      return 'SKIPPED';
    case 'todo':
    case 'in_progress':
    case 'blocked':
      return null;
  }
}
