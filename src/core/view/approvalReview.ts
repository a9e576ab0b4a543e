import type { ApprovalSummary } from '../plan/approvalSummary';

/** Which processes nothing holds back, in words; empty when each is confined. */
function unconfined({ workers, tasks }: ApprovalSummary): readonly string[] {
  return [
    ...workers.filter(({ confinement }) => confinement === 'none').map(({ worker }) => `the worker ${worker}`),
    ...(tasks.some(({ verify }) => verify.length > 0) ? ['verify commands'] : []),
  ];
}

/** Lines a person reads in a dialog; a longer text needs a page. */
const dialogLines = 20;

/**
 * Why a person has to read everything before approving is on offer, in words; empty: the dialog shows it all.
 * `lines`: of the text that would stand in the dialog. Source: decisions.md section 3.
 */
export function reviewReasons(summary: ApprovalSummary, lines: number): readonly string[] {
  const free = unconfined(summary);
  return [
    ...(free.length > 0 ? [`nothing confines ${free.join(' and ')}`] : []),
    ...(summary.risk_level >= 2 ? [`the risk level is ${summary.risk_level}`] : []),
    ...(lines > dialogLines ? ['it is too long for this dialog'] : []),
  ];
}
