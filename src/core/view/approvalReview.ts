import type { ApprovalSummary } from '../plan/approvalSummary';

/** The processes without confinement, in words. */
export function unconfined({ workers, tasks, verify: commands }: ApprovalSummary): readonly string[] {
  return [
    ...workers.filter(({ confinement }) => confinement === 'none').map(({ worker }) => `the worker ${worker}`),
    ...(commands.confinement === 'none' && tasks.some(({ verify }) => verify.length > 0) ? ['verify commands'] : []),
  ];
}

/** The most lines for a dialog; a longer text is shown on a page. */
const dialogLines = 20;

/**
 * Says why a person has to read the page before Approve is offered, in words; empty: a dialog is enough. Source:
 * decision 43.
 *
 * @param lines of the text for the dialog
 */
export function reviewReasons(summary: ApprovalSummary, lines: number): readonly string[] {
  const free = unconfined(summary);
  return [
    ...(free.length > 0 ? [`nothing confines ${free.join(' and ')}`] : []),
    ...(summary.services.length > 0 ? ['its commands reach what a sandbox hides'] : []),
    ...(summary.risk_level >= 2 ? [`the risk level is ${summary.risk_level}`] : []),
    ...(lines > dialogLines ? ['it is too long for a dialog'] : []),
  ];
}
