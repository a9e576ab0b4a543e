import { menuSections, offeredWords } from '../../contracts/page/menuKeys';
import { limited } from '../../base/text/oneLine';
import { ui } from '../../base/text/marked/ui';
import type { MissionHere } from '../folder/missionFolders';
import { mattersOf, type Matter } from '../views/attentionItems';
import { noRows, rowIcons, type Row } from './row';

/** One row for each matter that needs a person; a click opens the command that helps. */
export function needsYouRows(missions: readonly MissionHere[]): readonly Row[] {
  return mattersOf(missions).map(matterRow);
}

export function needsYouText(missions: readonly MissionHere[]): ReturnType<typeof ui> {
  const matters = mattersOf(missions);
  const count = new Set(matters.map(({ mission }) => mission)).size;
  return ui`${matters.length} ${matters.length === 1 ? 'matter needs' : 'matters need'} you, in ${count} ${count === 1 ? 'mission' : 'missions'}`;
}

function matterRow({ mission, key, taskId, what, why, helps }: Matter<MissionHere>): Row {
  const { mission_id, plan_id, folder, workspace } = mission;
  const facts = [what, ...(taskId === null ? [] : [plan_id]), ...(workspace === null ? [] : [workspace])];
  const section = taskId === null ? menuSections.mission : menuSections.task;
  return {
    id: `matter ${folder} ${mission_id} ${key}`,
    label: ui`${taskId ?? plan_id}`,
    description: ui.join(facts, ' · '),
    tooltip: [
      taskId === null ? ui`Mission ${plan_id}: ${what}` : ui`Task ${taskId} of mission ${plan_id}: ${what}`,
      ui`${limited(why, 600)}`,
      ...(workspace === null ? [] : [ui`In ${workspace}`]),
    ],
    icon: icons[helps] ?? rowIcons.needsYou,
    folded: 'leaf',
    menu: `${section}${offeredWords(mission, taskId)}`,
    target: { kind: 'mission', folder, missionId: mission_id, taskId },
    does: helps,
    rows: noRows,
  };
}

const icons: Readonly<Partial<Record<Matter['helps'], Row['icon']>>> = {
  answerQuestion: rowIcons.question,
  completeIntervention: rowIcons.question,
  confirmMemory: rowIcons.question,
};
