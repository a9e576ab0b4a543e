import { invocationFields } from '../../contracts/vocabulary/audit';
import { roleOfIntent } from '../../contracts/vocabulary/models';
import type { InvocationRecord } from '../../contracts/audit';
import type { Attempt, Launch } from '../model/attempt';
import type { MissionEvent } from '../model/events';
import type { Claim, LaunchEnd } from '../model/facts';
import { rowOf, type Mission } from '../model/state';

export type InvocationRecorded = Extract<MissionEvent, { type: 'InvocationRecorded' }>;

/** How a launch came to its end, or why it never began. */
export interface Ended {
  readonly end: LaunchEnd | null;
  readonly claim: Claim;
  /** What it was denied, where it is launched once more. */
  readonly retried: string | null;
  /** Why nothing was started; null: something was. */
  readonly unstarted: string | null;
}

/** Whether the launch invokes a model. A command and a verify command do not. */
export function isInvocation(mission: Mission, attempt: Pick<Attempt, 'task_id'>, launch: Launch): boolean {
  return launch.purpose.kind === 'worker' && rowOf(mission, attempt.task_id)?.task.worker !== 'command';
}

/**
 * The record of one launch of an agent.
 *
 * @throws when a field is missing: a record that is not whole is not written, and the owner halts
 */
export function invocationOf(
  mission: Mission,
  attempt: Attempt,
  launch: Launch,
  ended: Ended & { readonly at: string; readonly call_index: number },
): InvocationRecorded {
  const task = rowOf(mission, attempt.task_id)?.task;
  if (!task) throw new Error(`Broken invariant: no row for task ${attempt.task_id}.`);
  const { end, at, call_index } = ended;
  const selected = attempt.phases.find(({ phase }) => phase === 3)?.selected;
  const intent = task.intent ?? 'code_generation';
  const resolved = selected?.resolved_id ?? launch.prepared?.model ?? end?.model ?? null;
  const failure_reason = failureOf(attempt, ended);
  const record: InvocationRecord = {
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
    result: failure_reason === null ? 'success' : ended.retried === null ? 'halt' : 'retry',
    failure_reason,
    escalation_attempted: false,
    notes: notesOf(launch, end, resolved),
  };
  const missing = invocationFields.filter((field) => (record[field] as unknown) === undefined);
  if (missing.length > 0) throw new Error(`Broken invariant: an invocation record without ${missing.join(', ')}.`);
  return {
    type: 'InvocationRecorded',
    task_id: attempt.task_id,
    attempt: attempt.attempt,
    launch_id: launch.launch_id,
    record,
  };
}

/** The number of the task's invocations so far, those before a handoff among them. */
export function callsOf(mission: Mission, attempt: Attempt): number {
  const row = rowOf(mission, attempt.task_id);
  const carried = (row?.carried?.attempts ?? []).flatMap(({ launches }) => launches).length;
  return carried + [...(row?.attempts ?? []), attempt].flatMap(recordedLaunches).length;
}

function recordedLaunches({ launches }: Pick<Attempt, 'launches'>): readonly Launch[] {
  return launches.filter(({ call_index }) => call_index !== undefined);
}

/** Why the invocation left no result that may be judged; null: it left one. */
function failureOf(attempt: Attempt, { end, claim, retried, unstarted }: Ended): string | null {
  if (unstarted !== null) return unstarted;
  if (retried !== null) return retried;
  if (end === null) return attempt.stop_requested ? 'stopped before it was started' : 'never started';
  if (attempt.stop_requested) return `stopped by ${attempt.stop_requested.actor.name}`;
  if (attempt.timed_out) return 'TASK_TIMEOUT: no sign of life';
  if (attempt.scope_breach !== null) return `SCOPE_VIOLATION: a write to ${attempt.scope_breach} was announced`;
  if (end.reason !== 'exited') return end.error === null ? end.reason : `${end.reason}: ${end.error}`;
  if (end.error !== null) return end.error;
  if (end.exit_code !== 0)
    return end.signal === null ? `exited with ${end.exit_code ?? 'no code'}` : `ended by ${end.signal}`;
  if (!end.final_seen) return 'ended without its final event';
  if (!end.final_ok) return end.final_reason ?? 'the CLI reported an error';
  switch (claim.kind) {
    case 'not_applicable':
      return null;
    case 'missing':
      return `no result packet: ${claim.reason}`;
    case 'invalid':
      return `no valid result packet: ${claim.problems.join('; ')}`;
    case 'valid':
      if (claim.refused) return `${claim.refused.code}: ${claim.refused.reason}`;
      return claim.result.status === 'done' ? null : `the worker claims ${claim.result.status}`;
  }
}

function tokensOf(end: LaunchEnd | null): number | null {
  const { input_tokens: input, output_tokens: output } = end?.usage ?? { input_tokens: null, output_tokens: null };
  return input === null && output === null ? null : (input ?? 0) + (output ?? 0);
}

function notesOf({ adjustment }: Launch, end: LaunchEnd | null, resolved: string | null): string | null {
  const notes = [
    ...(adjustment?.recovery_id ? [`launched once more after ${adjustment.recovery_id}`] : []),
    ...(end?.model && end.model !== resolved ? [`the CLI told the model ${end.model}`] : []),
  ];
  return notes.length === 0 ? null : notes.join('; ');
}
