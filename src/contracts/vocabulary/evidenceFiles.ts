/** Folder of all executions, POSIX, relative to the workspace root. Source: seed 001 section 7. */
export const executionsDir = 'docs/ops/executions';

/** Files of one execution; task evidence is TASK_<task_id>.json. Earlier executions: archive/<mission_id>/. */
export const evidenceNames = {
  header: 'EXECUTION_HEADER.json',
  lockedPlan: 'PLAN.locked.json',
  summary: 'EXECUTION_SUMMARY.md',
  archive: 'archive',
} as const;

/** Lines for .gitattributes: without them git may change the line ends of hashed bytes. */
export const attributeLines = ['docs/plans/*.json -text', 'docs/ops/executions/** -text'] as const;

/** Explains a digest that differs because of line ends or the byte-order mark alone; the digest still does not hold. */
export const lineEndsHint = `Only line ends or the byte-order mark differ: git or an editor converted them, nobody tampered with the content. Put the lines ${attributeLines.map((line) => `"${line}"`).join(' and ')} into .gitattributes, then bring the original bytes back.`;

/** `header_sha256` while the header's digest is computed. */
export const unsealed = '0000000000000000000000000000000000000000000000000000000000000000';
