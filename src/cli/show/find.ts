import type { TaskCommandName } from '../../contracts/commands/missionCommand';
import { commandTable } from '../../contracts/vocabulary/commands';
import type { MissionControlView, MissionView } from '../../contracts/page/missionView';
import { decisionStep } from '../../base/text/steps';
import { done, refused, type Outcome } from '../../base/outcome';

/** A mission by its id, or the newest one of a plan id. */
export function findMission(view: MissionControlView, wanted: string): Outcome<MissionView> {
  const mission =
    view.missions.find(({ mission_id }) => mission_id === wanted) ??
    view.missions.find(({ plan_id }) => plan_id === wanted);
  if (mission) return done(mission);
  const unreadable = view.unreadable.find(({ mission_id }) => mission_id === wanted);
  if (unreadable) {
    const reason = `Mission ${wanted} cannot be read: ${unreadable.reason}`;
    return refused('STATE_STORE_CORRUPT', reason, `mission journal verify ${wanted}`);
  }
  return unknownMission(wanted);
}

export function unknownMission(wanted: string): ReturnType<typeof refused> {
  return refused('MISSION_UNKNOWN', `The journal of this folder knows no mission ${wanted}.`, 'mission list');
}

/** The same for a command that reads files of the mission: they may be on a host of a fleet. */
export function findMissionHere(view: MissionControlView, wanted: string): Outcome<MissionView> {
  const found = findMission(view, wanted);
  return found.ok ? filesHere(found.value) : found;
}

/** Refuses a mission whose files are on a host of a fleet, or whose journal is foreign. */
export function filesHere(mission: MissionView): Outcome<MissionView> {
  if (mission.foreign) return refused('MISSION_UNKNOWN', mission.headline, 'mission list');
  return mission.runs_on === undefined
    ? done(mission)
    : refused(
        'FLEET_DECISION_REFUSED',
        `This command needs the files of the mission. ${mission.runs_on}`,
        'Type the command in that folder.',
      );
}

export interface FoundTask {
  readonly mission: MissionView;
  readonly task_id: string;
}

/** The task that the line of a command names; its help lists the forms. */
export function findTask(
  view: MissionControlView,
  positionals: readonly string[],
  named: { readonly mission: string | null; readonly task: string | null },
  command: TaskCommandName,
): Outcome<FoundTask> {
  const { line: verb } = commandTable[command];
  const [first, second] = positionals;
  const missionName = named.mission ?? (second !== undefined || named.task !== null ? (first ?? null) : null);
  const taskName = named.task ?? second ?? (missionName !== first ? (first ?? null) : null);
  if (missionName !== null) {
    const mission = findMission(view, missionName);
    if (!mission.ok) return mission;
    return taskName === null ? onlyTask(mission.value, command) : done({ mission: mission.value, task_id: taskName });
  }
  const only = first ?? '';
  const asMission = view.missions.find(({ mission_id }) => mission_id === only);
  if (asMission) return onlyTask(asMission, command);
  const open = view.missions.filter(
    (mission) => mission.ending === null && mission.tasks.some(({ task_id }) => task_id === only),
  );
  const [mission] = open;
  if (mission && open.length === 1) return done({ mission, task_id: only });
  if (open.length > 1) {
    const reason = `${open.length} open missions have a task ${only}.`;
    return refused('TASK_UNKNOWN', reason, ...open.map(({ mission_id }) => decisionStep(verb, mission_id, only)));
  }
  const ofPlan = view.missions.find(({ plan_id }) => plan_id === only);
  if (ofPlan) return onlyTask(ofPlan, command);
  return refused('TASK_UNKNOWN', `No open mission has a task ${only}.`, 'mission list');
}

function onlyTask(mission: MissionView, command: TaskCommandName): Outcome<FoundTask> {
  const { line: verb } = commandTable[command];
  const offered = mission.offers[command];
  // The owner's refusal says why the only blocked task does not take the command.
  const tasks = offered.length > 0 ? offered : mission.blocks.map((block) => block.task_id);
  const [task_id] = tasks;
  if (task_id !== undefined && tasks.length === 1) return done({ mission, task_id });
  if (task_id === undefined) {
    const reason = `No task of ${mission.mission_id} is one that mission ${verb} is for.`;
    return refused('TASK_UNKNOWN', reason, `mission status ${mission.mission_id}`);
  }
  const reason = `Say which task of ${mission.mission_id} is meant.`;
  return refused('TASK_UNKNOWN', reason, ...tasks.map((task) => decisionStep(verb, mission.mission_id, task)));
}
