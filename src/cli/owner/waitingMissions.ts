import { knownWorkspaces } from '../../adapters/user/workspaces';
import { errorWords } from '../../base/outcome';
import { shellWord } from '../../base/text/shellWord';
import { offeredSteps, stepLine } from '../../base/text/steps';
import { nextSteps, type MissionView } from '../../contracts/page/missionView';
import type { Step } from '../../contracts/vocabulary/steps';
import { looking, snapshotOf } from './session';

interface Waiting {
  readonly missions: readonly WaitingPlace[];
  /** Where it is not known whether a mission waits. */
  readonly unreadable: readonly WaitingPlace[];
}

interface WaitingPlace {
  readonly workspace: string;
  /** Absent: none of its missions can be read. */
  readonly mission_id?: string;
  readonly reason: string;
  readonly next: readonly string[];
}

/** Missions of this user, in every workspace, that wait for a person. `here`: the folder where the person types. */
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
  const view = await looking(workspace, (viewer) => snapshotOf(viewer, workspace));
  if (!view.ok) return unreadableAt(workspace, here, view.refusal.reason);
  const { missions, unreadable } = view.value;
  return {
    missions: missions.flatMap((mission) => {
      const next = [...new Set(stepsOf(mission).map((step) => lineHere(step, workspace, here)))];
      return next.length === 0 ? [] : [{ workspace, mission_id: mission.mission_id, reason: mission.headline, next }];
    }),
    unreadable: unreadable.map(({ mission_id, reason }) => ({
      ...{ workspace, mission_id, reason },
      next: [typedHere('mission doctor', workspace, here)],
    })),
  };
}

function unreadableAt(workspace: string, here: string, reason: string): Waiting {
  return { missions: [], unreadable: [{ workspace, reason, next: [typedHere('mission doctor', workspace, here)] }] };
}

function lineHere(step: Step, workspace: string, here: string): string {
  return step.command === 'mend' ? stepLine(step) : typedHere(stepLine(step), workspace, here);
}

/** A command for another folder than the one in which the person types names it. */
function typedHere(command: string, workspace: string, here: string): string {
  return workspace === here ? command : `${command} --workspace ${shellWord(workspace)}`;
}

function stepsOf(mission: MissionView): readonly Step[] {
  const { mission_id, ending, offers } = mission;
  if (ending === null) return nextSteps(mission);
  // Nothing else runs in that folder before a person has seen the failure.
  return offeredSteps(mission_id, offers, 'acknowledge');
}
