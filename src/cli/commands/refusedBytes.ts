import { loadSqlite } from '../../adapters/journal/sqlite';
import { openNodeViewer, type NodeViewer } from '../../adapters/nodeViewer';
import { readMissionPaths } from '../../adapters/state/missionPaths';
import { fileStep } from '../../base/text/steps';
import { missionWord } from '../../base/text/words';
import { lineEndsHint } from '../../contracts/vocabulary/evidenceFiles';
import type { Finding } from '../../core/documents/finding';
import { lockedOtherwise } from '../../engine/mission/lockedOtherwise';
import { approvedOtherBytes } from '../../engine/plans/approvals';
import type { PlanCheck } from '../../engine/plans/check';
import { workspaceOf } from '../../engine/plans/disk';
import { MissionReader } from '../../engine/views/reader';
import { snapshotOf } from '../owner/session';

/**
 * Warns of a valid plan that no mission of its workspace runs. Either a mission locked other bytes under its id, or a
 * person approved other bytes of it. Empty also where no journal can be read, as in a clone: a start asks again.
 */
export async function refusedBytes(check: PlanCheck, path: string): Promise<readonly Finding[]> {
  const { plan, plan_sha256, text } = check;
  const workspace = workspaceOf(path);
  if (plan === null || plan_sha256 === null || workspace === null || !loadSqlite().ok) return [];
  const viewer = await openNodeViewer({ workspaceDir: workspace, journal: { kind: 'in_process' } });
  if (!viewer.ok || viewer.value === null) return [];
  try {
    const asked = { plan_id: plan.plan_id, plan_sha256, other_forms: text.other_forms ?? [] };
    // An approval helps none of these bytes while a mission holds their id.
    const found =
      (await lockedBytes(asked, viewer.value, workspace)) ??
      (await approvedBytes(asked, viewer.value, workspace, path));
    return found === null ? [] : text.locate([found]);
  } finally {
    await viewer.value.close();
  }
}

interface Asked {
  readonly plan_id: string;
  readonly plan_sha256: string;
  /** Digests of the plan with other line ends or byte-order mark. */
  readonly other_forms: readonly string[];
}

async function lockedBytes(asked: Asked, viewer: NodeViewer, workspace: string): Promise<Finding | null> {
  const { missions } = await new MissionReader(viewer.journal).read();
  const locked = lockedOtherwise(
    asked,
    missions.map(({ mission }) => mission),
  );
  if (locked === null) return null;
  const { mission_id, plan_sha256, revise } = locked;
  const view = (await snapshotOf(viewer, workspace)).missions.find((one) => one.mission_id === mission_id);
  const state = view ? missionWord(view) : 'unknown';
  const why = `Mission ${mission_id} (${state}) locked other bytes of plan ${asked.plan_id}, so no mission runs these`;
  const converted = asked.other_forms.includes(plan_sha256);
  const message = !converted
    ? `${why}: change the plan by a revision (${revise}), or put the locked bytes back.`
    : `${why}. ${lineEndsHint}`;
  return { code: 'LOCKED_OTHERWISE', severity: 'warning', pointer: '/plan_id', message };
}

async function approvedBytes(
  asked: Asked,
  { records }: NodeViewer,
  workspace: string,
  path: string,
): Promise<Finding | null> {
  const plan_path = (await readMissionPaths(workspace)).relative(path) ?? path;
  const why = await approvedOtherBytes(records, { ...asked, plan_path });
  if (why === null) return null;
  const message = `${why} A mission refuses these bytes: approve them (${fileStep('plan approve', plan_path, '--by NAME')}), or put the approved bytes back.`;
  return { code: 'APPROVED_OTHERWISE', severity: 'warning', pointer: '/approval', message };
}
