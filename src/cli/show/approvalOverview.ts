import { budgetWords, confinementWords, instructionLines } from '../../base/text/words';
import { commandLine, quotedName } from '../../base/text/oneLine';
import { inColumns, terminal, type TerminalText } from '../../base/text/terminal';
import type { Confinement } from '../../contracts/vocabulary/workers';
import type { ApprovalSummary } from '../../core/plan/approvalSummary';
import type { Output } from '../shell/output';

/** Shows a person what they approve. */
export function printOverview(overview: ApprovalSummary, out: Output): void {
  out.line(
    terminal`${out.paint('bold', `Plan ${overview.plan_id}`)}, goal ${overview.goal_id}, risk ${overview.risk_level}`,
  );
  out.line();
  for (const line of inColumns(
    overview.tasks.map(({ task_id, worker, intent, description }) => [
      task_id,
      intent === null ? worker : `${worker}, ${intent}`,
      description,
    ]),
    '  ',
  ))
    out.line(line);
  for (const { task_id, argv, verify, model, validates = [] } of overview.tasks) {
    if (argv.length > 0) out.line(terminal`    ${task_id} runs     ${commandLine(argv)}`);
    for (const line of validates) out.line(terminal`    ${task_id} validates ${line}`);
    if (model !== null) out.line(terminal`    ${task_id} by       ${model}`);
    for (const argv of verify) out.line(terminal`    ${task_id} verified ${commandLine(argv)}`);
  }
  out.line();
  if (overview.max_parallel > 1)
    out.line(terminal`  Lanes          up to ${overview.max_parallel} tasks at once, on paths that do not overlap`);
  out.line(terminal`  May write      ${names(overview.paths)}`);
  for (const { worker, confinement, detail } of overview.workers) out.line(heldByLine(worker, confinement, detail));
  for (const { worker, speaks_to } of overview.workers)
    if (speaks_to !== undefined) out.line(terminal`  ${`${worker} talks to`.padEnd(20)} ${speaks_to}`);
  for (const line of instructionLines(overview)) out.line(terminal`  Instructions   ${line}`);
  if (overview.tasks.some(({ verify }) => verify.length > 0))
    out.line(heldByLine('verify', overview.verify.confinement, overview.verify.detail));
  for (const line of overview.services) out.line(terminal`  Commands reach ${line}`);
  if (overview.scratch.length > 0) out.line(terminal`  Scratch        ${names(overview.scratch)}`);
  out.line(terminal`  Constraints    ${names(overview.constraints, 'none')}`);
  out.line(terminal`  Environment    ${names(overview.env_names, 'base list only')}`);
  out.line(
    terminal`  Recovery may   ${names(overview.recovery_allow, 'nothing')}${overview.recovery_directories.length > 0 ? terminal` in ${names(overview.recovery_directories)}` : ''}`,
  );
  if (overview.after_limit !== null) out.line(terminal`  After a limit  ${overview.after_limit}`);
  if (overview.budget.tokens !== null || overview.budget.usd !== null)
    out.line(
      terminal`  Budget         ${overview.budget.tokens ?? 'any'} tokens, ${overview.budget.usd ?? 'any'} USD. ${budgetWords(overview.budget.on_exceed)}`,
    );
  if (overview.limits.length > 0) out.line(terminal`  Launch limits  ${overview.limits.join(', ')}`);
  if (overview.policy !== null && overview.tasks.some(({ model }) => model !== null))
    out.line(terminal`  Model policy   ${overview.policy}`);
  out.line(terminal`  SHA-256 now    ${overview.plan_sha256}`);
  out.line();
}

function heldByLine(who: string, confinement: Confinement, detail: string): TerminalText {
  return terminal`  ${`${who} is held by`.padEnd(20)} ${confinementWords[confinement]}: ${detail}`;
}

function names(list: readonly string[], none = ''): TerminalText {
  return list.length === 0 ? terminal`${none}` : terminal.join(list.map(quotedName), ', ');
}
