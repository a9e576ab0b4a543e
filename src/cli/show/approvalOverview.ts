import { terminal, type TerminalText } from '../../base/text/marked/terminal';
import type { ApprovalRow, ApprovalSection, ApprovalView } from '../../core/view/plan/approvalView';
import type { Output } from '../shell/output';

export function printApproval({ facts, before, tasks, after }: ApprovalView, out: Output): void {
  for (const line of rowLines(facts, '')) out.line(line);
  out.line();
  for (const one of before) printSection(one, out);
  out.line(out.paint('bold', tasks.title));
  for (const line of tasks.lines) out.line(terminal`  ${line}`);
  for (const { task_id, description, rows } of tasks.each) {
    out.line(terminal`  ${out.paint('bold', task_id)}: ${description}`);
    for (const line of rowLines(rows, '    ')) out.line(line);
  }
  out.line();
  for (const one of after) printSection(one, out);
}

export function printSection({ title, lines }: ApprovalSection, out: Output): void {
  out.line(out.paint('bold', title));
  for (const { text, isLarge, next } of lines) {
    out.line(isLarge ? terminal`  ${out.paint('red', terminal`! ${text}`)}` : terminal`  - ${text}`);
    if (next !== undefined) out.line(terminal`    What mends it. ${next}`);
  }
  out.line();
}

function rowLines(rows: readonly ApprovalRow[], indent: string): readonly TerminalText[] {
  return rows.flatMap(({ label, values }) =>
    values.map((value, index) => terminal`${indent}${(index === 0 ? label : '').padEnd(15)} ${value}`),
  );
}
