import { standingLines, type BlockView } from '../../contracts/page/blockView';
import { lineText } from '../../base/text/amounts';
import type { MissionView } from '../../contracts/page/missionView';
import { missionName, type MissionHere } from '../folder/missionFolders';
import { ui, type UiText } from '../../base/text/marked/ui';
import { askedSentence, missionWord, missionWords, shownCode, taskSentence } from '../../base/text/words';

export interface Transition {
  readonly missionId: string;
  /** Identifies the notification; the same key is never shown twice. */
  readonly key: string;
  /**
   * `denied`: a worker was denied what only a person can grant. `unaccepted`: no retry ends the block until the listed
   * changes are undone or accepted. `asking`: a task waits for an answer. `incomplete`: a person completes a result.
   * `memory`: a person decides what is remembered.
   */
  readonly kind:
    | 'blocked'
    | 'paused'
    | 'denied'
    | 'unaccepted'
    | 'asking'
    | 'incomplete'
    | 'memory'
    | 'halted'
    | 'failed'
    | 'cancelled'
    | 'completed';
  readonly text: UiText;
}

/** The oldest first; empty while the mission runs, or before its packet or evidence is written. */
export function transitionsOf(mission: MissionHere): readonly Transition[] {
  if (mission.ending) return mission.execution === 'REPORTED' ? [endOf(mission, mission.ending)] : [];
  // A block has its own notification, unless nothing can be done about it.
  if (mission.attention?.code) return [attentionNews(mission, mission.attention)];
  const blocks = mission.blocks
    .filter(({ state, packet_path, packet_away }) => state === 'open' && (packet_path !== null || packet_away))
    .sort((left, right) => Date.parse(left.issued_at) - Date.parse(right.issued_at));
  // Notifies of no block while an orchestrator looks at it; a person's decision meanwhile still counts.
  if (blocks.length > 0 && mission.orchestrator?.session) return [];
  if (blocks.length > 0) return blocks.map((block) => blockNews(mission, block));
  return mission.attention ? [attentionNews(mission, mission.attention)] : [];
}

function endOf(mission: MissionHere, ending: NonNullable<MissionView['ending']>): Transition {
  const { mission_id: missionId } = mission;
  const kind = ending.cancelled ? 'cancelled' : ending.outcome === 'COMPLETED' ? 'completed' : 'failed';
  const code = shownCode(ending);
  const why = kind === 'failed' ? ui`${code === null ? '' : ` (${code})`}: ${ending.reason}` : '.';
  const text = ui`Mission ${missionName(mission)} ${missionWords[kind]}${why}`;
  return { missionId, key: `ended ${kind}`, kind, text };
}

function blockNews(mission: MissionHere, block: BlockView): Transition {
  const { mission_id: missionId } = mission;
  const { packet_id, question, orchestrator } = block;
  const plan = missionName(mission);
  if (question)
    return {
      missionId,
      key: `question ${packet_id} ${question.asked}`,
      kind: 'asking',
      text: ui`Mission ${plan}: ${askedSentence({ ...block, question }, 'task')}`,
    };
  const stopped = mission.status === 'paused';
  return {
    missionId,
    key: `block ${packet_id}${orchestrator === undefined ? '' : ' asked'}`,
    kind: blockNewsKind(block, stopped),
    text: stopped
      ? ui`Mission ${plan} is ${missionWord(mission)}: ${taskSentence({ ...block, status: 'blocked' }, 'task')}`
      : ui`Mission ${plan}: ${taskSentence({ ...block, status: 'blocked' }, 'task')}${orchestrator === undefined ? '' : ui` ${orchestrator}`}${ui.join(
          standingLines(block, mission.interrupted).map((line) => ` ${lineText(line)}`),
          '',
        )}`,
  };
}

function blockNewsKind({ acceptable, category }: BlockView, stopped: boolean): Transition['kind'] {
  if (acceptable.length > 0) return 'unaccepted';
  if (category === 'permission_recovery_exhausted') return 'denied';
  return stopped ? 'paused' : 'blocked';
}

function attentionNews(mission: MissionHere, attention: NonNullable<MissionView['attention']>): Transition {
  const { mission_id: missionId } = mission;
  const code = attention.code === null ? '' : ` (${attention.code})`;
  const news =
    mission.needs === 'answer' ? missionWord(mission) : `is ${missionWord(mission)} and needs a person${code}`;
  return {
    missionId,
    key: `attention ${attention.key}`,
    kind:
      attention.code === 'INTERVENTION_REQUIRED' ? 'incomplete' : attention.code === 'ASK_USER' ? 'memory' : 'halted',
    text: ui`Mission ${missionName(mission)} ${news}. ${attention.reason}`,
  };
}

/** Keys of shown notifications, by mission; an empty set: the mission is known. */
export type Notified = Map<string, Set<string>>;

/** Decides which notifications to show. `notified` is stored across reloads; the first look shows none. */
export class News {
  #first = true;

  constructor(private readonly notified: Notified) {}

  of(missions: readonly MissionHere[]): readonly Transition[] {
    const news = missions.flatMap((mission) => {
      const current = transitionsOf(mission);
      const notified = this.notified.get(mission.mission_id);
      const seen = notified ?? new Set();
      this.notified.set(mission.mission_id, seen);
      const due = notified || !this.#first ? notNotified(current, seen) : [];
      for (const { key } of notified || !this.#first ? due : current) seen.add(key);
      return due;
    });
    this.#first = false;
    return news;
  }
}

/**
 * Leaves out a transition while a notification of its kind, with the same buttons, is still valid. It would say nothing
 * new, so it comes once the first is decided. Blocked lanes count as one transition.
 */
function notNotified(current: readonly Transition[], notified: ReadonlySet<string>): readonly Transition[] {
  const kinds = new Set(current.filter(({ key }) => notified.has(key)).map(({ kind }) => kind));
  return current.filter(({ key, kind }) => {
    if (notified.has(key) || kinds.has(kind)) return false;
    kinds.add(kind);
    return true;
  });
}
