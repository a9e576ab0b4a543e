import { waitsForPerson } from '../model/lanes';
import type { Attempt, Mission } from '../model/state';
import { troubleOf } from '../mission/trouble';
import { taskSentence } from '../../base/text/words';
import { isStopped } from './stopped';

/** One sentence, however many lanes: what is happening, or why nothing is. */
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
  const beside = live === null ? '' : ` What runs finishes, nothing new starts: ${live}`;
  const blocked = mission.rows.find(waitsForPerson);
  if (blocked) {
    const { task, status, reason } = blocked;
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
    observing: 'observing what changed',
    judging: 'judging the result',
  };
  return texts[at] ?? at;
}

/** Above this many lanes they are counted instead of named: each has a line of its own wherever they are listed. */
const named = 4;

/** Null when nothing is under way. Lanes at the same stage are told together, in the order in which they were started. */
function underWay(lanes: readonly Attempt[]): string | null {
  const [only, ...others] = lanes;
  if (!only) return null;
  if (others.length === 0) return `Task ${only.task_id}, attempt ${only.attempt}: ${stageText(only.stage.at)}.`;
  const stages = [...new Set(lanes.map(({ stage }) => stage.at))];
  const told = stages.map((stage) => {
    const at = lanes.filter((lane) => lane.stage.at === stage).map(({ task_id }) => task_id);
    return `${lanes.length > named ? at.length : at.join(', ')} ${stageText(stage)}`;
  });
  return `${lanes.length} lanes: ${told.join('; ')}.`;
}
