import type { BlockerEvent, RecoveryEvent } from '../../../contracts/record/recoveryEvent';
import type { AttemptRecord, EndedAttempt } from '../../model/attempt';
import { laneOf } from '../../model/lanes';
import type { TaskRow, Tasks } from '../../model/state';
import { isGivenUp } from '../../recovery/permission/record';
import { allowedWords, launchChange } from '../parts/launchChange';

/** Everything that permission recovery did and could not do, as the contract's events; a function of the journal. */
export function recoveryEvents(mission: Tasks): readonly (RecoveryEvent | BlockerEvent)[] {
  return mission.rows.flatMap((row) => {
    const lane = laneOf(mission, row.task.task_id);
    return [...row.attempts, ...(lane ? [lane] : [])].flatMap((attempt) => [
      ...recoveriesOf(row, attempt),
      ...('failure' in attempt ? blockersOf(row, attempt) : []),
    ]);
  });
}

/** Recoveries of one attempt, once it is known how they went. */
export function recoveriesOf({ task }: TaskRow, attempt: AttemptRecord): readonly RecoveryEvent[] {
  return attempt.recoveries.flatMap((recovery): readonly RecoveryEvent[] => {
    const { status, relaunch } = recovery;
    if (status === 'pending') return [];
    const launch = attempt.launches.find(({ launch_id }) => launch_id === relaunch?.launch_id);
    return [
      {
        type: 'recovery',
        id: recovery.recovery_id,
        timestamp: recovery.at,
        payload: {
          worker: task.worker,
          issue_detected: recovery.issue_detected,
          action_taken: recovery.action ?? 'NONE',
          status,
          retry_count: recovery.retry_count,
          issue_type: recovery.issue,
          path: recovery.path,
          task_id: attempt.task_id,
          attempt: attempt.attempt,
          denied_launch_id: recovery.denied_launch_id,
          launch_id: relaunch?.launch_id ?? null,
          allowed_by: relaunch ? allowedWords(relaunch.allowed_by) : null,
          arguments: (launch && launchChange(attempt, launch)?.arguments) ?? null,
          modes: (launch?.modes ?? []).map((change) => ({ ...change })),
          why: recovery.why,
        },
      },
    ];
  });
}

/** Returns what keeps a task from going on; null: its attempt did not fail so that a person can mend it. */
export function blockerOf({ task }: TaskRow, attempt: EndedAttempt): BlockerEvent | null {
  const { failure, recoveries } = attempt;
  if (failure?.kind !== 'recoverable') return null;
  const last = recoveries.findLast(isGivenUp);
  const { unusable } = failure;
  return {
    type: 'blocker',
    id: `blk_${last?.recovery_id.slice('rec_'.length) ?? `${attempt.task_id}_${attempt.attempt}`}`,
    timestamp: attempt.ended_at,
    payload: {
      text: failure.reason,
      details: failure.details[0] ?? '',
      worker: task.worker,
      issue_type: unusable ? 'FS_PERM_ERROR' : (last?.issue ?? null),
      path: unusable?.directory ?? last?.path ?? null,
      task_id: attempt.task_id,
      attempt: attempt.attempt,
    },
  };
}

function blockersOf(row: TaskRow, attempt: EndedAttempt): readonly BlockerEvent[] {
  const { failure } = attempt;
  if (failure?.kind !== 'recoverable' || failure.category !== 'permission_recovery_exhausted') return [];
  const blocker = blockerOf(row, attempt);
  return blocker ? [blocker] : [];
}
