import { withoutEnd } from '../../../base/text/plainLine';
import { askedInAttempt } from '../../lifecycle/intervention';
import { isStopped, waitsForPerson, waitsForPlan } from '../../model/lanes';
import type { Attempt } from '../../model/attempt';
import type { Mission, Progress, Tasks } from '../../model/state';
import { troubleOf } from '../../mission/effects';
import { deniedOf } from '../../mission/resolve/grant';
import { waitsNow } from '../../mission/resolve/waits';
import { askingPacket } from '../../mission/questions/questions';
import { askedSentence, denialEnds, taskSentence } from '../../../base/text/words';
import { waitWords } from '../../../contracts/vocabulary/waits';
import { decidedBlock } from './decidedBlock';
import { utcText } from '../../../base/text/amounts';

/**
 * Says what is happening, or why nothing is; short for any number of lanes.
 *
 * @param detail `named`: a line beside it says why a task is blocked, or what is asked
 */
export function headline(mission: Progress, interrupted: boolean, detail: 'in full' | 'named' = 'in full'): string {
  const trouble = troubleOf(mission);
  if (trouble) return `The runner stopped: ${trouble.reason}`;
  if (mission.ending)
    return interrupted
      ? `${mission.ending.reason} This end is not reported, because the process that ran the mission stopped before summary and final header were written.`
      : mission.ending.reason;
  if (interrupted) return 'No process runs this mission now. It goes on where it stopped when you resume it.';
  const live = underWay(mission.lanes.filter((lane) => !waitsForPlan(lane)));
  const ends = endsBy(mission);
  if (ends !== null)
    return live === null ? `${ends} The evidence is being written.` : `${ends} The workers are being stopped. ${live}`;
  const asked = askedInAttempt(mission);
  if (asked) return asked.reason;
  const beside = (text: string): string =>
    live === null ? text : `${/[.!?]$/.test(text) ? text : `${text}.`} What runs finishes, nothing new starts. ${live}`;
  const waits = waitsNow(mission);
  const waiting = mission.rows.filter(
    (row) => waitsForPerson(row) && !waits.some(({ packet }) => packet.task_id === row.task.task_id),
  );
  const blocked = waiting.find(({ task }) => decidedBlock(mission, task.task_id) === null) ?? waiting[0];
  if (blocked) {
    const { task, status } = blocked;
    const asking = mission.rows.flatMap((row) => askingPacket(mission, row.task.task_id) ?? [])[0];
    if (asking && detail === 'named') return beside(`Task ${asking.task_id} waits for an answer.`);
    if (asking) return beside(askedSentence(asking));
    const stopped = isStopped(blocked);
    if (detail === 'named') return beside(blockedTasks(mission));
    const decided = decidedBlock(mission, task.task_id);
    if (decided) return beside(`Task ${task.task_id} is blocked. ${decided}`);
    return beside(
      taskSentence({ task_id: task.task_id, status, stopped, code: null, reason: shownReason(mission, blocked) }),
    );
  }
  if (mission.hold.kind === 'paused') return beside(mission.hold.reason);
  const [wait] = waits;
  if (wait) return beside(`Task ${wait.packet.task_id} ${waitWords[wait.name].headline} ${utcText(wait.at)}.`);
  return live ?? (mission.execution === 'EXECUTING' ? 'Between two tasks.' : 'No task has started yet.');
}

/** The reason for a person. The seed's sentence of a denial stays in packet, evidence and events. */
export function shownReason(mission: Progress, { task, reason }: Mission['rows'][number]): string {
  const [, who, where = ''] =
    /^Persistent permission error for (.+) on (.+)\. Manual intervention required\.$/.exec(reason) ?? [];
  if (who === undefined) return reason;
  const denied = deniedOf(mission, task.task_id);
  const then = denialEnds[denied && denied.ungranted === undefined ? 0 : 1];
  return `${who} was denied ${denied?.reads ? 'reading ' : ''}${where}. ${then}`;
}

/** `Task ui is blocked. e2e waits for it.` */
function blockedTasks({ rows }: Tasks): string {
  const blocked = rows.filter(waitsForPerson);
  const [first] = blocked;
  const ids = new Set(blocked.map(({ task }) => task.task_id));
  const after = rows.filter(({ task, status }) => status === 'todo' && task.depends_on.some((id) => ids.has(id)));
  const waiting =
    after.length === 0
      ? ''
      : ` ${namesOf(after)} ${after.length === 1 ? 'waits' : 'wait'} for ${ids.size === 1 ? 'it' : 'them'}.`;
  if (!first || ids.size > 1) return `${ids.size > named ? '' : 'Tasks '}${namesOf(blocked)} are blocked.${waiting}`;
  const { task, status } = first;
  return `${taskSentence({ task_id: task.task_id, status, stopped: isStopped(first), code: null, reason: '' })}${waiting}`;
}

function namesOf(rows: Mission['rows']): string {
  return rows.length > named ? `${rows.length} tasks` : rows.map(({ task }) => task.task_id).join(', ');
}

function endsBy({ rows, cancel }: Progress): string | null {
  const failed = rows.find(({ status }) => status === 'failed');
  if (failed) return `Task ${failed.task.task_id} failed: ${failed.reason}`;
  return cancel ? `Canceled by ${cancel.actor.name}: ${withoutEnd(cancel.reason)}.` : null;
}

export function stageText(stage: Attempt['stage']): string {
  const texts: Readonly<Record<string, string>> = {
    plan_hash: 'checking the plan hash',
    plan_waits: 'waiting for the approved plan',
    baseline: 'taking the baseline',
    launch: 'about to launch',
    preparing: 'preparing the launch',
    starting:
      stage.at === 'starting' && stage.purpose.kind === 'verify'
        ? 'starting the verify commands'
        : 'starting the worker',
    running: 'running',
    relaunch: 'about to launch once more',
    observing: 'observing what changed',
    judging: 'judging the result',
    landing: 'putting its work into the workspace',
    intervention: 'waiting for a person to complete the result',
    memory: 'waiting for a person to decide what is remembered',
  };
  if (stage.at === 'landing' && stage.merges) return 'merging its work with what landed meanwhile';
  return texts[stage.at] ?? stage.at;
}

/** More lanes than this are counted instead of named. */
const named = 4;

/** The lanes, grouped by stage, in the order they were started; null when nothing runs. */
function underWay(lanes: readonly Attempt[]): string | null {
  const [only, ...others] = lanes;
  if (!only) return null;
  if (others.length === 0) {
    const again = only.attempt > 1 ? `, attempt ${only.attempt}` : '';
    return only.stage.at === 'running'
      ? `Task ${only.task_id} runs${again}.`
      : `Task ${only.task_id}${again}: ${stageText(only.stage)}.`;
  }
  const stages = [...new Set(lanes.map(({ stage }) => stageText(stage)))];
  const groups = stages.map((stage) => {
    const at = lanes.filter((lane) => stageText(lane.stage) === stage).map(({ task_id }) => task_id);
    return `${lanes.length > named ? at.length : at.join(', ')} ${stage}`;
  });
  if (stages.length === 1 && stages[0] === 'running')
    return `${lanes.length} tasks run${lanes.length > named ? '' : `: ${lanes.map(({ task_id }) => task_id).join(', ')}`}.`;
  return `${lanes.length} lanes: ${groups.join('; ')}.`;
}
