import type { ApprovalSummary } from '../../core/plan/approvalSummary';
import { reviewReasons } from '../../core/view/approvalReview';
import { commandLine } from '../../base/text/oneLine';
import { ui, type UiText, type UiValue } from '../../base/text/ui';
import {
  confinementLines,
  constraintsLine,
  hashedBytes,
  ignored,
  lanesLine,
  notConfined,
  permissionLines,
  revised,
} from './approvalLines';

/** The words of an approval for a dialog, or the reason why a person has to read the page. */
export interface ApprovalDialog {
  readonly text: UiText;
  readonly mustReview: readonly string[];
}

export function approvalDialog(summary: ApprovalSummary, note?: string): ApprovalDialog {
  const whole = [...(note === undefined ? [] : [note, '']), ...everything(summary)];
  return { text: ui.lines(whole), mustReview: reviewReasons(summary, whole.length) };
}

function everything(summary: ApprovalSummary): readonly UiValue[] {
  return [
    `Goal ${summary.goal_id}, risk level ${summary.risk_level} of 3.`,
    '',
    ...summary.tasks.flatMap((task) => [
      ui`${task.task_id} (${task.worker}${task.intent === null ? '' : `, ${task.intent}`}${task.model === null ? '' : `, ${task.model}`}): ${task.description}`,
      ...(task.argv.length > 0 ? [ui`  runs ${commandLine(task.argv)}`] : []),
      ...(task.validates ?? []).map((line) => ui`  validates: ${line}`),
      ...task.verify.map((argv) => ui`  is verified by ${commandLine(argv)}`),
      ui`  may write ${task.paths.join(', ')}`,
    ]),
    ...lanesLine(summary),
    '',
    ...unconfinedLines(summary),
    ...confinementLines(summary),
    ...constraintsLine(summary),
    ...permissionLines(summary),
    ...revised(summary),
    ...ignored(summary),
    '',
    hashLine(summary),
  ];
}

function unconfinedLines(summary: ApprovalSummary): readonly UiText[] {
  const lacking = notConfined(summary);
  if (lacking === null) return [];
  return [ui`NOT CONFINED: ${lacking.what}. ${lacking.why}`, ui`What mends it. ${lacking.next}`, ui``];
}

function hashLine(summary: ApprovalSummary): string {
  return `SHA-256 ${hashedBytes(summary)}: ${summary.plan_sha256}`;
}
