import { elapsedText, liveText, type LiveWorkerView } from '../../contracts/page/liveView';
import type { MissionView, Need } from '../../contracts/page/missionView';
import { limited } from '../../base/text/oneLine';
import { ui, type UiText, type UiValue } from '../../base/text/marked/ui';
import { missionWord, wordsOfCode } from '../../base/text/words';
import type { StatusText } from '../window/ui';
import { haltWords, mattersOf, type Matter } from './attentionItems';

/**
 * The text of the status bar item for all missions of the window; null when there is nothing to show.
 *
 * @param now time of the newest snapshot, ISO-8601
 */
export function statusOf(missions: readonly MissionView[], now: string): StatusText | null {
  const matters = mattersOf(missions);
  const needing = [...new Set(matters.map(({ mission }) => mission))];
  const running = missions.filter((mission) => mission.status === 'running' && !mission.interrupted);
  const alone = running.filter((mission) => !needing.includes(mission));
  const [first] = needing;
  if (needing.length + alone.length > 1) return counted(matters, [...needing, ...alone], now);
  if (first) {
    const asks = first.needs === 'answer';
    const what = first.ending || asks ? missionWord(first) : trouble(first);
    const why = first.attention?.reason ?? first.headline;
    const count = matters.length;
    return {
      icon: asks ? 'question' : 'error',
      text: ui`Mission ${shortName(first)} ${what}${besides(first)}${count > 1 ? ` · ${count} need you` : ''}`,
      tooltip: [ui`${why}`, ...laneLines(first, now), click],
      label: ui`Mission Control: mission ${first.plan_id} ${asks ? what : `is ${first.ending ? what : troubleWord(first)} and needs a person`}. ${why}${count > 1 ? ` In all ${count} matters need a person.` : ''}`,
      needs: first.needs,
    };
  }
  const live =
    missions.find((mission) => mission.status === 'running' && !mission.interrupted) ??
    missions.find((mission) => mission.status === 'planned' && !mission.interrupted);
  if (live) {
    const progress = `${live.done}/${live.tasks.length}`;
    const lanes = live.lanes.length;
    const elapsed = coarse(elapsedText(live.started_at, now));
    if (live.pausing) return atRest(live, now);
    return {
      icon: 'pulse',
      text: ui`Mission ${shortName(live)} ${progress}${lanes > 1 ? besides(live) : ''}${elapsed}`,
      tooltip: [
        lanes > 1
          ? ui`${live.plan_id}: ${live.done} of ${live.tasks.length} tasks done, ${lanes} lanes`
          : ui`${live.headline}`,
        ...laneLines(live, now),
        ui`For ${elapsedText(live.started_at, now) ?? 'an unknown time'}.`,
      ],
      label: ui`Mission Control: ${live.plan_id} running, ${progress} tasks done${lanes > 1 ? `, ${lanes} lanes` : ''}`,
      needs: null,
    };
  }
  const waiting = missions.find((mission) => mission.interrupted || mission.status === 'paused');
  if (waiting) return atRest(waiting, now);
  const [latest] = missions;
  if (!latest) return null;
  return {
    icon: latest.status === 'completed' ? 'pass' : 'circle-slash',
    text: ui`Mission ${shortName(latest)} ${missionWord(latest)}`,
    tooltip: [ui`${latest.headline}`],
    label: ui`Mission Control: ${latest.plan_id} ${missionWord(latest)}`,
    needs: null,
  };
}

function atRest(mission: MissionView, now: string): StatusText {
  return {
    icon: 'debug-pause',
    text: ui`Mission ${shortName(mission)} ${missionWord(mission)}${besides(mission)}`,
    tooltip: [ui`${mission.headline}`, ...laneLines(mission, now)],
    label: ui`Mission Control: ${mission.plan_id} ${missionWord(mission)}`,
    needs: null,
  };
}

/** Counts several missions; the tooltip names them. */
function counted(matters: readonly Matter[], missions: readonly MissionView[], now: string): StatusText {
  const needing = new Set(matters.map(({ mission }) => mission));
  const running = missions.filter((mission) => !needing.has(mission));
  const counts = [
    ...(matters.length === 0 ? [] : [`${matters.length} ${matters.length === 1 ? 'needs' : 'need'} you`]),
    ...(running.length === 0 ? [] : [`${running.length} running`]),
  ];
  const need = [...needing].reduce<Need | null>(
    (worst, { needs }) => (needs === 'answer' ? (worst ?? needs) : needs),
    null,
  );
  const lines = missions.slice(0, lanesListed).map((mission) => {
    const lanes = laneLines(mission, now);
    return [ui`${mission.plan_id}: ${limited(mission.headline, 200)}`, ...(missions.length > 3 ? [] : lanes)];
  });
  const more = missions.length - lines.length;
  const spoken = missions
    .slice(0, lanesListed)
    .map(({ plan_id, headline }) => ui`${plan_id}: ${limited(headline, 200)}`);
  return {
    icon: need === null ? 'pulse' : need === 'answer' ? 'question' : 'error',
    text: ui`${counts.join(' · ')}`,
    tooltip: [...lines.flat(), ...(more > 0 ? [ui`and ${more} more`] : []), click],
    label: ui`Mission Control: ${counts.join(', ')}. ${ui.join(spoken, ' ')}`,
    needs: need,
  };
}

const click = ui`Click for what you can do.`;

/** Shortens a long name, because it would push the rest out of the bar; the panel shows it whole. */
function shortName({ plan_id }: MissionView): UiValue {
  return limited(plan_id, 30);
}

/** The number of lanes under way, except those that wait for a person. */
function besides({ lanes }: MissionView): string {
  const running = lanes.filter(({ intervention, memory }) => !intervention && !memory).length;
  return running === 0 ? '' : ` · ${running} ${running === 1 ? 'lane' : 'lanes'}`;
}

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

/** Shows seconds only below one minute, because a text that changes its width all the time distracts. */
function coarse(elapsed: string | null): string {
  return elapsed === null ? '' : ` · ${elapsed.replace(/ min \d+ s$/, ' min')}`;
}

function trouble(mission: MissionView): string {
  const word = troubleWord(mission);
  // Adds words, because unlike `blocked` these do not say that a person has to act.
  return word === 'paused' || word === 'pausing' ? `${word}: needs you` : word;
}

function troubleWord(mission: MissionView): string {
  const word = missionWord(mission);
  if (mission.attention) return `${word}: ${haltWords(mission.attention)}`;
  // Only this code marks a stuck worker.
  const isStuck = mission.blocks.some(({ code, state }) => state === 'open' && code === deadline);
  return isStuck ? `${word}: ${wordsOfCode(deadline)}` : word;
}

const deadline = 'TASK_TIMEOUT';
