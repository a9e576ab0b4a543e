import type { LedgerStatus } from '../../contracts/vocabulary/execution';

/** The transition matrix of seed 003. No transition leaves a terminal state. */
const nextStatuses: { readonly [S in LedgerStatus]: readonly LedgerStatus[] } = {
  todo: ['in_progress', 'blocked', 'failed', 'canceled'],
  in_progress: ['blocked', 'done', 'failed', 'canceled'],
  blocked: ['todo', 'in_progress', 'failed', 'canceled'],
  done: [],
  failed: [],
  canceled: [],
};

export function isLegalTransition(from: LedgerStatus, to: LedgerStatus): boolean {
  return nextStatuses[from].includes(to);
}

export function assertLegalTransition(taskId: string, from: LedgerStatus, to: LedgerStatus): void {
  if (!isLegalTransition(from, to))
    throw new Error(`Broken invariant: task ${taskId} cannot go from ${from} to ${to}.`);
}

/** The one exception: a validation is planned again when its acceptance has lost its content. */
export function reopens(
  { validator }: { readonly validator?: unknown },
  { from, to }: { readonly from: LedgerStatus; readonly to: LedgerStatus },
): boolean {
  return validator !== undefined && from === 'done' && to === 'todo';
}

export function isOpen(status: LedgerStatus): boolean {
  return nextStatuses[status].length > 0;
}
