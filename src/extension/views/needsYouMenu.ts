import { limited } from '../../base/text/oneLine';
import { missionWord } from '../../base/text/words';
import { ui } from '../../base/text/marked/ui';
import type { MissionHere } from '../folder/missionsHere';
import { commands, type CommandName } from '../registry/registry';
import type { PickItem } from '../window/pick';
import { mattersOf, type Matter } from './attentionItems';
import { hasLiveWorker, isOpen, takesNamed } from './missionFacts';

/** An entry of the status bar's menu: a command, and what it is called on. */
export interface NeedsYouItem extends PickItem {
  readonly command: CommandName;
  /** Null: the command has no target. */
  readonly on: { readonly folder: string; readonly missionId: string; readonly taskId?: string } | null;
}

export interface NeedsYouGroup {
  readonly title: string;
  readonly items: readonly NeedsYouItem[];
}

/** Lists first what needs a person, then open missions with their controls, then the panel. */
export function needsYouMenu(missions: readonly MissionHere[]): readonly NeedsYouGroup[] {
  return [
    { title: 'needs you', items: mattersOf(missions).map(matterItem) },
    ...missions.filter(isOpen).map(missionGroup),
    { title: 'Mission Control', items: [itemOf('showMissionControl', null)] },
  ];
}

function matterItem({ mission, taskId, what, why, helps }: Matter<MissionHere>): NeedsYouItem {
  const { folder, mission_id: missionId, plan_id, workspace } = mission;
  const where = [...(taskId === null ? [] : [plan_id]), ...(workspace === null ? [] : [workspace])];
  return {
    label: taskId === null ? ui`${plan_id}: ${what}` : ui`${taskId}: ${what}`,
    description: [commands[helps].title, ...where].join(' · '),
    detail: limited(why, 300),
    command: helps,
    on: { folder, missionId, ...(taskId !== null && { taskId }) },
  };
}

function missionGroup(mission: MissionHere): NeedsYouGroup {
  const { folder, mission_id: missionId, plan_id, done, tasks, workspace } = mission;
  const name = workspace === null ? plan_id : `${plan_id} · ${workspace}`;
  const controls = ['pause', 'resume', 'showWorkerTerminal', 'stopWorker', 'cancelMission'] as const;
  return {
    title: `${name}, ${missionWord(mission)}, ${done} of ${tasks.length} done`,
    items: controls
      .filter((one) => (one === 'showWorkerTerminal' ? hasLiveWorker(mission) : takesNamed(one, mission)))
      .map((command) => ({ ...itemOf(command, { folder, missionId }), description: name })),
  };
}

function itemOf(command: CommandName, on: NeedsYouItem['on']): NeedsYouItem {
  return { label: commands[command].title, command, on };
}
