import { elapsedText, liveText, type LiveWorkerView, type MissionView } from '../../contracts/missionView';

export interface StatusText {
  readonly text: string;
  /** Lines. */
  readonly tooltip: readonly string[];
  readonly label: string;
  readonly needsPerson: boolean;
}

/**
 * What the item says for all missions of the window; null when there is nothing to say.
 *
 * @param now ISO-8601: of the newest snapshot
 */
export function statusOf(missions: readonly MissionView[], now: string): StatusText | null {
  const blocked = missions.filter(
    (mission) =>
      !mission.ending &&
      (mission.attention !== null ||
        mission.status === 'blocked' ||
        mission.blocks.some((block) => block.state === 'open')),
  );
  const failed = missions.filter((mission) => mission.status === 'failed' && !mission.acknowledged);
  const [first] = [...blocked, ...failed];
  if (first) {
    const count = blocked.length + failed.length;
    const what = blocked.length > 0 ? trouble(first) : 'failed';
    const why = first.attention?.reason ?? first.headline;
    return {
      text: `$(error) Mission ${first.plan_id} ${what}${besides(first)}${count > 1 ? ` (+${count - 1})` : ''}`,
      tooltip: [why, ...laneLines(first, now), 'Click to open Mission Control.'],
      label: `Mission Control: mission ${first.plan_id} is ${what} and needs a person. ${why}`,
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
      text: `$(sync~spin) Mission ${live.plan_id} ${progress}${lanes > 1 ? besides(live) : ''}${elapsed}`,
      tooltip: [
        lanes > 1 ? `${live.plan_id}: ${live.done} of ${live.tasks.length} tasks done, ${lanes} lanes` : live.headline,
        ...laneLines(live, now),
        `For ${elapsedText(live.started_at, now) ?? 'an unknown time'}.`,
      ],
      label: `Mission Control: ${live.plan_id} running, ${progress} tasks done${lanes > 1 ? `, ${lanes} lanes` : ''}`,
      needsPerson: false,
    };
  }
  const waiting = missions.find((mission) => mission.interrupted || mission.status === 'paused');
  if (waiting) {
    const what = waiting.interrupted ? 'interrupted' : 'paused';
    return {
      text: `$(debug-pause) Mission ${waiting.plan_id} ${what}${besides(waiting)}`,
      tooltip: [waiting.headline, ...laneLines(waiting, now)],
      label: `Mission Control: ${waiting.plan_id} ${what}`,
      needsPerson: false,
    };
  }
  const [latest] = missions;
  if (!latest) return null;
  return {
    text: `${latest.status === 'completed' ? '$(pass)' : '$(circle-slash)'} Mission ${latest.plan_id} ${latest.status}`,
    tooltip: [latest.headline],
    label: `Mission Control: ${latest.plan_id} ${latest.status}`,
    needsPerson: false,
  };
}

/** What goes on meanwhile. */
function besides({ lanes }: MissionView): string {
  return lanes.length === 0 ? '' : ` · ${lanes.length} ${lanes.length === 1 ? 'lane' : 'lanes'}`;
}

/** A tooltip stays a tooltip: the panel has them all. */
const lanesListed = 8;

function laneLines({ lanes }: MissionView, now: string): readonly string[] {
  const lines = lanes.slice(0, lanesListed).map((lane) => `${lane.task_id}: ${lane.worker}, ${stage(lane, now)}`);
  const more = lanes.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function stage(lane: LiveWorkerView, now: string): string {
  if (lane.stopping) return 'stopping';
  return lane.stage === 'running' ? liveText(lane, now) : lane.stage;
}

/** In the bar seconds only where there is nothing else: a text that changes its width all the time is a nuisance. */
function coarse(elapsed: string | null): string {
  return elapsed === null ? '' : ` · ${elapsed.replace(/ min \d+ s$/, ' min')}`;
}

/** What holds an open mission up. What nobody can retry comes first. */
function trouble(mission: MissionView): string {
  if (mission.attention) return `paused: ${mission.attention.code ?? 'processes not proven gone'}`;
  return `blocked${timedOut(mission) ? ': TASK_TIMEOUT' : ''}`;
}

/** A stuck worker is worth its own word: nobody else saw it. */
function timedOut(mission: MissionView): boolean {
  return mission.blocks.some(({ code, state }) => state === 'open' && code === 'TASK_TIMEOUT');
}
