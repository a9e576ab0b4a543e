import type { PlannedTask } from '../plan/approvedPlan';
import type { IntegrationRefusal } from '../documents/claim';
import type { AttemptFailure, Claim } from '../model/facts';
import type { Attempt } from '../model/attempt';
import { firstLines } from '../../base/text/firstNamed';
import { claimDifferences } from '../observation/claim';
import { denialLines, recoverable } from './recoverable';

/** Checks the result packet, the worker's claim, against the task and the observed changes. */
export function judgeClaim(task: PlannedTask, attempt: Attempt): AttemptFailure | null {
  const { claim } = attempt;
  switch (claim.kind) {
    case 'not_applicable':
      return null;
    case 'missing':
      return recoverable(
        'missing_handoff',
        `The worker left no result packet: ${claim.reason.replace(/[.\s]+$/, '')}.`,
        denials(attempt),
      );
    case 'invalid':
      return recoverable('invalid_handoff', 'The result packet of the worker is not valid.', claim.problems);
    case 'valid':
      return (
        judgeUntrusted(attempt, claim.refused ?? null) ??
        judgeResult(task, attempt, claim) ??
        judgeRefused(claim.refused ?? null)
      );
  }
}

/** A result with a secret is refused before anything else of it is judged. */
function judgeUntrusted(attempt: Attempt, refused: IntegrationRefusal | null): AttemptFailure | null {
  if (refused?.code !== 'UNTRUSTED_CONTEXT_BLOCK') return null;
  return recoverable('untrusted_context', `The result packet is not taken over: ${refused.reason}`, [
    ...refused.findings,
    ...denials(attempt),
  ]);
}

/** A refusal of the contract's validator that the other checks did not find. */
function judgeRefused(refused: IntegrationRefusal | null): AttemptFailure | null {
  if (!refused) return null;
  const { code, reason, findings } = refused;
  return { ...recoverable('invalid_handoff', `The result packet is not taken over: ${reason}`, findings), code };
}

function judgeResult(
  task: PlannedTask,
  attempt: Attempt,
  { result, elsewhere = [] }: Extract<Claim, { kind: 'valid' }>,
): AttemptFailure | null {
  if (result.status !== 'done') {
    return recoverable('worker_reported_blocked', `The worker reports that its task is ${result.status}.`, [
      ...result.notes_for_orchestrator,
      ...denials(attempt),
    ]);
  }
  const missing = task.acceptance_criteria.filter(
    (criterion) => !result.acceptance_check.some((check) => check.criterion === criterion),
  );
  const weak = result.acceptance_check.filter((check) => check.status !== 'pass' || check.evidence.trim() === '');
  if (result.acceptance_check.length === 0 || missing.length > 0 || weak.length > 0) {
    return recoverable('verification_failed', 'The result packet does not show that the acceptance criteria are met.', [
      ...(result.acceptance_check.length === 0 ? ['acceptance_check is empty'] : []),
      ...missing.map((criterion) => `not reported: ${criterion}`),
      ...weak.map((check) =>
        check.status === 'pass' ? `no evidence: ${check.criterion}` : `failed: ${check.criterion}`,
      ),
    ]);
  }
  if (task.acceptance_criteria.length > 0) return null;
  // Without criteria the claim has to equal the observation (decisions.md section 9).
  const differences = claimDifferences(result.changes, attempt.observed?.changes ?? [], {
    elsewhere,
    ...(attempt.observed ? { comparison: attempt.observed.comparison } : {}),
  });
  if (differences.length === 0) return null;
  return recoverable(
    'verification_failed',
    'What the worker claims to have changed is not what was observed.',
    firstLines(differences, `TASK_${task.task_id}.json`),
  );
}

function denials(attempt: Attempt): readonly string[] {
  const end = attempt.launches.findLast((launch) => launch.purpose.kind === 'worker')?.end;
  return end ? denialLines(end) : [];
}
