import type { MissionView } from '../../contracts/missionView';
import { ui, type UiText } from '../../base/text/ui';
import { missionWord, missionWords, taskSentence } from '../../base/text/words';

/** What a person is told once: the mission arrived at a state that is news. */
export interface Transition {
  readonly missionId: string;
  /** Identifies the news; the same key is never told twice. */
  readonly key: string;
  /** `unaccepted`: a block that no retry ends, before what is listed is gone or accepted. */
  readonly kind: 'blocked' | 'paused' | 'unaccepted' | 'halted' | 'failed' | 'cancelled' | 'completed';
  readonly text: UiText;
}

/** The news a mission has now; null while it just goes on, or before its packet or evidence is written. */
export function transitionOf(mission: MissionView): Transition | null {
  const { mission_id: missionId, plan_id: plan } = mission;
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
  // A block is news of its own, except where nothing could be done about it.
  if (mission.attention?.code) return attentionNews(mission, mission.attention);
  const block = mission.blocks.findLast((candidate) => candidate.state === 'open' && candidate.packet_path !== null);
  if (!block) return mission.attention && attentionNews(mission, mission.attention);
  const stopped = mission.status === 'paused';
  return {
    missionId,
    key: `block ${block.packet_id}`,
    kind: block.acceptable.length > 0 ? 'unaccepted' : stopped ? 'paused' : 'blocked',
    text: stopped
      ? ui`Mission ${plan} is ${missionWord(mission)}: ${taskSentence({ ...block, status: 'blocked' }, 'task')}`
      : ui`Mission ${plan}: ${taskSentence({ ...block, status: 'blocked' }, 'task')}`,
  };
}

function attentionNews(mission: MissionView, attention: NonNullable<MissionView['attention']>): Transition {
  const { mission_id: missionId, plan_id: plan } = mission;
  const code = attention.code === null ? '' : ` (${attention.code})`;
  return {
    missionId,
    key: `attention ${attention.key}`,
    kind: 'halted',
    text: ui`Mission ${plan} is ${missionWord(mission)} and needs a person${code}. ${attention.reason}`,
  };
}

/** Decides what is news. `told` is kept over reloads; what was there at the first look is not news. */
export class News {
  #first = true;

  constructor(private readonly told: Map<string, string>) {}

  /** Transitions to tell now; remembers them as told. */
  of(missions: readonly MissionView[]): readonly Transition[] {
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
