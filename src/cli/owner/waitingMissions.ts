import { openNodeViewer } from '../../adapters/nodeViewer';
import { knownWorkspaces } from '../../adapters/user/workspaces';
import { errorWords } from '../../base/errorWords';
import { shellWord } from '../../base/text/shellWord';
import { decisionStep } from '../../base/text/steps';
import type { MissionView } from '../../contracts/missionView';
import { snapshotOf } from './session';

interface Waiting {
  readonly missions: readonly WaitingMission[];
  /** Where it is not known whether a mission waits. */
  readonly unreadable: readonly UnreadablePlace[];
}

interface WaitingMission {
  readonly workspace: string;
  readonly mission_id: string;
  readonly reason: string;
  readonly next: readonly string[];
}

interface UnreadablePlace {
  readonly workspace: string;
  /** Absent: none of its missions can be read. */
  readonly mission_id?: string;
  readonly reason: string;
  readonly next: readonly string[];
}

/**
 * Missions of this user, in every workspace, that wait for a person.
 *
 * @param here the folder in which the person types
 */
export async function waitingMissions(here: string): Promise<Waiting> {
  const workspaces = await knownWorkspaces();
  const all = await Promise.all(
    workspaces.map((workspace) =>
      waitingIn(workspace, here).catch((error: unknown) => unreadableAt(workspace, here, errorWords(error))),
    ),
  );
  return {
    missions: all.flatMap(({ missions }) => missions),
    unreadable: all.flatMap(({ unreadable }) => unreadable),
  };
}

async function waitingIn(workspace: string, here: string): Promise<Waiting> {
  const viewer = await openNodeViewer({ workspaceDir: workspace, journal: { kind: 'in_process' } });
  if (!viewer.ok) return unreadableAt(workspace, here, viewer.refusal.reason);
  if (viewer.value === null) return { missions: [], unreadable: [] };
  try {
    const { missions, unreadable } = await snapshotOf(viewer.value, workspace);
    return {
      missions: missions.flatMap((mission) => {
        const next = stepsOf(mission).map((step) => typedHere(step, workspace, here));
        return next.length === 0 ? [] : [{ workspace, mission_id: mission.mission_id, reason: mission.headline, next }];
      }),
      unreadable: unreadable.map(({ mission_id, reason }) => ({
        ...{ workspace, mission_id, reason },
        next: [typedHere('mission doctor', workspace, here)],
      })),
    };
  } finally {
    await viewer.value.close();
  }
}

function unreadableAt(workspace: string, here: string, reason: string): Waiting {
  return { missions: [], unreadable: [{ workspace, reason, next: [typedHere('mission doctor', workspace, here)] }] };
}

/** A step for another folder than the one in which the person types names it. */
function typedHere(step: string, workspace: string, here: string): string {
  return step.startsWith('mission ') && workspace !== here ? `${step} --workspace ${shellWord(workspace)}` : step;
}

function stepsOf({ mission_id, attention, blocks, ending, next, offers }: MissionView): readonly string[] {
  // Nothing else runs in that folder before a person has seen the failure.
  if (ending !== null) return offers.Acknowledge ? [decisionStep('acknowledge', mission_id)] : [];
  const open = blocks.flatMap((block) => block.next);
  return [...new Set([...(attention?.next ?? []), ...open, ...(next ?? [])])];
}
