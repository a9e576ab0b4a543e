import { type AttemptRecord, type EndedAttempt, endedUnstopped } from '../../model/attempt';
import type { Claim } from '../../model/facts';
import { blocks } from '../../observation/attribute';
import { awaitsAcceptance } from '../../model/waitingWork';
import { overwrittenOf } from './strays';
import { workerLaunch } from './workerLaunch';

/**
 * Says why the result of an attempt cannot be validated again; null when it can. It can where the result was not judged
 * to its end: a verify command did not pass, or the changes could not be read. The result may also have come late or
 * just before the deadline, or a person had completed it. It also can where the block says nothing about the result: a
 * used-up profile, ai.project.json, phase 9, a change by others, or what blocked an earlier attempt. A result that was
 * judged and failed needs a worker again. Source: seed 000, safeWhen.
 */
export function nothingToValidate(attempt: EndedAttempt): string | null {
  const { failure, timed_out, late_result, launches, observed, intervention, phases } = attempt;
  const launch = workerLaunch(attempt);
  const is_well = endedWell(attempt);
  if (failure?.kind !== 'recoverable') return 'its attempt did not block';
  if (failure.work_gone) return 'the layer that held its work is not there';
  if (!launch?.end || !attempt.baseline) return 'its worker never ran to an end';
  if (late_result && !timed_out) return 'its worker was stopped for a write outside the approved paths';
  if (late_result) return late_result.claim.kind === 'valid' ? null : 'the result that came late is not valid';
  const unseen = failure.category === 'task_timeout' && resultAtDeadline(attempt) !== null;
  if (unseen || failure.category === 'profile_limit') return null;
  if (awaitsAcceptance(failure)) return null;
  const { landing } = attempt;
  if (landing?.failure?.kind === 'recoverable')
    return landing.failure.category === 'layer_unread' ? null : 'something else changed what its worker changed';
  const [lost] = overwrittenOf(attempt);
  if (lost) return `another program changed ${lost.path} meanwhile, and what its worker wrote there was not kept`;
  if (failure.category === 'external_change' && is_well && blockedOnlyOutOfScope(attempt)) return null;
  // What it wrote elsewhere was not kept, so it is no part of the result.
  if ((failure.category === 'stray_write' || failure.category === 'layer_unread') && observed) return null;
  const unjudged = phases.some(({ phase, outcome }) => phase === 7 && outcome !== 'PASS');
  if (intervention?.decision && unjudged) return null;
  if (attempt.memory) return null;
  const verified = launches.some(({ purpose }) => purpose.kind === 'verify');
  if (failure.category === 'verify_changed_files' && is_well && !verified && observed) return null;
  if (failure.category === 'project_context') return null;
  if (verified || observed === null) return null;
  return is_well
    ? 'its result was judged and did not pass'
    : 'its worker did not end well, so there is no result to judge';
}

/** Returns whether its worker ended by itself without a failure. An agent that did not exit has no exit code. */
export function endedWell(attempt: Pick<AttemptRecord, 'launches' | 'validates'>): boolean {
  if (attempt.validates?.late) return true;
  const end = workerLaunch(attempt)?.end;
  return Boolean(end && endedUnstopped(end) && (end.exit_code === 0 || end.did_not_exit !== undefined));
}

/** The valid result that the worker reported before its deadline and that was not judged; null: it reported none. */
export function resultAtDeadline(
  attempt: Pick<AttemptRecord, 'launches' | 'validates' | 'claim'>,
): Extract<Claim, { readonly kind: 'valid' }> | null {
  const end = workerLaunch(attempt)?.end;
  const { claim } = attempt;
  if (end?.reason !== 'deadline' || end.did_not_exit || claim.kind !== 'valid') return null;
  // What the CLI itself calls an error is no result.
  return end.final_seen && !end.final_ok ? null : claim;
}

/** Changes of others elsewhere say nothing about the result; a person still accepts them or puts them back. */
function blockedOnlyOutOfScope({ observed }: EndedAttempt): boolean {
  return observed?.changes.filter(blocks).every(({ in_scope }) => !in_scope) ?? false;
}
