import { openNodeViewer } from '../../adapters/nodeViewer';
import { hasApproval } from '../../engine/plans/approvals';

/** Returns whether the journal of this workspace holds an approval of these bytes; false without a readable journal. */
export async function isRecorded(workspaceDir: string, planSha256: string): Promise<boolean> {
  const viewer = await openNodeViewer({ workspaceDir, journal: { kind: 'in_process' } });
  if (!viewer.ok || !viewer.value) return false;
  try {
    return await hasApproval(viewer.value.records, planSha256);
  } finally {
    await viewer.value.close();
  }
}
