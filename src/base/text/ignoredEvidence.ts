import { executionsDir, type IgnoredBy } from '../../contracts/vocabulary/evidenceFiles';

/** Says that no commit keeps the evidence of a plan, and which rule is the reason. */
export function ignoredReason(planId: string, { file, line, pattern }: IgnoredBy): string {
  return `Git does not keep the evidence in ${executionsDir}/${planId}, because line ${line} of ${file} (${pattern}) ignores it.`;
}

export function ignoredStep(planId: string): string {
  return `Take that line out, or add the evidence with git add --force ${executionsDir}/${planId} once the mission has ended.`;
}
