import type { LiveWorkerView } from '../../../contracts/page/liveView';
import type { TaskView } from '../../../contracts/page/missionView';
import { currentLaunch, type Attempt } from '../../model/attempt';
import type { LaunchEnd } from '../../model/facts';
import type { SessionLaunch } from '../../model/session';

/** The state of the process of a launch after its owner has stopped. Its run directory and the process table say it. */
export type LeftProcess =
  | { readonly state: 'runs'; readonly pid: number }
  /** Both null: no exit record says how. `rest`: what it started runs, or was not looked for; absent: it is gone. */
  | {
      readonly state: 'ended';
      readonly exit_code: number | null;
      readonly signal: string | null;
      readonly rest?: 'runs' | 'unknown';
    }
  | { readonly state: 'unstarted' }
  /**
   * It may run where this process cannot see it, or its files cannot be read. Or what it started is
   * not proven gone. `elsewhere`: its machine had another boot.
   */
  | { readonly state: 'unknown'; readonly elsewhere?: true };

interface LastLaunch {
  readonly purpose: LiveWorkerView['purpose'];
  readonly left: LeftProcess;
}

/**
 * Null: the attempt has launched nothing yet.
 *
 * @param live what was found of the launches that have not ended in the journal
 */
export function lastLaunch(
  lane: Attempt,
  live: ReadonlyMap<string, { readonly left?: LeftProcess }>,
): LastLaunch | null {
  const launch = currentLaunch(lane) ?? lane.launches.at(-1);
  if (!launch) return null;
  const left = launch.end ? atEnd(launch.end) : (live.get(launch.launch_id)?.left ?? { state: 'unknown' as const });
  return { purpose: launch.purpose.kind, left };
}

function atEnd({ exit_code, signal, tree_gone }: LaunchEnd): LeftProcess {
  return tree_gone ? { state: 'ended', exit_code, signal } : { state: 'unknown' };
}

/** Shows what is known of its process instead of its stage in the journal. */
export function leftLane(lane: LiveWorkerView, last: LastLaunch | null): LiveWorkerView {
  // What waits for a person runs nothing, with an owner and without one.
  if (lane.intervention || lane.memory) return lane;
  const known = last?.left ?? null;
  const purpose = last?.purpose ?? lane.purpose;
  const what = purpose === 'verify' ? 'its verify command' : 'its worker';
  const text = known === null ? 'nothing of it runs' : leftText(known, what);
  const { waits: _waits, actions, ...rest } = lane;
  return {
    ...rest,
    ...(actions && known?.state === 'runs' && { actions }),
    purpose,
    stopping: false,
    stage: text,
    doing: text,
    pid: known?.state === 'runs' ? known.pid : null,
    left: { state: known?.state ?? 'unstarted', text },
  };
}

export function leftSession(
  { launch_id, end }: Pick<SessionLaunch, 'launch_id' | 'end'>,
  live: Parameters<typeof lastLaunch>[1],
): NonNullable<LiveWorkerView['left']> & { readonly pid: number | null } {
  const left = end ? atEnd(end) : (live.get(launch_id)?.left ?? { state: 'unknown' as const });
  return { state: left.state, text: leftText(left, 'the orchestrator'), pid: left.state === 'runs' ? left.pid : null };
}

/** A task of an interrupted mission: its attempt has not ended, and no process watches it. */
export function leftTask(task: TaskView): TaskView {
  return task.status === 'in_progress' && !task.awaited ? { ...task, interrupted: true } : task;
}

function leftText(left: LeftProcess, what: 'its worker' | 'its verify command' | 'the orchestrator'): string {
  switch (left.state) {
    case 'runs':
      return `${what} still runs as process ${left.pid}`;
    case 'ended':
      return `${what} has ended${endWords(left)}${restWords(left)}`;
    case 'unstarted':
      return `${what} has not started`;
    case 'unknown':
      return `it is not known whether ${what} still runs${left.elsewhere ? ': it ran before this machine started, or on another machine' : ''}`;
  }
}

function endWords({ exit_code, signal }: Extract<LeftProcess, { state: 'ended' }>): string {
  if (signal !== null) return ` by ${signal}`;
  return exit_code === null ? '' : ` with exit code ${exit_code}`;
}

function restWords({ rest }: Extract<LeftProcess, { state: 'ended' }>): string {
  if (rest === undefined) return '';
  return rest === 'runs' ? '; processes that it started still run' : '; processes that it started may still run';
}
