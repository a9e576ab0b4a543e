import type { Finding } from '../../documents/finding';

/** Says whether approving the plan resolves the finding. */
export function isLackOfApproval({ code }: Pick<Finding, 'code'>): boolean {
  return approvals.has(code);
}

const approvals: ReadonlySet<Finding['code']> = new Set([
  'STATUS_NOT_APPROVED',
  'APPROVAL_INCOMPLETE',
  'RISK_APPROVAL_MISSING',
]);
