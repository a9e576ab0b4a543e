import type { LedgerStatus, MissionStatus } from '../../contracts/vocabulary/execution';

// One word for one thing, on every surface a person reads: command line, terminals, panel, status bar, notifications,
// lists, pages of evidence. Journal, JSON and exit codes keep the contracts' own values, two spellings of "canceled" among
// them.

export const missionWords: Readonly<Record<MissionStatus, string>> = {
  planned: 'planned',
  running: 'running',
  paused: 'paused',
  blocked: 'blocked',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'canceled',
};

export const taskWords: Readonly<Record<LedgerStatus, string>> = {
  todo: 'to do',
  in_progress: 'running',
  blocked: 'blocked',
  done: 'done',
  failed: 'failed',
  canceled: 'canceled',
};

/** Of a mission that nobody runs although its journal says running, too. */
export function missionWord({
  status,
  interrupted,
}: {
  readonly status: MissionStatus;
  readonly interrupted: boolean;
}): string {
  return interrupted ? 'interrupted' : missionWords[status];
}

/** A person stopped it: nothing went wrong, and no code explains it better. */
interface MayBeStopped {
  readonly stopped?: boolean;
  readonly code: string | null;
}

/** What blocks is blocked, unless a person stopped it. */
export function taskWord({ status, stopped }: { readonly status: LedgerStatus; readonly stopped?: boolean }): string {
  return stopped === true && status === 'blocked' ? 'stopped' : taskWords[status];
}

/** The code beside the word; null where there is none to tell. */
export function toldCode({ code, stopped }: MayBeStopped): string | null {
  return stopped === true ? null : code;
}

/** `Task T1 is blocked (TASK_TIMEOUT): ...`, `Task T1 was stopped by Ada: ...`. `start`: within another sentence. */
export function taskSentence(
  task: MayBeStopped & { readonly task_id: string; readonly status: LedgerStatus; readonly reason: string },
  start: 'Task' | 'task' = 'Task',
): string {
  const { task_id, status, stopped, reason } = task;
  if (stopped === true && reason.startsWith(stoppedBy))
    return `${start} ${task_id} was stopped by ${reason.slice(stoppedBy.length)}`;
  // Whatever it was doing then: it is over because the mission is.
  const code = status === 'canceled' ? null : toldCode(task);
  const verb = status === 'failed' ? '' : 'is ';
  return `${start} ${task_id} ${verb}${taskWord(task)}${code === null ? '' : ` (${code})`}${reason === '' ? '.' : `: ${reason}`}`;
}

/** How the reason of a stop begins. */
export const stoppedBy = 'Stopped by ';
