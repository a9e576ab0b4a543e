import type { ApprovalSummary } from '../core/plan/approvalSummary';
import { commandLine } from '../core/text/oneLine';
import { ui, type UiText } from '../core/text/ui';

/** Lines a modal dialog shows of a list before it says how many more there are. */
const listed = 8;

/** What stands in the approval dialog: everything that is decided, in the order in which it matters. */
export function approvalText(summary: ApprovalSummary): UiText {
  return ui.lines([
    `Goal ${summary.goal_id}, risk level ${summary.risk_level} of 3.`,
    '',
    `${summary.tasks.length === 1 ? 'Task' : `${summary.tasks.length} tasks`}:`,
    ...shortened(summary.tasks.map((task) => `  ${task.task_id} (${task.worker}): ${task.description}`)),
    ...(summary.max_parallel > 1
      ? [`Up to ${summary.max_parallel} of them run at once, on paths that do not overlap.`]
      : []),
    '',
    'May write:',
    ...shortened(summary.paths.map((path) => `  ${path}`)),
    '',
    'What confines the workers:',
    ...summary.workers.map((worker) => `  ${worker.worker}: ${confinementWords[worker.confinement]}. ${worker.detail}`),
    ...(summary.constraints.length > 0 ? ['', `Constraints: ${summary.constraints.join(', ')}.`] : []),
    '',
    `Allowed without asking again: ${summary.recovery_allow.length > 0 ? summary.recovery_allow.join(', ') : 'nothing'}.`,
    ...(summary.recovery_directories.length > 0
      ? [`Directories outside the workspace: ${summary.recovery_directories.join(', ')}.`]
      : []),
    `Environment variables for commands: ${summary.env_names.length > 0 ? summary.env_names.join(', ') : 'the base list only'}.`,
    ...budgetLines(summary),
    '',
    `SHA-256 of the approved bytes: ${summary.plan_sha256}`,
  ]);
}

/** The same without an end, and with every command line: for the page behind "Show Everything". */
export function approvalPage(summary: ApprovalSummary): UiText {
  const tasks = summary.tasks.flatMap((task) => [
    `${task.task_id} (${task.worker}): ${task.description}`,
    `  may write: ${task.paths.join(', ')}`,
    ...(task.command.length > 0 ? [ui`  command: ${commandLine(task.command)}`] : []),
    ...task.verify.map((argv) => ui`  verify: ${commandLine(argv)}`),
    '',
  ]);
  return ui.lines([`Plan ${summary.plan_id}`, '', approvalText(summary), '', 'Every task in full', '', ...tasks]);
}

const confinementWords = {
  os_sandbox: 'sandbox of the operating system',
  tool_limits: 'limits on its tools',
  none: 'nothing',
} as const;

function shortened(lines: readonly string[]): readonly string[] {
  return lines.length <= listed
    ? lines
    : [...lines.slice(0, listed), `  ... and ${lines.length - listed} more (Show Everything)`];
}

function budgetLines({ budget }: ApprovalSummary): readonly string[] {
  const parts = [
    ...(budget.tokens === null ? [] : [`${budget.tokens} tokens`]),
    ...(budget.usd === null ? [] : [`${budget.usd} US dollars`]),
  ];
  return parts.length > 0 ? [`Budget: ${parts.join(', ')}.`] : [];
}
