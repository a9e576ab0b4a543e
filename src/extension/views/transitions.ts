import type { MissionView } from '../../contracts/missionView';
import { missionName, type MissionHere } from '../folder/missionsHere';
import { ui, type UiText } from '../../base/text/ui';
import { askedSentence, goesOnWords, missionWord, missionWords, taskSentence } from '../../base/text/words';

/** A state of a mission that a person is notified of once. */
export interface Transition {
  readonly missionId: string;
  /** Identifies the notification; the same key is never shown twice. */
  readonly key: string;
  /**
   * `denied`: a worker was denied what only a person can mend. `unaccepted`: a block that no retry ends until the listed
   * changes are undone or accepted. `asking`: a task that waits for an answer. `incomplete`: a result that a person
   * completes. `memory`: what a person decides to be remembered.
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

/** The mission's current notification; null while it runs, or before its packet or evidence is written. */
export function transitionOf(mission: MissionHere): Transition | null {
  const { mission_id: missionId } = mission;
  const plan = missionName(mission);
  if (mission.ending) {
    if (mission.execution !== 'REPORTED') return null;
    const kind = mission.ending.cancelled
      ? 'cancelled'
      : mission.ending.outcome === 'COMPLETED'
        ? 'completed'
        : 'failed';
    const why = kind === 'failed' ? ui` (${mission.ending.code ?? 'unknown'}): ${mission.ending.reason}` : '.';
    return { missionId, key: `ended ${kind}`, kind, text: ui`Mission ${plan} ${missionWords[kind]}${why}` };
  }
  // A block has its own notification, except where nothing can be done about it.
  if (mission.attention?.code) return attentionNews(mission, mission.attention);
  const block = mission.blocks.findLast((candidate) => candidate.state === 'open' && candidate.packet_path !== null);
  // No notification calls a person while an orchestrator looks at it; what a person decides meanwhile still counts.
  if (block && mission.orchestrator?.session) return null;
  if (!block) return mission.attention && attentionNews(mission, mission.attention);
  const { packet_id, question, orchestrator, goes_on_at } = block;
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
    kind: kindOf(block, stopped),
    text: stopped
      ? ui`Mission ${plan} is ${missionWord(mission)}: ${taskSentence({ ...block, status: 'blocked' }, 'task')}`
      : ui`Mission ${plan}: ${taskSentence({ ...block, status: 'blocked' }, 'task')}${orchestrator === undefined ? '' : ui` ${orchestrator}`}${goes_on_at === undefined ? '' : ui` ${goesOnWords(goes_on_at, mission.interrupted)}`}`,
  };
}

function kindOf({ acceptable, category }: MissionView['blocks'][number], stopped: boolean): Transition['kind'] {
  if (acceptable.length > 0) return 'unaccepted';
  if (category === 'permission_recovery_exhausted') return 'denied';
  return stopped ? 'paused' : 'blocked';
}

function attentionNews(mission: MissionHere, attention: NonNullable<MissionView['attention']>): Transition {
  const { mission_id: missionId } = mission;
  const code = attention.code === null ? '' : ` (${attention.code})`;
  return {
    missionId,
    key: `attention ${attention.key}`,
    kind:
      attention.code === 'INTERVENTION_REQUIRED' ? 'incomplete' : attention.code === 'ASK_USER' ? 'memory' : 'halted',
    text: ui`Mission ${missionName(mission)} is ${missionWord(mission)} and needs a person${code}. ${attention.reason}`,
  };
}

/** Decides what to notify. `told` is stored across reloads; the first look notifies nothing. */
export class News {
  #first = true;

  constructor(private readonly told: Map<string, string>) {}

  /** Transitions to notify now; remembers them. */
  of(missions: readonly MissionHere[]): readonly Transition[] {
    const news: Transition[] = [];
    for (const mission of missions) {
      const transition = transitionOf(mission);
      if (!transition || this.told.get(mission.mission_id) === transition.key) {
        if (!transition && !this.told.has(mission.mission_id)) this.told.set(mission.mission_id, 'open');
        continue;
      }
      const known = this.told.has(mission.mission_id) || !this.#first;
      this.told.set(mission.mission_id, transition.key);
      if (known) news.push(transition);
    }
    this.#first = false;
    return news;
  }
}
