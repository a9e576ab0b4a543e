import { askedInAttempt } from '../lifecycle/asked';
import { waitsForPerson } from '../model/lanes';
import type { Attempt } from '../model/attempt';
import type { Mission } from '../model/state';
import { troubleOf } from '../mission/trouble';
import { askingPacket } from '../mission/questions';
import { askedSentence, taskSentence } from '../../base/text/words';
import { isStopped } from './stopped';

/** What is happening, or why nothing is; short for any number of lanes. */
export function headline(mission: Mission, interrupted: boolean): string {
  const trouble = troubleOf(mission);
  if (trouble) return `The runner stopped: ${trouble.reason}`;
  if (mission.ending)
    return interrupted
      ? `${mission.ending.reason} This end is not reported: whoever ran the mission stopped before summary and final header were written.`
      : mission.ending.reason;
  if (interrupted) return 'Nobody is running this mission now. It continues where it stopped when somebody resumes it.';
  const live = underWay(mission.lanes);
  const ends = endsBy(mission);
  if (ends !== null)
    return live === null ? `${ends} The evidence is being written.` : `${ends} The workers are being stopped. ${live}`;
  const asked = askedInAttempt(mission);
  if (asked) return asked.reason;
  const beside = live === null ? '' : ` What runs finishes, nothing new starts: ${live}`;
  const blocked = mission.rows.find(waitsForPerson);
  if (blocked) {
    const { task, status, reason } = blocked;
    const asking = mission.rows.flatMap((row) => askingPacket(mission, row.task.task_id) ?? [])[0];
    if (asking) return `${askedSentence(asking)}${beside}`;
    const stopped = isStopped(blocked);
    return `${taskSentence({ task_id: task.task_id, status, stopped, code: null, reason })}${beside}`;
  }
  if (mission.hold.kind === 'paused') return `${mission.hold.reason}${beside}`;
  return live ?? 'Between two tasks.';
}

/** Why the mission is about to end, before it has. */
function endsBy({ rows, cancel }: Mission): string | null {
  const failed = rows.find(({ status }) => status === 'failed');
  if (failed) return `Task ${failed.task.task_id} failed: ${failed.reason}`;
  return cancel ? `Canceled by ${cancel.actor.name}: ${cancel.reason.replace(/[.\s]+$/, '')}.` : null;
}

export function stageText(at: string): string {
  const texts: Readonly<Record<string, string>> = {
    plan_hash: 'checking the plan hash',
    baseline: 'taking the baseline',
    launch: 'about to launch',
    preparing: 'preparing the launch',
    starting: 'starting the worker',
    running: 'running',
    relaunch: 'about to launch once more',
    observing: 'observing what changed',
    judging: 'judging the result',
    intervention: 'waiting for a person to complete the result',
    memory: 'waiting for a person to decide what is remembered',
  };
  return texts[at] ?? at;
}

/** More lanes than this are counted instead of named. */
const named = 4;

/** The lanes, grouped by stage, in the order they were started; null when nothing runs. */
function underWay(lanes: readonly Attempt[]): string | null {
  const [only, ...others] = lanes;
  if (!only) return null;
  if (others.length === 0) return `Task ${only.task_id}, attempt ${only.attempt}: ${stageText(only.stage.at)}.`;
  const stages = [...new Set(lanes.map(({ stage }) => stage.at))];
  const groups = stages.map((stage) => {
    const at = lanes.filter((lane) => lane.stage.at === stage).map(({ task_id }) => task_id);
    return `${lanes.length > named ? at.length : at.join(', ')} ${stageText(stage)}`;
  });
  return `${lanes.length} lanes: ${groups.join('; ')}.`;
}
