import { evidenceNames, executionsDir, milestoneFile, taskFile } from '../../contracts/vocabulary/files/evidenceFiles';

// Paths of evidence: POSIX, relative to the workspace root.

export function evidenceDir(planId: string): string {
  return `${executionsDir}/${planId}`;
}
export function headerPath(planId: string): string {
  return `${evidenceDir(planId)}/${evidenceNames.header}`;
}
export function archivedHeaderPath(planId: string, missionId: string): string {
  return `${evidenceDir(planId)}/${evidenceNames.archive}/${missionId}/${evidenceNames.header}`;
}
export function lockedPlanPath(planId: string): string {
  return `${evidenceDir(planId)}/${evidenceNames.lockedPlan}`;
}
export function summaryPath(planId: string): string {
  return `${evidenceDir(planId)}/${evidenceNames.summary}`;
}
export function taskEvidencePath(planId: string, taskId: string): string {
  return `${evidenceDir(planId)}/${taskFile(taskId)}`;
}
export function milestonePath(planId: string, milestoneId: string): string {
  return `${evidenceDir(planId)}/${milestoneFile(milestoneId)}`;
}

/** `2026-01-02T03:04:05.678Z` -> `2026-01-02T03:04:05Z`: the original fields have whole seconds. */
export function utcSeconds(isoUtc: string): string {
  return `${isoUtc.slice(0, 19)}Z`;
}
