import { openNodeViewer } from '../../adapters/nodeViewer';
import { knownWorkspaces } from '../../adapters/user/workspaces';
import { quotedArguments } from '../../base/text/visible';
import type { MissionView } from '../../contracts/missionView';
import { snapshotOf } from './session';
import type { Invocation } from '../shell/command';

interface WaitingMission {
  readonly workspace: string;
  readonly mission_id: string;
  readonly reason: string;
  readonly next: readonly string[];
}

/** Missions of this user, in every workspace, of which nothing goes on before a person decides. */
export async function waitingMissions(call: Pick<Invocation, 'workspace'>): Promise<readonly WaitingMission[]> {
  const workspaces = await knownWorkspaces();
  const all = await Promise.allSettled(workspaces.map((workspace) => waitingIn(workspace, call.workspace)));
  return all.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/** @param here the folder in which the person types: steps for another one name it */
async function waitingIn(workspace: string, here: string): Promise<readonly WaitingMission[]> {
  const viewer = await openNodeViewer({ workspaceDir: workspace, journal: { kind: 'in_process' } });
  // Starts are allowed already, and `mission status` there says what is wrong with a folder.
  if (!viewer.ok || viewer.value === null) return [];
  try {
    const { missions } = await snapshotOf(viewer.value, workspace);
    return missions.flatMap((mission) => {
      const next = mission.ending === null ? stepsOf(mission) : [];
      if (next.length === 0) return [];
      const there = workspace === here ? '' : ` --workspace ${quotedArguments([workspace])}`;
      const steps = next.map((step) => (step.startsWith('mission ') ? `${step}${there}` : step));
      return [{ workspace, mission_id: mission.mission_id, reason: mission.headline, next: steps }];
    });
  } finally {
    await viewer.value.close();
  }
}

function stepsOf({ attention, blocks, next }: MissionView): readonly string[] {
  const open = blocks.flatMap((block) => block.next);
  return [...new Set([...(attention?.next ?? []), ...open, ...(next ?? [])])];
}
