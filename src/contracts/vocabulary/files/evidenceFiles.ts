/** Folder of all executions, POSIX, relative to the workspace root. Source: seed 001 section 7. */
export const executionsDir = 'docs/ops/executions';

/** Files of one execution; task evidence is TASK_<task_id>.json. Earlier executions: archive/<mission_id>/. */
export const evidenceNames = {
  header: 'EXECUTION_HEADER.json',
  lockedPlan: 'PLAN.locked.json',
  summary: 'EXECUTION_SUMMARY.md',
  archive: 'archive',
} as const;

export function taskFile(taskId: string): string {
  return `TASK_${taskId}.json`;
}
export function milestoneFile(milestoneId: string): string {
  return `MILESTONE_${milestoneId}.json`;
}

/** The copy of the approved plan that a mission keeps with its state, POSIX, relative to the workspace root. */
export function keptPlanPath(missionId: string): string {
  return `.mission-control/missions/${missionId}/${evidenceNames.lockedPlan}`;
}

/** The rule by which git ignores a file: a line of `.gitignore`, of `.git/info/exclude` or of a person's own file. */
export interface IgnoredBy {
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
}

/** Lines for .gitattributes: without them git may change the line ends of hashed bytes. */
export const attributeLines = ['docs/plans/*.json -text', 'docs/ops/executions/** -text'] as const;

const keptFromGit = `Put the lines ${attributeLines.map((line) => `"${line}"`).join(' and ')} into .gitattributes, then bring the original bytes back.`;

/** Explains a digest that differs because of line ends or the byte-order mark alone; the digest still does not hold. */
export const lineEndsHint = `Only line ends or the byte-order mark differ: git or an editor may have converted them, and the content is the same. ${keptFromGit}`;

/** Returns whether a hint explains a digest by line ends or the byte-order mark alone. */
export function isLineEndsHint(hint: string): boolean {
  return hint === lineEndsHint || hint === unconfirmedHint(lineEndsHint);
}

/** Lines for .prettierignore: without them a formatter may rewrite hashed bytes. */
export const prettierIgnoreLines = ['docs/plans/*.json', 'docs/ops/executions/'] as const;

const keptFromFormatters = `Put the lines ${prettierIgnoreLines.map((line) => `"${line}"`).join(' and ')} into .prettierignore, and ${attributeLines.map((line) => `"${line}"`).join(' and ')} into .gitattributes. Other formatters have a list of their own. Then bring the original bytes back.`;

/** Explains a digest that differs because of the format alone, which the digest proves; it still does not hold. */
export const formatHint = `Only the format differs, such as blanks: a formatter or an editor may have written it. The recorded digest proves that the content is the same. ${keptFromFormatters}`;

/** The same of a header by its own seal. It proves less, because a writer who changes a header can renew its seal. */
export const sealFormatHint = `Only the format differs, such as blanks: a formatter or an editor may have written it. The seal of the header holds in our own format. ${keptFromFormatters}`;

/** Explains a digest by a pointer of Git LFS, which names the digest of the file that it stands for. */
export const pointerHint =
  'Only the pointer of Git LFS is here. It names the recorded digest, so the file itself was not changed.';

/** Explains a digest by a merge that stopped there. It proves nothing of either side. */
export const mergeHint = 'The conflict markers of a merge (<<<<<<<) stand in the file, so it has lines of both sides.';

const unconfirmed =
  'if the digest here is the original, which no journal confirms. A program that changes evidence can renew its digests and its seal. Compare the content with a copy that you trust.';

/** Says what a hint explains where no journal confirms the digest that it compares with. */
export function unconfirmedHint(hint: string): string {
  if (hint === pointerHint || hint === mergeHint) return hint;
  return hint === lineEndsHint
    ? `Only line ends or the byte-order mark differ, ${unconfirmed} ${keptFromGit}`
    : `Only the format differs, such as blanks, ${unconfirmed} ${keptFromFormatters}`;
}

/** `header_sha256` while the header's digest is computed. */
export const unsealed = '0000000000000000000000000000000000000000000000000000000000000000';
