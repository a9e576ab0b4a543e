import type { BlockerEvent, RecoveryEvent } from '../../contracts/recoveryEvent';
import type { AttemptRecord, EndedAttempt } from '../model/attempt';
import { laneOf } from '../model/lanes';
import type { Mission, TaskRow } from '../model/state';
import { isGivenUp, type AllowedBy, type Recovery } from '../recovery/permission/record';

/** Everything that permission recovery did and could not do, as the contract's events; a function of the journal. */
export function recoveryEvents(mission: Mission): readonly (RecoveryEvent | BlockerEvent)[] {
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
          arguments: argumentChange(attempt, recovery),
          modes: (launchOf(attempt, relaunch?.launch_id ?? null)?.modes ?? []).map((change) => ({ ...change })),
          why: recovery.why,
        },
      },
    ];
  });
}

function blockersOf({ task }: TaskRow, attempt: EndedAttempt): readonly BlockerEvent[] {
  const { failure, recoveries } = attempt;
  if (failure?.kind !== 'recoverable' || failure.category !== 'permission_recovery_exhausted') return [];
  const last = recoveries.findLast(isGivenUp);
  return [
    {
      type: 'blocker',
      id: `blk_${last?.recovery_id.slice('rec_'.length) ?? `${attempt.task_id}_${attempt.attempt}`}`,
      timestamp: attempt.ended_at,
      payload: {
        text: failure.reason,
        details: failure.details[0] ?? '',
        worker: task.worker,
        issue_type: last?.issue ?? null,
        path: last?.path ?? null,
        task_id: attempt.task_id,
        attempt: attempt.attempt,
      },
    },
  ];
}

/** What allowed another launch and how its command line differs; null: nothing was launched. */
export function relaunchTold(
  attempt: AttemptRecord,
  recovery: Recovery,
): Pick<RecoveryEvent['payload'], 'allowed_by' | 'arguments'> | null {
  const { relaunch } = recovery;
  return relaunch && { allowed_by: allowedWords(relaunch.allowed_by), arguments: argumentChange(attempt, recovery) };
}

/** How the command line of a further launch differs from that of the launch before it; null: it is no further launch. */
export function changedArguments(mission: Mission, launchId: string): RecoveryEvent['payload']['arguments'] {
  const attempts = [...mission.lanes, ...mission.rows.flatMap(({ attempts: ended }) => ended)];
  for (const attempt of attempts) {
    const recovery = attempt.recoveries.find(({ relaunch }) => relaunch?.launch_id === launchId);
    if (recovery) return argumentChange(attempt, recovery);
  }
  return null;
}

export function allowedWords(by: AllowedBy): string {
  return by.kind === 'plan' ? by.clause : `grant of ${by.decision.actor.name}`;
}

/** The command line of the denied launch and that of the one that followed; null until it was prepared. */
function argumentChange(attempt: AttemptRecord, recovery: Recovery): RecoveryEvent['payload']['arguments'] {
  const before = launchOf(attempt, recovery.denied_launch_id)?.prepared?.argv;
  const after = launchOf(attempt, recovery.relaunch?.launch_id ?? null)?.prepared?.argv;
  if (!before || !after) return null;
  return { before: [...before], after: [...after], removed: without(before, after), added: without(after, before) };
}

/** The arguments that stand more often in `all` than in `others`, in their order. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return all.filter((argument) => {
    const place = left.indexOf(argument);
    if (place === -1) return true;
    left.splice(place, 1);
    return false;
  });
}

function launchOf({ launches }: AttemptRecord, launchId: string | null): AttemptRecord['launches'][number] | undefined {
  return launches.find(({ launch_id }) => launch_id === launchId);
}
