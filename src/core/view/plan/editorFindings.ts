import type { Finding } from '../../documents/finding';
import { valueAt } from '../../../base/json';
import { errorCount } from '../../../base/text/amounts';

/** For the editor, where a DRAFT's missing approval is no error; `run` and `plan validate` show findings as they are. */
export function editorFindings(plan: unknown, findings: readonly Finding[]): readonly Finding[] {
  if (valueAt(plan, 'status') !== 'DRAFT') return findings;
  const others = findings.filter((finding) => !isLackOfApproval(finding));
  const status = findings.find(({ code }) => code === 'STATUS_NOT_APPROVED');
  return status === undefined
    ? others
    : [
        {
          ...status,
          severity: 'info',
          message: 'This plan is a draft. Approve it with Approve Plan when it is ready.',
        },
        ...others,
      ];
}

export function isSoundDraft(findings: readonly Finding[]): boolean {
  return (
    findings.some(({ code, severity }) => code === 'STATUS_NOT_APPROVED' && severity === 'info') &&
    findings.every(({ severity }) => severity !== 'error')
  );
}

/** `draft`, `approved` or `2 errors`. */
export function planState(findings: readonly Finding[]): string {
  if (isSoundDraft(findings)) return 'draft';
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return errors === 0 ? 'approved' : errorCount(errors);
}

export function isLackOfApproval({ code }: Pick<Finding, 'code'>): boolean {
  return approvals.has(code);
}

const approvals: ReadonlySet<Finding['code']> = new Set([
  'STATUS_NOT_APPROVED',
  'APPROVAL_INCOMPLETE',
  'RISK_APPROVAL_MISSING',
]);
