import { taskFile } from '../../../contracts/vocabulary/files/evidenceFiles';
import { withoutEnd } from '../../../base/text/plainLine';
import { askedIn, type IntegrationRefusal } from '../../documents/claim';
import type { SubagentResult } from '../../../contracts/result';
import { criticalIntents, type Intent } from '../../../contracts/vocabulary/intents';
import type { AttemptFailure } from '../../model/facts';
import type { Attempt } from '../../model/attempt';
import { firstLines, fewNamed } from '../../../base/text/firstNamed';
import { compareClaims } from '../../observation/claim';
import { denialLines, recoverable } from '../parts/recoverable';
import type { Judged } from './rules';
import type { PlannedTask } from '../../plan/approvedPlan';
import { criterionKey } from '../../freshContext/result';
import { workOf } from './judgeMissingChange';

export function judgeMissing({ attempt }: Judged): AttemptFailure | null {
  const { claim } = attempt;
  if (claim.kind !== 'missing') return null;
  const reason = `The worker left no result packet: ${withoutEnd(claim.reason)}.`;
  return recoverable('invalid_handoff', reason, denials(attempt), { code: 'MISSING_REQUIRED_INPUT' });
}

export function judgeMalformed({ attempt: { claim } }: Judged): AttemptFailure | null {
  if (claim.kind !== 'invalid') return null;
  return recoverable('invalid_handoff', 'The result packet of the worker is not valid.', claim.problems);
}

export function judgeUntrusted({ attempt }: Judged): AttemptFailure | null {
  const refused = refusedOf(attempt);
  if (refused?.code !== 'UNTRUSTED_CONTEXT_BLOCK') return null;
  return recoverable('untrusted_context', `The result packet is not taken over: ${refused.reason}`, [
    ...refused.findings,
    ...denials(attempt),
  ]);
}

/** A refusal of the contract's validator that the other rules did not find. */
export function judgeRefused({ attempt }: Judged): AttemptFailure | null {
  const refused = refusedOf(attempt);
  if (!refused) return null;
  const { code, reason, findings } = refused;
  return recoverable('invalid_handoff', `The result packet is not taken over: ${reason}`, findings, { code });
}

/** The worker itself says that it is not done; what it asks, it asks a person. */
export function judgeReported({ attempt }: Judged): AttemptFailure | null {
  const result = resultOf(attempt);
  if (!result || result.status === 'done') return null;
  return recoverable(
    'worker_reported_blocked',
    `The worker reports that its task is ${result.status}.`,
    [...result.notes_for_orchestrator, ...denials(attempt)],
    askedIn(result).length > 0 ? { outcome: 'ASK_USER' } : {},
  );
}

export function judgeAcceptance({ attempt }: Judged): AttemptFailure | null {
  const checks = resultOf(attempt)?.acceptance_check;
  if (!checks) return null;
  const weak = checks.filter((check) => check.status !== 'pass' || check.evidence.trim() === '');
  if (checks.length > 0 && weak.length === 0) return null;
  return recoverable('verification_failed', 'The result packet does not show that the acceptance criteria are met.', [
    ...(checks.length === 0 ? ['acceptance_check is empty'] : []),
    ...weak.map((check) =>
      check.status === 'pass' ? `no evidence: ${check.criterion}` : `failed: ${check.criterion}`,
    ),
  ]);
}

/** Blocks an unobserved claim where the intent is a critical one; elsewhere evidence records it. */
export function judgeUnobserved({ task, attempt }: Judged): AttemptFailure | null {
  if (task.intent !== null && !isCritical(task.intent)) return null;
  const found = differences(attempt).unobserved;
  if (found.length === 0) return null;
  return recoverable('verification_failed', 'What the worker claims to have changed is not what was observed.', [
    ...firstLines(found, taskFile(task.task_id)),
    ...denials(attempt),
  ]);
}

export function unobservedClaims({ task, attempt }: Judged): readonly string[] {
  if (task.intent === null || isCritical(task.intent)) return [];
  return firstLines(differences(attempt).unobserved, taskFile(task.task_id));
}

/**
 * Without criteria the claim has to equal the observation; a person completes it, because the runner invents nothing.
 */
export function judgeClaimed({ task, attempt }: Judged): AttemptFailure | null {
  const { unclaimed } = differences(attempt);
  if (task.acceptance_criteria.length > 0 || unclaimed.length === 0) return null;
  const reason = 'The result packet does not name all that changed while the worker ran.';
  const lines = firstLines(unclaimed, taskFile(task.task_id));
  return recoverable('verification_failed', reason, lines, { outcome: 'INTERVENTION_REQUIRED' });
}

function differences({ claim, observed }: Attempt): ReturnType<typeof compareClaims> {
  if (claim.kind !== 'valid') return { unobserved: [], unclaimed: [] };
  return compareClaims(claim.result.changes, observed?.changes ?? [], {
    elsewhere: claim.elsewhere ?? [],
    earlier: observed?.earlier,
    ...(observed ? { comparison: observed.comparison } : {}),
  });
}

function isCritical(intent: Intent): boolean {
  return (criticalIntents as readonly Intent[]).includes(intent);
}

function resultOf({ claim }: Attempt): SubagentResult | null {
  return claim.kind === 'valid' ? claim.result : null;
}

function refusedOf({ claim }: Attempt): IntegrationRefusal | null {
  return claim.kind === 'valid' ? (claim.refused ?? null) : null;
}

function denials(attempt: Attempt): readonly string[] {
  const end = attempt.launches.findLast((launch) => launch.purpose.kind === 'worker')?.end;
  return end ? denialLines(end) : [];
}

/** A result that leaves out what it has to say, which a person can complete. Empty evidence is ACCEPTANCE_FAILED. */
export function judgeSections({ task, attempt }: Judged): AttemptFailure | null {
  const { claim } = attempt;
  if (claim.kind !== 'valid') return null;
  const made = workOf(attempt, Boolean(attempt.intervention));
  const missing = [
    ...(claim.result.changes.length === 0 && made.length > 0
      ? [`changes: names none, and ${fewNamed(made.map(({ path }) => path))} changed`]
      : []),
    ...leftOut(task, claim.result),
  ];
  if (missing.length === 0) return null;
  return recoverable('invalid_handoff', 'The result packet is incomplete.', missing, {
    outcome: 'INTERVENTION_REQUIRED',
  });
}

export function leftOut(
  task: PlannedTask,
  { changes, acceptance_check }: Pick<SubagentResult, 'changes' | 'acceptance_check'>,
): readonly string[] {
  const reported = new Set(acceptance_check.map(({ criterion }) => criterionKey(criterion)));
  const unreported = task.acceptance_criteria.filter((criterion) => !reported.has(criterionKey(criterion)));
  return [
    ...(acceptance_check.length > 0 ? unreported : []).map(
      (criterion) => `acceptance_check: not reported: ${criterion}`,
    ),
    ...changes.flatMap(({ resource, evidence }, index) =>
      isPlaceholder(evidence) ? [`changes/${index}/evidence: a placeholder, of ${resource}`] : [],
    ),
    ...acceptance_check.flatMap(({ criterion, evidence }, index) =>
      isPlaceholder(evidence) ? [`acceptance_check/${index}/evidence: a placeholder, of ${criterion}`] : [],
    ),
  ];
}

/** Returns whether it is but a placeholder: `TODO: run it`, not `Todo: the list renders`. Source: seed 004. */
export function isPlaceholder(text: string | null | undefined): boolean {
  const whole = (text ?? '').trim();
  return /^(?:TODO|FIXME|todo|fixme):/.test(whole) || forms.test(whole);
}

const forms = /^(?:\.{3}|…|todo|fixme|tbd|tba|xxx+|lorem ipsum.*|placeholder|<[a-z _-]{1,60}>)[.!]?$/i;
