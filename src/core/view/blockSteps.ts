import type { CommandOffers } from '../../contracts/missionView';
import type { TaskCommandName } from '../../contracts/missionCommand';
import { decisionStep } from '../../base/text/steps';
import type { MetadataChanges } from '../../contracts/metadataChanges';
import { timeLimits } from '../../contracts/vocabulary/plan';
import { changedNothing } from '../lifecycle/judgeMissingChange';
import { acceptCommand } from '../lifecycle/judgeVerifyChanges';
import { workerLaunch } from '../lifecycle/workerLaunch';
import { grantStepsOf } from '../mission/grant';
import { attemptsOf } from '../mission/handoffs';
import { answerSteps } from '../mission/questions';
import { reviseStep } from '../mission/supersede';
import { cannotSkip } from '../mission/skip';
import type { EndedAttempt } from '../model/attempt';
import { openChanges, type Mission, type TaskRow } from '../model/state';

/**
 * Returns what a person can do about a blocked task, the likeliest first; what leaves it as it is comes with its
 * packet.
 */
export function blockSteps(mission: Mission, row: TaskRow, offers: CommandOffers): readonly string[] {
  const { task_id } = row.task;
  const offered = (name: TaskCommandName): boolean => offers[name].includes(task_id);
  const changes = openChanges(row);
  const again = offered('RerunValidation') ? [decisionStep('rerun-validation', mission.mission_id, task_id)] : [];
  const isVerifyLate = isEndedAtLimit(row.attempts.at(-1));
  return [
    ...answerSteps(mission, task_id),
    ...(offered('AcceptChanges') ? [acceptCommand(mission, task_id, changes)] : []),
    ...(isVerifyLate ? [] : again),
    ...grantStepsOf(mission, task_id),
    ...revisionSteps(mission, row, offers),
    ...(isVerifyLate ? again : []),
    ...(offered('RetryTask') ? [decisionStep('retry', mission.mission_id, task_id)] : []),
    ...leaveStep(mission, task_id),
    ...(cannotSkip(mission, task_id) ? [] : [decisionStep('skip', mission.mission_id, task_id)]),
    ...(offers.SupersedeMission && !planFirst(row) ? [reviseStep(mission)] : []),
    ...(offers.CancelMission ? [decisionStep('cancel', mission.mission_id)] : []),
  ];
}

/** Returns what has to change first, because a retry alone ends like the attempt before. */
function revisionSteps(mission: Mission, row: TaskRow, offers: CommandOffers): readonly string[] {
  if (planFirst(row)) return offers.SupersedeMission ? [reviseStep(mission)] : [];
  const { task_id } = row.task;
  const wanted = revisionOf(row);
  if (!wanted || !offers.ReviseMetadata.includes(task_id)) return [];
  const [field, value] = wanted;
  const next = attemptsOf(row) + 1;
  if (row.revisions.some(({ attempt, after }) => attempt === next && after[field] !== undefined)) return [];
  return [decisionStep('packet revise', mission.mission_id, '--task', task_id, '--set', `${field}=${value}`)];
}

/** The field of its metadata that lets the next attempt end differently; null: none is known to. */
function revisionOf(row: TaskRow): readonly [keyof MetadataChanges, string] | null {
  if (changedNothing(row)) return ['note', 'TEXT'];
  const attempt = row.attempts.at(-1);
  return attempt ? timeOf(row.task, attempt) : null;
}

/** Twice the time that ran out. No time mends what else blocks under the same category, such as processes that are left. */
function timeOf(task: TaskRow['task'], attempt: EndedAttempt): readonly [keyof MetadataChanges, string] | null {
  const { failure, timed_out } = attempt;
  if (isEndedAtLimit(attempt)) return moreTime(task, 'max_runtime_seconds', timeLimits.max_runtime_seconds.max);
  if (failure?.kind !== 'recoverable' || failure.category !== 'task_timeout' || failure.human_only !== null)
    return null;
  const deadline = !timed_out && workerLaunch(attempt)?.end?.reason === 'deadline';
  if (!timed_out && !deadline) return null;
  const field = deadline ? 'max_runtime_seconds' : 'timeout_seconds';
  // A silence that is longer than the deadline is never reached.
  const most = deadline ? timeLimits[field].max : Math.min(timeLimits[field].max, task.max_runtime_seconds);
  return moreTime(task, field, most);
}

function moreTime(
  task: TaskRow['task'],
  field: 'max_runtime_seconds' | 'timeout_seconds',
  most: number,
): readonly [keyof MetadataChanges, string] | null {
  const longer = Math.min(task[field] * 2, most);
  return longer > task[field] ? [field, String(longer)] : null;
}

/** Returns whether an attempt failed because its last verify command was ended at the limit of the task. */
function isEndedAtLimit(attempt: EndedAttempt | undefined): boolean {
  const { failure, verify = [] } = attempt ?? {};
  if (failure?.kind !== 'recoverable' || failure.category !== 'verification_failed') return false;
  return verify.at(-1)?.end.reason === 'deadline';
}

/** Returns whether only another plan changes what the task does: its command changed nothing, and reads no note. */
function planFirst(row: TaskRow): boolean {
  return changedNothing(row) && row.task.worker === 'command';
}

/** The step that leaves the task blocked; none once a person has decided that. */
function leaveStep({ packets }: Mission, taskId: string): readonly string[] {
  const packet = packets.findLast(({ task_id }) => task_id === taskId);
  return packet?.state.kind === 'open'
    ? [decisionStep('packet resolve', packet.packet_id, '--outcome', 'leave-blocked')]
    : [];
}
