import type { RecoveryView } from '../../contracts/missionView';
import { quotedArguments } from '../../base/text/visible';
import { relaunchTold } from '../mission/recoveryDocuments';
import type { AttemptRecord } from '../model/attempt';
import { laneOf } from '../model/lanes';
import type { Mission, TaskRow } from '../model/state';
import type { Grant, Recovery } from '../recovery/permission/record';

/** What permission recovery did for a task and what a person granted it, oldest first. */
export function recoveryViews(mission: Mission, row: TaskRow): readonly RecoveryView[] {
  const lane = laneOf(mission, row.task.task_id);
  return [...row.attempts, ...(lane ? [lane] : [])].flatMap((attempt) => [
    ...grantsOf(attempt).map((grant) => grantView(attempt, grant)),
    ...attempt.recoveries.map((recovery) => recoveryView(attempt, recovery)),
  ]);
}

function recoveryView(attempt: AttemptRecord, recovery: Recovery): RecoveryView {
  const { issue, issue_detected, path, retry_count, relaunch } = recovery;
  const told = relaunchTold(attempt, recovery);
  return {
    attempt: attempt.attempt,
    what: `${issue}${path === null ? '' : ` on ${path}`}: ${issue_detected}`,
    change:
      told === null
        ? null
        : `Launched once more (${retry_count}), allowed by ${told.allowed_by}.${argumentWords(told.arguments)}`,
    outcome: outcomeOf(recovery, relaunch !== null),
    status: recovery.status,
  };
}

function outcomeOf({ status, why }: Recovery, relaunched: boolean): string {
  switch (status) {
    case 'pending':
      return 'The new launch was not seen alive yet.';
    case 'success':
      return 'The new launch was seen alive.';
    case 'failed':
      return `The new launch failed: ${why ?? 'unknown'}`;
    case 'escalated':
      return `${relaunched ? '' : 'Nothing was launched. '}It is for a person: ${why ?? 'nothing was left to try.'}`;
  }
}

function argumentWords(
  change: { readonly removed: readonly string[]; readonly added: readonly string[] } | null,
): string {
  if (change === null) return '';
  const { removed, added } = change;
  const words = (list: readonly string[]): string => (list.length === 0 ? 'nothing' : quotedArguments(list));
  return ` Arguments removed: ${words(removed)}; added: ${words(added)}.`;
}

function grantsOf({ launches }: AttemptRecord): readonly Grant[] {
  return launches.find(({ purpose }) => purpose.kind === 'worker')?.adjustment?.granted ?? [];
}

function grantView({ attempt }: AttemptRecord, { permission, directory, decision }: Grant): RecoveryView {
  return {
    attempt,
    what: `Granted by ${decision.actor.name} for this attempt: ${permission} on ${directory}`,
    change: null,
    outcome: decision.reason,
    status: 'granted',
  };
}
