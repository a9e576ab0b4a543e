/** Why a handoff bundle was written: the mission blocked or paused, or a person asked for it. */
export const handoffCauses = ['blocked', 'paused', 'asked'] as const;
export type HandoffCause = (typeof handoffCauses)[number];

/** Names in `handoff/<n>/`; evidence of a task that has started is TASK_<task_id>.json. */
export const handoffNames = {
  bundle: 'bundle.json',
  /** Digests of all files, the bundle included, as `sha256sum -c SHA256SUMS` reads them. */
  sums: 'SHA256SUMS',
  contracts: 'contracts.md',
  errorCodes: 'error-codes.md',
  role: 'role.md',
  lockedPlan: 'PLAN.locked.json',
  diff: 'changes.diff',
  /** The journal of the mission, one entry a line, as `mission journal export` prints it. */
  journal: 'journal.jsonl',
} as const;

/** Bytes before and after together; larger changes are listed with their digests and left out of the diff. */
export const maxDiffBytes = 8 * 1024 * 1024;
/** Bytes of one file of a handoff. */
export const maxHandoffFileBytes = 64 * 1024 * 1024;
/** The code of a mission that ended because its run was moved. */
export const movedCode = 'MOVED';

/** The role whose prompt goes with a bundle. */
export type HandoffRole = 'orchestrator';
