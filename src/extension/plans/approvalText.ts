import type { ApprovalSummary } from '../../core/plan/approvalSummary';
import { reviewReasons, unconfined } from '../../core/view/approvalReview';
import type { AgentName } from '../../contracts/vocabulary/workers';
import type { RecoveryPermission } from '../../contracts/vocabulary/intents';
import { budgetWords, confinementWords, instructionLines } from '../../base/text/words';
import { executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import { ignoredReason, ignoredStep } from '../../base/text/ignoredEvidence';
import { revisionLines } from '../../base/text/revision';
import { commandLine, pieces } from '../../base/text/oneLine';
import { ui, type UiText, type UiValue } from '../../base/text/ui';

/** Everything that is approved, for a dialog; why a person has to read the page instead, where one has to. */
export interface ApprovalDialog {
  readonly text: UiText;
  readonly mustReview: readonly string[];
}

export function approvalDialog(summary: ApprovalSummary, note?: string): ApprovalDialog {
  const whole = [...(note === undefined ? [] : [note, '']), ...everything(summary)];
  return { text: ui.lines(whole), mustReview: reviewReasons(summary, whole.length) };
}

/** The read-only page behind Review. `button`: the title of its button. */
export function approvalPage(
  summary: ApprovalSummary,
  asked: {
    readonly question: UiText;
    readonly button: string;
    readonly note?: string;
    /** Why no dialog was enough; absent: a person asked for the page. */
    readonly because?: readonly string[];
  },
  extraArguments: (agent: AgentName) => readonly string[],
): UiText {
  return ui.lines([
    asked.question,
    ...(asked.note === undefined ? [] : [asked.note]),
    `Nothing is approved yet. "${asked.button}" at the top right of this page does it; closing the page leaves it.`,
    ...(asked.because === undefined ? [] : [`Read all of it first, because ${asked.because.join('; ')}.`]),
    '',
    ...notConfined(summary),
    `Plan      ${summary.plan_id}`,
    `Goal      ${summary.goal_id}`,
    `Risk      level ${summary.risk_level} of 3`,
    `SHA-256   ${summary.plan_sha256} (of the approved bytes)`,
    '',
    ...(summary.revision ? ['WHAT THIS REVISION DOES', '', ...revised(summary), ''] : []),
    `EVERY COMMAND LINE THAT WILL RUN (${commandLines(summary).length})`,
    '',
    ...summary.tasks.flatMap((task) => [
      ...(task.argv.length > 0 ? [ui`${task.task_id} runs:`, ...folded(commandLine(task.argv))] : []),
      ...(task.validates ?? []).map((line) => ui`${task.task_id} validates: ${line}`),
      ...(task.worker === 'command' ? [] : moreArguments(extraArguments(task.worker))),
      ...task.verify.flatMap((argv) => [ui`${task.task_id} is verified by:`, ...folded(commandLine(argv))]),
      '',
    ]),
    'WHAT EACH TASK MAY WRITE',
    '',
    ...summary.tasks.flatMap((task) => [
      ui`${task.task_id}:`,
      ...task.paths.map((path) => ui`  ${path}`),
      ...task.forbidden_paths.map((path) => ui`  never ${path}`),
      ui`  confined by ${confinementWords[task.confinement]}`,
    ]),
    ...lanesLine(summary),
    '',
    'WHAT CONFINES THEM',
    '',
    ...confinementLines(summary),
    ...constraintsLine(summary),
    '',
    ...(summary.policy === null ? [] : ['THE MODEL POLICY OF THIS MACHINE', '', summary.policy, '']),
    'PERMISSIONS',
    '',
    ...permissionLines(summary),
    '',
    ...(summary.evidence_ignored ? ['THE EVIDENCE', '', ...ignored(summary), ''] : []),
    'THE TASKS',
    '',
    ...summary.tasks.flatMap((task) => [
      ui`${task.task_id} (${task.worker}, at most ${task.max_runtime_seconds} s): ${task.description}`,
      ...(task.intent === null ? [] : [ui`  ${task.intent}`]),
      ...(task.model === null ? [] : [ui`  by ${task.model}`]),
      ...(task.requires.length > 0 ? [ui`  requires: ${task.requires.join(', ')}`] : []),
      ...(task.prompt === null ? [] : ['  is given:', ...task.prompt.split(/\r?\n/).flatMap((line) => folded(line))]),
      ...task.acceptance_criteria.map((criterion) => ui`  is done when: ${criterion}`),
      '',
    ]),
    `That is everything. "${asked.button}" stands at the top right of this page, and in the command palette.`,
    '',
  ]);
}

/** Recovery permissions in plain words. */
export const recoveryWords: Readonly<
  Record<RecoveryPermission, { readonly label: string; readonly detail: string; readonly short: string }>
> = {
  add_directory: {
    label: 'Give it an approved folder',
    detail: 'When an agent is denied a folder that this plan allows, start it again with that folder added.',
    short: 'adding an approved folder',
  },
  skip_git_repo_check: {
    label: 'Work without a Git repository',
    detail: 'Start Codex also where the folder is no Git repository.',
    short: 'working without a Git repository',
  },
  trust_workspace: {
    label: 'Trust this folder for Gemini',
    detail: 'Start Gemini although it was not set to trust this folder; what the folder configures is not loaded.',
    short: 'trusting this folder for Gemini',
  },
  fix_permissions: {
    label: 'Correct file permissions',
    detail: 'Give this user the right to read and write a file of the plan, one file at a time.',
    short: 'giving this user rights to files of the plan',
  },
};

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
    ...notConfined(summary),
    ...confinementLines(summary),
    ...constraintsLine(summary),
    ...permissionLines(summary),
    ...revised(summary),
    ...ignored(summary),
    '',
    hashLine(summary),
  ];
}

function ignored({ plan_id, evidence_ignored: by }: ApprovalSummary): readonly UiText[] {
  const dir = `${executionsDir}/${plan_id}`;
  return by ? [ui`${ignoredReason(dir, by)} ${ignoredStep(dir)}`] : [];
}

function revised({ revision }: ApprovalSummary): readonly UiText[] {
  return (revision ? revisionLines(revision) : []).map(([label, text]) => ui`${label}: ${text}.`);
}

function commandLines({ tasks }: ApprovalSummary): readonly (readonly string[])[] {
  return tasks.flatMap(({ argv, verify }) => [...(argv.length > 0 ? [argv] : []), ...verify]);
}

/** What nothing confines, why, and what mends it, above the rest. */
function notConfined(summary: ApprovalSummary): readonly UiText[] {
  const free = unconfined(summary);
  const { no_sandbox: lacking } = summary;
  if (free.length === 0 || !lacking) return [];
  return [ui`NOT CONFINED: ${free.join(' and ')}. ${lacking.why}`, ui`What mends it: ${lacking.next}`, ui``];
}

function confinementLines({ workers, tasks, verify, instructions, services }: ApprovalSummary): readonly UiText[] {
  return [
    ...workers.flatMap(({ worker, confinement, detail, speaks_to }) => [
      ui`${worker} is confined by ${confinementWords[confinement]}. ${detail}`,
      ...(speaks_to === undefined ? [] : [ui`${worker} talks to ${speaks_to}.`]),
    ]),
    ...instructionLines(instructions).map((line) => ui`Instructions of the project: ${line}.`),
    ...services.map((line) => ui`Commands reach ${line}.`),
    ...(tasks.some((task) => task.verify.length > 0)
      ? [ui`verify commands are confined by ${confinementWords[verify.confinement]}. ${verify.detail}`]
      : []),
  ];
}

function permissionLines(summary: ApprovalSummary): readonly string[] {
  const { recovery_allow, recovery_directories, env_names, budget, scratch } = summary;
  const limits = [
    ...(budget.tokens === null ? [] : [`${budget.tokens} tokens`]),
    ...(budget.usd === null ? [] : [`${budget.usd} US dollars`]),
  ];
  return [
    `May be corrected without asking: ${allowedWords(recovery_allow)}.`,
    ...afterLimitLine(summary),
    ...(recovery_directories.length > 0 ? [`Folders outside the workspace: ${recovery_directories.join(', ')}.`] : []),
    ...(scratch.length > 0 ? [`Scratch that commands may write, never counted as work: ${scratch.join(', ')}.`] : []),
    `Environment variables for commands: ${env_names.length > 0 ? env_names.join(', ') : 'the base list only'}.`,
    ...(limits.length > 0 ? [`Budget: ${limits.join(', ')}. ${budgetWords(budget.on_exceed)}`] : []),
  ];
}

function afterLimitLine({ after_limit }: ApprovalSummary): readonly string[] {
  return after_limit === null ? [] : [`After a used-up limit of a provider: ${after_limit}.`];
}

function allowedWords(allowed: readonly RecoveryPermission[]): string {
  return allowed.length === 0 ? 'nothing' : allowed.map((permission) => recoveryWords[permission].short).join(', ');
}

function constraintsLine({ constraints }: ApprovalSummary): readonly string[] {
  return constraints.length > 0 ? [`Constraints: ${constraints.join(', ')}.`] : [];
}

function lanesLine({ max_parallel }: ApprovalSummary): readonly string[] {
  return max_parallel > 1 ? [`Up to ${max_parallel} of them run at once, on paths that do not overlap.`] : [];
}

function hashLine({ plan_sha256 }: ApprovalSummary): string {
  return `SHA-256 of the approved bytes: ${plan_sha256}`;
}

function moreArguments(extra: readonly string[]): readonly UiText[] {
  return extra.length === 0 ? [] : [ui`  with the further arguments of your settings:`, ...folded(commandLine(extra))];
}

/** An editor stops drawing a line after some thousand characters, which must hide nothing. */
const longest = 2000;

function folded(line: Parameters<typeof pieces>[0]): readonly UiText[] {
  return pieces(line, longest).map((piece, index) => ui`  ${index === 0 ? '' : '... '}${piece}`);
}
