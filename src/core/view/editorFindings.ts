import type { Finding } from '../documents/finding';
import { valueAt } from '../../base/json';

/**
 * Findings as an editor shows them: somebody who writes a DRAFT has done nothing wrong by not having approved it yet.
 * `run` and `plan validate` go by the findings as they are.
 */
export function editorFindings(plan: unknown, findings: readonly Finding[]): readonly Finding[] {
  if (valueAt(plan, 'status') !== 'DRAFT') return findings;
  const others = findings.filter(({ code }) => !approvals.has(code));
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

/** Whether nothing is missing but the approval. */
export function isSoundDraft(findings: readonly Finding[]): boolean {
  return (
    findings.some(({ code, severity }) => code === 'STATUS_NOT_APPROVED' && severity === 'info') &&
    findings.every(({ severity }) => severity !== 'error')
  );
}

/** What a plan is, in a word. */
export function planState(findings: readonly Finding[]): string {
  if (isSoundDraft(findings)) return 'draft';
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return errors === 0 ? 'approved' : `${errors} error${errors === 1 ? '' : 's'}`;
}

/** What approving takes care of. */
const approvals: ReadonlySet<Finding['code']> = new Set(['STATUS_NOT_APPROVED', 'RISK_APPROVAL_MISSING']);
