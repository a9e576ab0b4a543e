import type { ExecutionState } from '../../contracts/vocabulary/execution';

/** Legal edges of the envelope S2-B-06.v1; only EVIDENCED leads to COMPLETED and FAILED. Source: seed 001 section 5. */
const nextStates: { readonly [S in ExecutionState]: readonly ExecutionState[] } = {
  RECEIVED: ['VALIDATED'],
  VALIDATED: ['LOCKED'],
  LOCKED: ['EXECUTING'],
  EXECUTING: ['EVIDENCED'],
  EVIDENCED: ['COMPLETED', 'FAILED'],
  COMPLETED: ['REPORTED'],
  FAILED: ['REPORTED'],
  REPORTED: [],
};

export function isLegalEdge(from: ExecutionState, to: ExecutionState): boolean {
  return nextStates[from].includes(to);
}

export function isOver(state: string | null): boolean {
  return state === 'COMPLETED' || state === 'FAILED' || state === 'REPORTED';
}

/** @throws for an illegal edge, which is a broken invariant and no refusal: the engine halts */
export function assertLegalEdge(from: ExecutionState, to: ExecutionState): void {
  if (!isLegalEdge(from, to)) throw new Error(`Broken invariant: the execution envelope has no edge ${from} -> ${to}.`);
}
