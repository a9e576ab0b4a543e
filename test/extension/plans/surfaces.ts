import assert from 'node:assert/strict';
import type { ApprovalSummary } from '../../../src/core/plan/approvalSummary';
import { ui } from '../../../src/base/text/marked/ui';
import { terminal } from '../../../src/base/text/marked/terminal';
import { printApproval } from '../../../src/cli/show/approvalOverview';
import type { Output } from '../../../src/cli/shell/output';
import { approvalView } from '../../../src/core/view/plan/approvalView';
import { approvalPage } from '../../../src/extension/plans/approvalPage';
import { textOfHtml } from '../../support/textOfHtml';
import type { Change } from './summaries';

const question = ui`Approve plan p as Ada?`;
export const page = (summary: ApprovalSummary, extra: readonly string[] = []): string =>
  textOfHtml(
    approvalPage(
      approvalView(summary, () => extra),
      { question },
    ).toString(),
  );

/** What the command line prints. */
export function screen(summary: ApprovalSummary): string {
  const lines: string[] = [];
  const out = {
    line: (text = terminal``) => lines.push(text.toString()),
    paint: (_: unknown, text: string) => terminal`${text}`,
  };
  printApproval(
    approvalView(summary, () => []),
    out as unknown as Output,
  );
  return lines.join('\n');
}
export const surfaces = { page, screen };

export function includes(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `${part} in\n${text}`);
}

export const set =
  (change: Record<string, unknown>): Change =>
  (plan) =>
    Object.assign(plan['execution'] as object, change);
export const command: Change = (_, task) =>
  Object.assign(task, { worker: 'command', command: ['node', '-v'], prompt: undefined, type: 'automation' });
