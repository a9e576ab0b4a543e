import type { IgnoredBy } from '../../contracts/vocabulary/files/evidenceFiles';

/**
 * Says that no commit keeps the evidence of a plan, and which rule is the reason.
 *
 * @param dir the folder of the evidence, relative to the workspace
 */
export function ignoredReason(dir: string, { file, line, pattern }: IgnoredBy): string {
  return `Git does not keep the evidence in ${dir}, because line ${line} of ${file} (${pattern}) ignores it.`;
}

/** @param dir the folder of the evidence, relative to the workspace */
export function ignoredStep(dir: string): string {
  return `Take that line out, or add the evidence with git add --force ${dir} once the mission has ended.`;
}
