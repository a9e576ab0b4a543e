import type { Answer } from '../../../contracts/taskEvidence';
import { oneLine, withoutEnd } from '../../../base/text/plainLine';
import type { ReportStatus } from '../../../contracts/vocabulary/milestones';
import type { ValidationReport } from '../../../contracts/validationReport';
import type { EndedAttempt } from '../../model/attempt';
import type { AttemptFailure } from '../../model/facts';
import type { TaskRow } from '../../model/state';
import type { PlannedTask } from '../../plan/approvedPlan';
import type { Assertion } from '../../plan/fields/task';
import { denialLines, recoverable } from '../parts/recoverable';
import { hasResult, workerLaunch } from '../parts/workerLaunch';
import type { Judged } from './rules';
import { isBlank } from '../../../contracts/vocabulary/forms';

/** Returns whether a worker is launched for the task: commands or a person alone may validate a milestone. */
export function hasWorker({ worker, validator }: Pick<PlannedTask, 'worker' | 'validator'>): boolean {
  return validator === undefined || worker !== 'command';
}

/** A validator that answers in prose has left no report. */
export function judgeReportMissing({ attempt }: Judged): AttemptFailure | null {
  const { claim } = attempt;
  if (claim.kind !== 'missing' && claim.kind !== 'not_applicable') return null;
  const why = claim.kind === 'missing' ? withoutEnd(claim.reason) : 'it was not asked for one';
  const end = workerLaunch(attempt)?.end;
  return recoverable(
    'missing_validation_report',
    `The validator left no validation report: ${why}.`,
    end ? denialLines(end) : [],
  );
}

export function judgeReportMalformed({ attempt: { claim } }: Judged): AttemptFailure | null {
  if (claim.kind !== 'invalid') return null;
  return recoverable('missing_validation_report', 'What the validator left is no validation report.', claim.problems);
}

export function judgeReportConsistent({ task, attempt: { claim } }: Judged): AttemptFailure | null {
  if (claim.kind !== 'report') return null;
  const problems = reportProblems(claim.report, task.validator?.assertions ?? []);
  if (problems.length === 0) return null;
  return recoverable('missing_validation_report', 'The validation report cannot be followed.', problems);
}

export function judgeReportPasses({ task, attempt: { claim } }: Judged): AttemptFailure | null {
  if (claim.kind !== 'report' || claim.report.status === 'pass') return null;
  const { status: found, summary, recommendation } = claim.report;
  return recoverable('validator_report_failed', `The validation report says ${found}: ${oneLine(summary)}`, [
    ...answerLines(task.validator?.assertions ?? [], claim.report),
    `It recommends: ${recommendation}.`,
  ]);
}

/** A person answers the assertions that no agent answers, each for the files as they are. */
export function judgeAnswered({ row, task: { validator }, attempt }: Judged): AttemptFailure | null {
  if (!validator) return null;
  const { assertions } = validator;
  const answers = answersFor(row, attempt.answers, attempt.tree ?? '');
  const open = assertions.find(({ id }) => !answers.has(id));
  if (open) {
    const before = attempt.answers.some(({ about }) => about !== undefined && about.tree_sha256 !== attempt.tree);
    const why = before ? ' Files changed after it was asked, so the earlier answers do not count.' : '';
    return recoverable(
      'awaiting_user',
      `Its assertions wait for a person.${why}`,
      assertions.filter(({ id }) => !answers.has(id)).map(({ id, text }) => `${id}: ${text}`),
      { outcome: 'ASK_USER' },
    );
  }
  const status = statusOf([...answers.values()].map(statusIn));
  if (status === 'pass') return null;
  return recoverable(
    'validator_report_failed',
    `Not every assertion was answered with pass: ${status}.`,
    assertions.map(({ id, text }) => answerLine(id, text, answers.get(id))),
  );
}

/** The last answer to each assertion about these files, without those that an earlier attempt was judged by. */
export function answersFor(
  { attempts, carried }: Pick<TaskRow, 'attempts' | 'carried'>,
  given: readonly Answer[],
  tree: string,
): ReadonlyMap<string, Answer> {
  const before = carried?.attempts.findLast(
    ({ validation: { failed, status = null } = {} }) => failed && status !== null && status !== 'pass',
  )?.answers?.length;
  const judgedAnswers = attempts.findLast(isRefused)?.answers.length ?? before ?? 0;
  return new Map(
    given
      .slice(judgedAnswers)
      .flatMap((answer) => (answer.about?.tree_sha256 === tree ? [[answer.about.assertion, answer] as const] : [])),
  );
}

/** Returns whether the answers refused the milestone, and not a command that failed before they were judged. */
function isRefused({ failure }: Pick<EndedAttempt, 'failure'>): boolean {
  return failure?.kind === 'recoverable' && failure.category === 'validator_report_failed';
}

/** The answer of a person in the words of a report; its choices have no others. */
export function statusIn({ choice }: Answer): ReportStatus {
  return choice === 'pass' || choice === 'fail' ? choice : 'inconclusive';
}

/** Returns whether an attempt counts as a failed validation, and not as one that could not be made. */
export function isFailed({ failure, verify }: Pick<EndedAttempt, 'failure' | 'verify'>): boolean {
  if (failure?.kind !== 'recoverable' || !counted.includes(failure.category)) return false;
  const last = verify.at(-1);
  // A command that never ran, was stopped or lost its supervisor has found nothing.
  return failure.category !== 'verification_failed' || !last || hasResult(last.end);
}

const counted: readonly string[] = ['validator_report_failed', 'missing_validation_report', 'verification_failed'];

/** Counts the failed validations of a unit that validates a milestone, here and before a handoff. */
export function validationFailures({ attempts, carried }: Pick<TaskRow, 'attempts' | 'carried'>): number {
  const before = (carried?.attempts ?? []).filter(({ validation }) => validation?.failed === true);
  return before.length + attempts.filter((attempt) => isFailed(attempt)).length;
}

function answerLines(asked: readonly Assertion[], { assertions, defects }: ValidationReport): readonly string[] {
  return [
    ...asked.map(({ id, text }) => {
      const found = assertions.find(({ assertionId }) => assertionId === id);
      return `${found?.status ?? 'not answered'}: ${id} ${text}${found ? ` (${oneLine(found.evidence)})` : ''}`;
    }),
    ...defects.map(({ id, severity, title }) => `${severity} defect ${id}: ${oneLine(title)}`),
  ];
}

function answerLine(id: string, text: string, answer: Answer | undefined): string {
  const by = answer ? ` (${answer.decision.actor.name}: ${oneLine(answer.decision.reason)})` : '';
  return `${answer ? statusIn(answer) : 'not answered'}: ${id} ${text}${by}`;
}

/** Says why a report cannot be followed, one sentence each. A report that fails may leave assertions out. */
function reportProblems(
  { status, assertions, defects, procedureFindings, recommendation }: ValidationReport,
  asked: readonly { readonly id: string }[],
): readonly string[] {
  const known = new Set(asked.map(({ id }) => id));
  const ids = assertions.map(({ assertionId }) => assertionId);
  const problems = [
    ...ids.filter((id) => !known.has(id)).map((id) => `it names the assertion ${id}, which was not asked`),
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `it answers ${id} twice`),
  ];
  if (status !== 'pass') return problems;
  const critical = [...defects, ...procedureFindings].filter(({ severity }) => severity === 'critical');
  return [
    ...problems,
    ...asked.filter(({ id }) => !ids.includes(id)).map(({ id }) => `it says pass and leaves ${id} out`),
    ...assertions
      .filter((one) => one.status !== 'pass')
      .map((one) => `it says pass, and ${one.status} of ${one.assertionId}`),
    ...assertions
      .filter((one) => one.status === 'pass' && isBlank(one.evidence))
      .map((one) => `it shows no evidence for ${one.assertionId}`),
    ...critical.map(({ id, title }) => `it says pass with the critical defect ${id}: ${title}`),
    ...(recommendation === 'accept' ? [] : [`it says pass and recommends ${recommendation}`]),
  ];
}

export function statusOf(answers: readonly ReportStatus[]): ReportStatus {
  if (answers.includes('fail')) return 'fail';
  return answers.includes('inconclusive') ? 'inconclusive' : 'pass';
}
