import type { AttemptEvidence } from '../../../contracts/taskEvidence';
import { answersFor, isFailed, statusIn } from '../../lifecycle/judge/judgeReport';
import { statusOf } from '../../documents/validationReport';
import type { EndedAttempt } from '../../model/attempt';
import type { TaskRow } from '../../model/state';

/**
 * Returns what an attempt of the row found of its milestone, here or before a handoff; undefined: it validated nothing.
 */
export function validationIn(row: TaskRow, attempt: number): AttemptEvidence['validation'] {
  const here = row.attempts.find((one) => one.attempt === attempt);
  if (here) return validationFacts(row, here);
  return row.carried?.attempts.find((one) => one.attempt === attempt)?.validation;
}

/** Returns what an attempt found that validated a milestone: the report of an agent, or what people answered. */
export function validationFacts(row: TaskRow, attempt: EndedAttempt): AttemptEvidence['validation'] {
  const { validator } = row.task;
  if (!validator) return undefined;
  const { claim, tree } = attempt;
  const report = claim.kind === 'report' ? claim.report : null;
  const earlier = { carried: row.carried, attempts: row.attempts.filter((one) => one.attempt < attempt.attempt) };
  const answers = answersFor(earlier, attempt.answers, tree ?? '');
  const assertions = validator.assertions.map(({ id, text }) => {
    const found = report?.assertions.find(({ assertionId }) => assertionId === id);
    if (found) return { id, assertion: text, status: found.status, evidence: found.evidence, decision: null };
    const answer = answers.get(id);
    if (!answer) return { id, assertion: text, status: null, evidence: '', decision: null };
    const { decision } = answer;
    return { id, assertion: text, status: statusIn(answer), evidence: decision.reason, decision };
  });
  const answered = assertions.length > 0 && answers.size === assertions.length;
  return {
    status: report ? report.status : answered ? statusOf([...answers.values()].map(statusIn)) : null,
    failed: isFailed(attempt),
    tree_sha256: tree ?? null,
    assertions,
    report,
  };
}
