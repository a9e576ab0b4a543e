import { loadSqlite } from '../../adapters/journal/sqlite';
import { openNodeViewer } from '../../adapters/nodeViewer';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import { fileStep } from '../../base/text/steps';
import type { Finding } from '../../core/documents/finding';
import { approvedOtherBytes } from '../../engine/plans/approvals';
import type { PlanCheck } from '../../engine/plans/check';
import { workspaceOf } from '../../engine/plans/disk';

/**
 * Warns of a valid plan that a mission refuses, because a person approved other bytes of it in its workspace. Empty also
 * where no journal can be read, as in a clone: a start asks again.
 */
export async function approvedOtherwise(
  { plan, plan_sha256, text }: PlanCheck,
  path: string,
): Promise<readonly Finding[]> {
  const workspace = workspaceOf(path);
  if (plan === null || plan_sha256 === null || workspace === null || !loadSqlite().ok) return [];
  const viewer = await openNodeViewer({ workspaceDir: workspace, journal: { kind: 'in_process' } });
  if (!viewer.ok || viewer.value === null) return [];
  try {
    const plan_path = (await readMissionPaths(workspace)).relative(path) ?? path;
    const asked = { plan_id: plan.plan_id, plan_path, plan_sha256, other_forms: text.other_forms ?? [] };
    const why = await approvedOtherBytes(viewer.value.records, asked);
    if (why === null) return [];
    const message = `${why} A mission refuses these bytes: approve them (${fileStep('plan approve', plan_path, '--by NAME')}), or put the approved bytes back.`;
    return text.locate([{ code: 'APPROVED_OTHERWISE', severity: 'warning', pointer: '/approval', message }]);
  } finally {
    await viewer.value.close();
  }
}
