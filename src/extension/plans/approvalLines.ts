import type { RecoveryPermission } from '../../contracts/vocabulary/intents';
import { executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import { ignoredReason, ignoredStep } from '../../base/text/ignoredEvidence';
import { revisionLines } from '../../base/text/revision';
import { ui, type UiText } from '../../base/text/ui';
import { budgetWords, confinementWords, instructionLines } from '../../base/text/words';
import type { ApprovalSummary } from '../../core/plan/approvalSummary';
import { unconfined } from '../../core/view/approvalReview';

/** Returns what nothing confines, why, and the remedy; null: everything is confined. */
export function notConfined(summary: ApprovalSummary): Record<'what' | 'why' | 'next', string> | null {
  const free = unconfined(summary);
  const { no_sandbox: lacking } = summary;
  return free.length === 0 || !lacking ? null : { what: free.join(' and '), ...lacking };
}

export function ignored({ plan_id, evidence_ignored: by }: ApprovalSummary): readonly UiText[] {
  const dir = `${executionsDir}/${plan_id}`;
  return by ? [ui`${ignoredReason(dir, by)} ${ignoredStep(dir)}`] : [];
}

export function revised({ revision }: ApprovalSummary): readonly UiText[] {
  return (revision ? revisionLines(revision) : []).map(([label, text]) => ui`${label}: ${text}.`);
}

export function confinementLines(summary: ApprovalSummary): readonly UiText[] {
  const { workers, tasks, verify, services } = summary;
  return [
    ...workers.flatMap(({ worker, confinement, detail, speaks_to }) => [
      ui`${worker} is confined by ${confinementWords[confinement]}. ${detail}`,
      ...(speaks_to === undefined ? [] : [ui`${worker} talks to ${speaks_to}.`]),
    ]),
    ...instructionLines(summary).map((line) => ui`Instructions of the project: ${line}.`),
    ...services.map((line) => ui`Commands reach ${line}.`),
    ...(tasks.some((task) => task.verify.length > 0)
      ? [ui`verify commands are confined by ${confinementWords[verify.confinement]}. ${verify.detail}`]
      : []),
  ];
}

export function permissionLines(summary: ApprovalSummary): readonly string[] {
  const { recovery_allow, recovery_directories, env_names, budget, limits, scratch } = summary;
  const amounts = [
    ...(budget.tokens === null ? [] : [`${budget.tokens} tokens`]),
    ...(budget.usd === null ? [] : [`${budget.usd} US dollars`]),
  ];
  return [
    `May be corrected without asking: ${allowedWords(recovery_allow)}.`,
    ...afterLimitLine(summary),
    ...(recovery_directories.length > 0 ? [`Folders outside the workspace: ${recovery_directories.join(', ')}.`] : []),
    ...(scratch.length > 0 ? [`Scratch that commands may write, never counted as work: ${scratch.join(', ')}.`] : []),
    `Environment variables for commands: ${env_names.length > 0 ? env_names.join(', ') : 'the base list only'}.`,
    ...(amounts.length > 0 ? [`Budget: ${amounts.join(', ')}. ${budgetWords(budget.on_exceed)}`] : []),
    ...(limits.length > 0 ? [`Each launch takes at most: ${limits.join(', ')}.`] : []),
  ];
}

function afterLimitLine({ after_limit }: ApprovalSummary): readonly string[] {
  return after_limit === null ? [] : [`After a used-up limit of a provider: ${after_limit}.`];
}

function allowedWords(allowed: readonly RecoveryPermission[]): string {
  return allowed.length === 0 ? 'nothing' : allowed.map((permission) => recoveryWords[permission].short).join(', ');
}

export function constraintsLine({ constraints }: ApprovalSummary): readonly string[] {
  return constraints.length > 0 ? [`Constraints: ${constraints.join(', ')}.`] : [];
}

export function lanesLine({ max_parallel }: ApprovalSummary): readonly string[] {
  return max_parallel > 1 ? [`Up to ${max_parallel} of them run at once, on paths that do not overlap.`] : [];
}

/** Recovery permissions in plain words. */
export const recoveryWords: Readonly<
  Record<RecoveryPermission, { readonly label: string; readonly detail: string; readonly short: string }>
> = {
  add_directory: {
    label: 'Give an agent an approved folder',
    detail: 'Start an agent again with a folder that this plan allows and that it was denied.',
    short: 'adding an approved folder',
  },
  skip_git_repo_check: {
    label: 'Work without a Git repository',
    detail: 'Start Codex also where the folder is no Git repository.',
    short: 'working without a Git repository',
  },
  trust_workspace: {
    label: 'Trust this folder for Gemini',
    detail: 'Start Gemini here although it does not trust this folder, whose settings it ignores.',
    short: 'trusting this folder for Gemini',
  },
  fix_permissions: {
    label: 'Correct file permissions',
    detail: 'Give this user the right to read and write a file of the plan, one file at a time.',
    short: 'giving this user rights to files of the plan',
  },
};

/** Names the bytes that the digest is of. */
export function hashedBytes({ as_written }: ApprovalSummary): string {
  return as_written ? 'of the file as your approval writes it' : 'of the approved bytes';
}
