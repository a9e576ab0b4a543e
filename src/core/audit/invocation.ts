import type { ModelSelection } from '../../contracts/taskEvidence';
import { tiers, roleOfIntent } from '../../contracts/vocabulary/intents';
import type { InvocationRecord } from '../../contracts/audit';
import { type Attempt, type Launch, endedUnstopped } from '../model/attempt';
import type { EventOf } from '../model/events';
import type { AttemptFailure, Claim, LaunchEnd } from '../model/facts';
import { rowOf, type Tasks } from '../model/state';
import { exitWords, lingeredWords } from '../../base/text/endWords';
import { askedIn } from '../documents/claim';

export type InvocationRecorded = EventOf<'InvocationRecorded'>;

export interface InvocationEnd {
  readonly end: LaunchEnd | null;
  readonly claim: Claim;
  /** What the launch was denied, where the worker is launched once more; else null. */
  readonly retried: string | null;
  /** Why no process was started; null: one was. */
  readonly unstarted: string | null;
  /** What verification made of a result that could be judged; absent: nothing was judged. */
  readonly verdict?: InvocationVerdict;
}

interface InvocationVerdict {
  readonly result: 'ask_user' | 'intervention';
  readonly reason: string;
}

/** Returns what a person has to do with a judged result; absent: nothing, or the task halted without asking. */
export function judgedBy(failure: AttemptFailure | null): { readonly verdict?: InvocationVerdict } {
  if (failure?.kind !== 'recoverable' || !failure.outcome) return {};
  const result = failure.outcome === 'ASK_USER' ? 'ask_user' : 'intervention';
  return { verdict: { result, reason: [failure.reason, ...failure.details].join(' ') } };
}

/** Returns whether verification judges the launch's result: only then is it known how the invocation ended. */
export function isJudgeable(attempt: Attempt, invocationEnd: InvocationEnd): boolean {
  return failureOf(attempt, invocationEnd) === null;
}

/** Returns whether the launch invokes a model. A command and a verify command do not. */
export function isInvocation(mission: Tasks, attempt: Pick<Attempt, 'task_id'>, launch: Launch): boolean {
  return launch.purpose.kind === 'worker' && rowOf(mission, attempt.task_id).task.worker !== 'command';
}

/**
 * The record of one launch of an agent.
 *
 * @throws when a field is missing: a record that is not whole is not written, and the owner halts
 */
export function invocationOf(
  mission: Tasks,
  attempt: Attempt,
  launch: Launch,
  invocationEnd: InvocationEnd & { readonly at: string; readonly call_index: number },
): InvocationRecorded {
  const { task } = rowOf(mission, attempt.task_id);
  const { end, at, call_index } = invocationEnd;
  const selected = selectionIn(attempt.phases);
  const intent = task.intent ?? 'code_generation';
  const resolved = selected?.resolved_id ?? launch.prepared?.model ?? end?.model ?? null;
  const failure_reason = failureOf(attempt, invocationEnd) ?? invocationEnd.verdict?.reason ?? null;
  const escalated = escalationOf(mission, attempt, selected);
  const record = wholeRecord({
    timestamp: at,
    project_id: mission.plan.plan_id,
    session_id: mission.run_id,
    task_id: attempt.task_id,
    telemetry_mode: attempt.telemetry_mode,
    lifecycle_phase: 5,
    intent,
    model_logical_id: selected?.logical_id ?? task.model ?? task.worker,
    model_resolved_id: resolved,
    model_tier: selected?.tier ?? task.tier,
    capability_profile: selected?.capability_profile ?? null,
    role: selected?.role ?? roleOfIntent[intent],
    call_index,
    token_estimate: tokensOf(end),
    result: resultOf(attempt, invocationEnd),
    failure_reason,
    escalation_attempted: escalated !== null,
    notes: notesOf(launch, end, resolved, escalated),
  });
  const { task_id, attempt: number } = attempt;
  return { type: 'InvocationRecorded', task_id, attempt: number, launch_id: launch.launch_id, record };
}

/** @throws what an owner halts with: "Missing ANY field -> HALT." Source: seed 004. */
export function wholeRecord(record: InvocationRecord): InvocationRecord {
  const missing = Object.entries(record).flatMap(([field, value]) => ((value as unknown) === undefined ? [field] : []));
  if (missing.length > 0) throw new Error(`Broken invariant: an invocation record without ${missing.join(', ')}.`);
  return record;
}

/** The number of the task's invocations so far, those before a handoff among them. */
export function callsOf(mission: Tasks, attempt: Attempt): number {
  const row = rowOf(mission, attempt.task_id);
  const carried = (row.carried?.attempts ?? []).flatMap(({ launches }) => launches).length;
  const launches = [...row.attempts, attempt].flatMap((one) => one.launches);
  return carried + launches.filter(({ call_index }) => call_index !== undefined).length;
}

function resultOf(attempt: Attempt, invocationEnd: InvocationEnd): InvocationRecord['result'] {
  const { claim, verdict, retried } = invocationEnd;
  if (failureOf(attempt, invocationEnd) === null) return verdict?.result ?? 'success';
  if (retried !== null) return 'retry';
  const isAsking = claim.kind === 'valid' && !claim.refused && askedIn(claim.result).length > 0;
  const withoutClaim = { ...invocationEnd, claim: { kind: 'not_applicable' } } as const;
  return isAsking && failureOf(attempt, withoutClaim) === null ? 'ask_user' : 'halt';
}

/** Says that the model has more authority than the one with which the task failed before; null: it has not. */
function escalationOf(
  mission: Tasks,
  { task_id, decided_by }: Attempt,
  selected: ModelSelection | undefined,
): string | null {
  const earlier = rowOf(mission, task_id).attempts.findLast(({ phases }) => selectionIn(phases));
  const before = earlier && selectionIn(earlier.phases);
  if (!selected || !before || !earlier.failure || tiers.indexOf(selected.tier) >= tiers.indexOf(before.tier))
    return null;
  const by = decided_by ? `, decided by ${decided_by.actor.name}: ${decided_by.reason}` : '';
  return `escalated from ${before.logical_id} (tier ${before.tier}), which failed: ${earlier.failure.reason}${by}`;
}

function selectionIn(phases: Attempt['phases']): ModelSelection | undefined {
  return phases.find(({ phase }) => phase === 3)?.selected;
}

/** Says why the invocation left no result that may be judged; null: it left one. */
function failureOf(attempt: Attempt, { end, claim, retried, unstarted }: InvocationEnd): string | null {
  if (unstarted !== null) return unstarted;
  if (retried !== null) return retried;
  if (end === null) return attempt.stop_requested ? 'stopped before it was started' : 'never started';
  if (attempt.stop_requested) return `stopped by ${attempt.stop_requested.actor.name}`;
  if (attempt.timed_out) return 'TASK_TIMEOUT: no sign of life';
  if (attempt.scope_breach !== null)
    return attempt.breach_stray
      ? `CONCURRENCY_CONFLICT: ${attempt.scope_breach} changed outside the approved paths`
      : `SCOPE_VIOLATION: a write to ${attempt.scope_breach} was ${attempt.breach_seen ? 'seen' : 'announced'}`;
  if (!endedUnstopped(end)) return end.error === null ? end.reason : `${end.reason}: ${end.error}`;
  if (end.error !== null) return end.error;
  if (end.exit_code !== 0 && !end.did_not_exit) return exitWords(end);
  if (!end.final_seen) return 'ended without its final event';
  if (!end.final_ok) return end.final_reason ?? 'the CLI reported an error';
  switch (claim.kind) {
    case 'not_applicable':
      return null;
    case 'missing':
      return `no result packet: ${claim.reason}`;
    case 'invalid':
      return `no valid result packet: ${claim.problems.join('; ')}`;
    case 'report':
      return claim.report.status === 'pass' ? null : `the report says ${claim.report.status}`;
    case 'valid':
      if (claim.refused) return `${claim.refused.code}: ${claim.refused.reason}`;
      return claim.result.status === 'done' ? null : `the worker claims ${claim.result.status}`;
  }
}

export function tokensOf(end: LaunchEnd | null): number | null {
  const { input_tokens: input, output_tokens: output } = end?.usage ?? { input_tokens: null, output_tokens: null };
  return input === null && output === null ? null : (input ?? 0) + (output ?? 0);
}

function notesOf(
  { adjustment }: Launch,
  end: LaunchEnd | null,
  resolved: string | null,
  escalated: string | null,
): string | null {
  const notes = [
    ...(adjustment?.recovery_id ? [`launched once more after ${adjustment.recovery_id}`] : []),
    ...(escalated === null ? [] : [escalated]),
    ...(end?.did_not_exit ? [lingeredWords(end.did_not_exit)] : []),
    ...(end?.model && end.model !== resolved ? [`the CLI reported the model ${end.model}`] : []),
  ];
  return notes.length === 0 ? null : notes.join('; ');
}
