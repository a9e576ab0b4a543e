import type { ValidationReport } from '../../contracts/validationReport';
import { isBlank } from '../../contracts/vocabulary/forms';
import type { ReportStatus } from '../../contracts/vocabulary/milestones';

/** Says why a report cannot be followed, one sentence each. A report that fails may leave assertions out. */
export function reportProblems(
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
