import type { EventOf } from '../model/events';
import type { Attempt, EndedAttempt } from '../model/attempt';
import { resultAtDeadline } from './parts/validation';
import { workerLaunch } from './parts/workerLaunch';

/** An attempt that has done nothing yet. @param run_dir name of its run directory */
export function startedAttempt(
  event: EventOf<'AttemptStarted'>,
  run_dir: string,
  { at, seq }: { readonly at: string; readonly seq: number },
): Attempt {
  return {
    task_id: event.task_id,
    attempt: event.attempt,
    telemetry_mode: event.telemetry_mode,
    decided_by: event.decided_by,
    started_at: at,
    started_seq: seq,
    run_dir,
    validates: null,
    phases: [],
    baseline: null,
    launches: [],
    claim: { kind: 'not_applicable' },
    observed: null,
    plan_sha256_observed: null,
    plan_hash_explanation: null,
    verify: [],
    external_saves: [],
    scope_breach: null,
    over_budget: null,
    timed_out: null,
    late_result: null,
    stop_requested: null,
    after_verify: null,
    unread: null,
    recoveries: [],
    unlaunched: null,
    grants: [],
    answers: [],
    audit: [{ at, event }],
    stage: { at: 'plan_hash' },
  };
}

/** Makes an attempt validate the result of an earlier one, at a person's request also one that came late. */
export function withResultOf(earlier: EndedAttempt, started: Attempt): Attempt {
  const launch = workerLaunch(earlier);
  if (!launch) throw new Error('Broken invariant: a result is judged once more that no worker made.');
  const { late_result, baseline, external_saves } = earlier;
  const run_dir = earlier.validates?.run_dir ?? earlier.run_dir;
  const late = late_result !== null || resultAtDeadline(earlier) !== null || (earlier.validates?.late ?? false);
  return {
    ...started,
    validates: { attempt: earlier.validates?.attempt ?? earlier.attempt, launch, run_dir, late },
    baseline,
    ...(earlier.context && { context: earlier.context }),
    claim: late_result?.claim ?? earlier.claim,
    // Copied: the fold may still append to the earlier attempt's list.
    external_saves: [...external_saves],
  };
}
