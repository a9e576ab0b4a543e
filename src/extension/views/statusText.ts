import {
  elapsedText,
  liveText,
  waitsForPerson,
  type LiveWorkerView,
  type MissionView,
} from '../../contracts/missionView';
import { limited } from '../../base/text/oneLine';
import { ui, type UiText, type UiValue } from '../../base/text/ui';
import { missionWord } from '../../base/text/words';
import type { StatusText } from '../window/ui';

/**
 * The text of the status bar item for all missions of the window; null when there is nothing to show.
 *
 * @param now time of the newest snapshot, ISO-8601
 */
export function statusOf(missions: readonly MissionView[], now: string): StatusText | null {
  const blocked = missions.filter(waitsForPerson);
  const failed = missions.filter((mission) => mission.status === 'failed' && !mission.acknowledged);
  const [first] = [...blocked, ...failed];
  if (first) {
    const count = [...blocked, ...failed].reduce((sum, mission) => sum + matters(mission), 0);
    const what = blocked.length > 0 ? trouble(first) : missionWord(first);
    const why = first.attention?.reason ?? first.headline;
    return {
      icon: 'error',
      text: ui`Mission ${shortName(first)} ${what}${besides(first)}${count > 1 ? ` · ${count} need you` : ''}`,
      tooltip: [
        ui`${why}`,
        ...laneLines(first, now),
        ...[...blocked, ...failed]
          .slice(1, 1 + lanesListed)
          .map(({ plan_id, headline }) => ui`${plan_id}: ${headline}`),
        ui`Click to open Mission Control.`,
      ],
      label: ui`Mission Control: mission ${first.plan_id} is ${what} and needs a person. ${why}${count > 1 ? ` In all ${count} matters need a person.` : ''}`,
      needsPerson: true,
    };
  }
  const live =
    missions.find((mission) => mission.status === 'running' && !mission.interrupted) ??
    missions.find((mission) => mission.status === 'planned' && !mission.interrupted);
  if (live) {
    const progress = `${live.done}/${live.tasks.length}`;
    const lanes = live.lanes.length;
    const elapsed = coarse(elapsedText(live.started_at, now));
    return {
      icon: 'sync~spin',
      text: ui`Mission ${shortName(live)} ${progress}${lanes > 1 ? besides(live) : ''}${elapsed}`,
      tooltip: [
        lanes > 1
          ? ui`${live.plan_id}: ${live.done} of ${live.tasks.length} tasks done, ${lanes} lanes`
          : ui`${live.headline}`,
        ...laneLines(live, now),
        ui`For ${elapsedText(live.started_at, now) ?? 'an unknown time'}.`,
      ],
      label: ui`Mission Control: ${live.plan_id} running, ${progress} tasks done${lanes > 1 ? `, ${lanes} lanes` : ''}`,
      needsPerson: false,
    };
  }
  const waiting = missions.find((mission) => mission.interrupted || mission.status === 'paused');
  if (waiting) {
    const what = missionWord(waiting);
    return {
      icon: 'debug-pause',
      text: ui`Mission ${shortName(waiting)} ${what}${besides(waiting)}`,
      tooltip: [ui`${waiting.headline}`, ...laneLines(waiting, now)],
      label: ui`Mission Control: ${waiting.plan_id} ${what}`,
      needsPerson: false,
    };
  }
  const [latest] = missions;
  if (!latest) return null;
  return {
    icon: latest.status === 'completed' ? 'pass' : 'circle-slash',
    text: ui`Mission ${shortName(latest)} ${missionWord(latest)}`,
    tooltip: [ui`${latest.headline}`],
    label: ui`Mission Control: ${latest.plan_id} ${missionWord(latest)}`,
    needsPerson: false,
  };
}

/** What a person has to decide of a mission, or has to see. */
function matters({ ending, attention, blocks }: MissionView): number {
  if (ending) return 1;
  const open = blocks.filter(({ state }) => state === 'open').length;
  // What is told of a mission is its first block, where no other code is.
  return Math.max(1, open + (attention?.code ? 1 : 0));
}

/** A long name would push the rest out of the bar; the panel shows it whole. */
function shortName({ plan_id }: MissionView): UiValue {
  return limited(plan_id, 30);
}

/** The number of lanes under way; one that waits for a person is none. */
function besides({ lanes }: MissionView): string {
  const running = lanes.filter(({ intervention, memory }) => !intervention && !memory).length;
  return running === 0 ? '' : ` · ${running} ${running === 1 ? 'lane' : 'lanes'}`;
}

/** More lines would not fit a tooltip; the panel shows them all. */
const lanesListed = 8;

function laneLines({ lanes }: MissionView, now: string): readonly UiText[] {
  const lines = lanes.slice(0, lanesListed).map((lane) => ui`${lane.task_id}: ${lane.worker}, ${stage(lane, now)}`);
  const more = lanes.length - lines.length;
  return more > 0 ? [...lines, ui`and ${more} more`] : lines;
}

function stage(lane: LiveWorkerView, now: string): string {
  if (lane.stopping) return 'stopping';
  return lane.stage === 'running' ? liveText(lane, now) : lane.stage;
}

/** Seconds only below one minute: a text that changes its width all the time distracts. */
function coarse(elapsed: string | null): string {
  return elapsed === null ? '' : ` · ${elapsed.replace(/ min \d+ s$/, ' min')}`;
}

/** Why an open mission does not proceed; first what no retry can mend. */
function trouble(mission: MissionView): string {
  const word = missionWord(mission);
  if (mission.attention) return `${word}: ${mission.attention.code ?? 'processes not proven gone'}`;
  return `${word}${timedOut(mission) ? ': TASK_TIMEOUT' : ''}`;
}

/** Only the timeout code distinguishes a stuck worker. */
function timedOut(mission: MissionView): boolean {
  return mission.blocks.some(({ code, state }) => state === 'open' && code === 'TASK_TIMEOUT');
}
