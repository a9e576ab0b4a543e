import type { MissionEvent } from '../model/events';
import type { LaunchEnd } from '../model/facts';
import { type Attempt, type Launch, endedUnstopped } from '../model/attempt';
import { caseSensitive } from '../paths/compare';
import { pathUnder } from '../paths/underFolder';
import { absolute } from '../recovery/permission/decideRecovery';
import { denialsOf } from './parts/recover';

/** The recovery that a launch is for, while it is unknown whether the launch lives. */
function pendingRecovery(
  { recoveries }: Pick<Attempt, 'recoveries'>,
  launchId: string,
): { readonly recovery_id: string } | undefined {
  const pending = recoveries.find(({ relaunch, status }) => relaunch?.launch_id === launchId && status === 'pending');
  return pending && { recovery_id: pending.recovery_id };
}

export function seenAlive(attempt: Attempt, launch_id: string): readonly MissionEvent[] {
  const pending = pendingRecovery(attempt, launch_id);
  return pending ? [{ type: 'RecoverySucceeded', ...pending, task_id: attempt.task_id, launch_id }] : [];
}

export function failedRecovery(attempt: Attempt, launch_id: string, reason: string): readonly MissionEvent[] {
  const pending = pendingRecovery(attempt, launch_id);
  return pending ? [{ type: 'RecoveryFailed', task_id: attempt.task_id, ...pending, launch_id, reason }] : [];
}

/** Judges a recovery whose launch ended unseen: it succeeded where it ended by itself without the same denial. */
export function endOfRecovery(attempt: Attempt, launch: Launch, end: LaunchEnd): readonly MissionEvent[] {
  const pending = pendingRecovery(attempt, launch.launch_id);
  if (!pending) return [];
  const { task_id } = attempt;
  const { launch_id } = launch;
  const recovery = attempt.recoveries.find(({ recovery_id }) => recovery_id === pending.recovery_id);
  const again = denialsOf(launch, end).some(
    ({ issue, path }) => issue === recovery?.issue && !isElsewhere(path, recovery.path, launch),
  );
  return endedUnstopped(end) && !again
    ? [{ type: 'RecoverySucceeded', task_id, ...pending, launch_id }]
    : [
        {
          type: 'RecoveryFailed',
          task_id,
          ...pending,
          launch_id,
          reason: `It ended before it was seen alive (${end.reason.replaceAll('_', ' ')}).`,
        },
      ];
}

/** Returns whether the denial is of another place than the recovery, which was of use then. */
function isElsewhere(denied: string | null, before: string | null, { adjustment }: Launch): boolean {
  const [place, earlier] = [denied, before].map((one) => one && absolute({ workspace_dir: null }, one));
  if (!place || !earlier) return false;
  const given = adjustment?.widening.add_directories ?? [];
  return given.length === 0
    ? place !== earlier
    : !given.some((directory) => pathUnder(place, directory, caseSensitive) !== null);
}
