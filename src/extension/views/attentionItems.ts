import type { BlockView } from '../../contracts/page/blockView';
import type { MissionView } from '../../contracts/page/missionView';
import { isUndecided } from '../../core/view/needs/needs';
import { blockWord, codeWord, missionWord, shownCode, wordsOfCode } from '../../base/text/words';
import { helpOf } from '../../contracts/page/menuKeys';
import { type CommandName, commands } from '../registry/registry';
import { limited } from '../../base/text/oneLine';
import { ui } from '../../base/text/marked/ui';
import type { MissionHere } from '../folder/missionFolders';
import type { PickItem } from '../window/ui';
import { hasLiveWorker, isOpen, takesNamed } from './missionFacts';

/** One matter of a mission that a person has to decide or see. */
export interface Matter<M extends MissionView = MissionView> {
  readonly mission: M;
  /** Unique among the matters of a mission. */
  readonly key: string;
  /** Null: it is about the whole mission. */
  readonly taskId: string | null;
  /** A few words: `asks you`, `deadline passed`. */
  readonly what: string;
  /** The sentence behind it; it may hold anything that a worker wrote. */
  readonly why: string;
  readonly helps: CommandName;
}

/** Lists what needs a person in these missions: first standstills, then failures that a person has not seen. */
export function mattersOf<M extends MissionView>(missions: readonly M[]): readonly Matter<M>[] {
  const matters = missions.flatMap((mission) => mattersOfMission(mission).map((matter) => ({ ...matter, mission })));
  return [...matters.filter(({ mission }) => !mission.ending), ...matters.filter(({ mission }) => mission.ending)];
}

/** Never empty for a mission that stands still until a person acts, or whose failure no person has acknowledged. */
function mattersOfMission(mission: MissionView): readonly Matter[] {
  if (mission.needs === null) return [];
  if (mission.needs === 'look' && mission.ending) return [failureOf(mission, mission.ending)];
  const open = mission.blocks.filter(isUndecided);
  const blocks = (open.length > 0 ? open : mission.blocks.filter(({ state }) => state === 'left_blocked')).map(
    (block) => blockMatter(mission, block),
  );
  const lanes = mission.lanes.flatMap((lane) => laneMatter(mission, lane) ?? []);
  const particular = [...blocks, ...lanes];
  return isToldOtherwise(mission, open.length, lanes.length) && particular.length > 0
    ? particular
    : [haltMatter(mission), ...particular];
}

/** Returns whether the mission's own sentence repeats one of its blocks or waiting lanes. */
function isToldOtherwise({ attention }: MissionView, open: number, lanes: number): boolean {
  if (attention === null) return true;
  if (attention.code === null) return open > 0;
  return lanes > 0 && (attention.code === 'INTERVENTION_REQUIRED' || attention.code === 'ASK_USER');
}

function failureOf(mission: MissionView, ending: NonNullable<MissionView['ending']>): Matter {
  const code = codeWord(shownCode(ending));
  const what = code === null ? 'failed' : `failed: ${code}`;
  return { mission, key: 'failed', taskId: null, what, why: ending.reason, helps: 'showMissionControl' };
}

function haltMatter(mission: MissionView): Matter {
  const { attention, headline } = mission;
  const what = attention ? haltWords(attention) : missionWord(mission);
  const why = attention?.reason ?? headline;
  return { mission, key: 'halted', taskId: null, what, why, helps: 'showMissionControl' };
}

export function haltWords({ code }: NonNullable<MissionView['attention']>): string {
  return code === null ? 'processes not proven gone' : wordsOfCode(code);
}

function blockMatter(mission: MissionView, block: BlockView): Matter {
  const { packet_id, task_id: taskId, question, state, decided } = block;
  const about = { mission, key: packet_id, taskId };
  if (question) return { ...about, what: 'asks you', why: question.text, helps: 'answerQuestion' };
  const code = blockWord(block);
  const what =
    state === 'left_blocked' ? ['left blocked', ...(code === null ? [] : [code])].join(': ') : (code ?? 'blocked');
  return {
    ...about,
    what,
    why: decided ?? block.reason,
    helps: helpOf(block) === 'accept' ? 'acceptChange' : 'resolveBlocker',
  };
}

function laneMatter(mission: MissionView, lane: MissionView['lanes'][number]): Matter | null {
  const { task_id: taskId, intervention, memory } = lane;
  if (intervention) {
    const why = `Its result is incomplete: ${intervention.missing.join('; ')}`;
    return {
      mission,
      key: `intervention ${taskId}`,
      taskId,
      what: 'incomplete result',
      why,
      helps: 'completeIntervention',
    };
  }
  if (memory) {
    const why = `It proposes to remember ${memory.map(({ name }) => name).join(', ')}.`;
    return { mission, key: `memory ${taskId}`, taskId, what: 'what is remembered', why, helps: 'confirmMemory' };
  }
  return null;
}

/** An entry of the status bar's menu: a command, and what it is called on. */
interface NeedsYouItem extends PickItem {
  readonly command: CommandName;
  readonly on: { readonly folder: string; readonly missionId: string; readonly taskId?: string } | null;
}

interface NeedsYouGroup {
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
