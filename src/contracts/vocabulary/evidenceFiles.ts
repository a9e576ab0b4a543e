/** Folder of all executions, POSIX, relative to the workspace root. Source: seed 001 section 7. */
export const executionsDir = 'docs/ops/executions';

/** Files of one execution; task evidence is TASK_<task_id>.json. Earlier executions: archive/<mission_id>/. */
export const evidenceNames = {
  header: 'EXECUTION_HEADER.json',
  lockedPlan: 'PLAN.locked.json',
  summary: 'EXECUTION_SUMMARY.md',
  archive: 'archive',
} as const;

/** What stands in the header's `header_sha256` until it is written: the writer puts the digest of those bytes there. */
export const unsealed = '0000000000000000000000000000000000000000000000000000000000000000';
