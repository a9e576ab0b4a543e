import type { Grant } from '../../../contracts/launchEvidence';
import type { RecoveryPermission } from '../../../contracts/vocabulary/intents';
import type { PermissionFix, PermissionIssue } from '../../../contracts/vocabulary/permission';
import { mendHardLinks } from '../../../base/text/hardLinks';
import { howToPass } from '../../../base/text/passVariables';
import { inScope, within, type PathComparison } from '../../paths/compare';
import { pathUnder } from '../../paths/underFolder';
import type { PermissionMatch } from './classify';
import type { AllowedBy, Detected } from './record';
import { opensWriting, permissionOf, withDirectories, type Widening } from './widening';

/** The most relaunches for one task and issue; the next one is escalated. Source: seed 002. */
export const relaunchLimit = 3;

export interface RecoveryQuestion {
  /** What the launch was denied, in the order in which the CLI reported it. */
  readonly matches: readonly PermissionMatch[];
  /** Hard links to files elsewhere that its sandbox kept read-only; relative to the workspace, or absolute. */
  readonly heldLinks: readonly string[];
  readonly widening: Widening;
  readonly policy: RecoveryPolicy;
  /** Relaunches of this task for an issue since a person decided about the task. */
  readonly relaunches: (issue: PermissionIssue) => number;
  /** Paths whose permission bits were corrected already. */
  readonly fixed: readonly string[];
  /** Variables of the agent's providers that are set here and were not passed; absent: none is known. */
  readonly not_passed?: NotPassed;
}

export interface NotPassed {
  readonly agent: string;
  /** Names, at least one. */
  readonly variables: readonly string[];
}

export interface RecoveryPolicy {
  readonly allow: readonly RecoveryPermission[];
  /** `execution.recovery.directories`: absolute, or relative to the workspace. */
  readonly directories: readonly string[];
  readonly granted: readonly Grant[];
  /** Absolute; null when it is not known. */
  readonly workspace_dir: string | null;
  /** Where the task may write, relative to the workspace. */
  readonly paths: readonly string[];
  readonly forbidden_paths: readonly string[];
  readonly comparison: PathComparison;
}

export type RecoveryVerdict =
  | { readonly kind: 'none' }
  | (Detected & {
      readonly kind: 'relaunch';
      readonly action: PermissionFix;
      readonly allowed_by: AllowedBy;
      readonly widening: Widening;
      readonly fix_permissions: string | null;
    })
  | (Detected & { readonly kind: 'escalate'; readonly action: PermissionFix | null; readonly why: string });

/**
 * Returns what follows from denials that left the launch without a result. A launch with changed arguments follows
 * where the approved plan or a person allows the change; else a person decides. Recovery does not act on tools that the
 * launch line withholds, nor on a provider's limits. Source: seed 002, decision 9.
 */
export function decideRecovery(question: RecoveryQuestion): RecoveryVerdict {
  const verdicts = question.matches.flatMap((match) => {
    if (match.issue === 'TOOL_DENIED' || match.action === 'BLOCK') return [];
    return [
      match.action === 'ESCALATE'
        ? escalated(question, match, null, unfixable(match, question.not_passed))
        : fixOf(question, match, match.action),
    ];
  });
  const [first] = verdicts;
  if (!first) return { kind: 'none' };
  const relaunch = verdicts.find((verdict) => verdict.kind === 'relaunch');
  if (!relaunch) return first;
  // One relaunch brings every allowed directory that the launch was denied.
  const same = verdicts.flatMap((verdict) =>
    verdict.kind === 'relaunch' && verdict.issue === relaunch.issue ? verdict.widening : [],
  );
  return { ...relaunch, widening: same.reduce(withDirectories, relaunch.widening) };
}

type Escalation = Extract<RecoveryVerdict, { kind: 'escalate' }>;
type Fixed = Extract<RecoveryVerdict, { kind: 'relaunch' }>;

function fixOf(question: RecoveryQuestion, match: PermissionMatch, action: PermissionFix): Fixed | Escalation {
  const { policy, widening } = question;
  const permission = permissionOf[action];
  const no = (why: string): Escalation => escalated(question, match, action, why);
  // A granted folder would not open it, nor would the approved path around it.
  if (match.issue === 'SANDBOX_ERROR' && match.path !== null && isHeldLink(question, match.path))
    return escalated(question, match, null, `${heldLink} ${mendHardLinks(slashed(match.path))}`);
  // Neither the plan's directories nor a person's grant may open more of the workspace than the task's own paths.
  if (permission === 'add_directory' && match.path !== null && inWorkspace(policy, match.path) !== null)
    return escalated(question, match, null, unplanned);
  const allowed_by = allowance(policy, permission, match.path);
  if (!allowed_by) return no(`The approved plan does not allow ${permission} (execution.recovery.allow).`);
  const change = changeOf(question, match, permission);
  if (typeof change === 'string') return no(change);
  const count = question.relaunches(match.issue) + 1;
  if (count > relaunchLimit) return no(`${relaunchLimit} relaunches did not help.`);
  return {
    kind: 'relaunch',
    ...detected(question, match),
    action,
    allowed_by,
    widening: change.widening ?? widening,
    fix_permissions: change.fix_permissions ?? null,
  };
}

interface Change {
  readonly widening?: Widening;
  readonly fix_permissions?: string;
}

function changeOf(
  question: RecoveryQuestion,
  { path, reads }: PermissionMatch,
  permission: RecoveryPermission,
): Change | string {
  const { policy, widening, fixed } = question;
  const applied = 'The launch had that correction already, so another one would change nothing.';
  switch (permission) {
    case 'skip_git_repo_check':
      return widening.skip_git_repo_check ? applied : { widening: { ...widening, skip_git_repo_check: true } };
    case 'trust_workspace':
      return widening.trust_workspace ? applied : { widening: { ...widening, trust_workspace: true } };
    case 'add_directory': {
      if (path === null) return 'The CLI did not say which directory it needs.';
      const directory = approvedDirectory(policy, path);
      if (directory === null) return outside;
      const open = reads ? widening.add_directories.includes(directory) : opensWriting(widening, directory);
      if (open) return applied;
      const add_directories = [directory];
      return { widening: withDirectories(widening, { add_directories, ...(reads && { read_only: add_directories }) }) };
    }
    case 'fix_permissions':
      if (path === null) return 'The CLI did not say which file or directory it could not use.';
      if (approvedDirectory(policy, path) === null && !inTask(policy, path)) return outside;
      return fixed.includes(path) ? applied : { fix_permissions: path };
  }
}

const heldLink = 'It is a hard link to a file outside what the task may write, so its sandbox keeps it read-only.';
const unplanned = 'It lies in the workspace, where a task may write its approved paths only.';
const outside = 'It is in no directory that the approved plan names (execution.recovery.directories).';

function allowance(
  { allow, granted }: RecoveryPolicy,
  permission: RecoveryPermission,
  path: string | null,
): AllowedBy | null {
  if (allow.includes(permission)) return { kind: 'plan', clause: `execution.recovery.allow: ${permission}` };
  const grant = granted.find(
    (one) =>
      one.permission === permission &&
      (path === null || pathUnder(slashed(path), one.directory, exact) !== null || permission !== 'add_directory'),
  );
  return grant ? { kind: 'grant', decision: grant.decision } : null;
}

const exact: PathComparison = { case_insensitive: false };

/** The approved or granted directory that holds the path, absolute; null: none does. */
function approvedDirectory(policy: RecoveryPolicy, path: string): string | null {
  const place = absolute(policy, path);
  if (place === null) return null;
  const directories = [
    ...policy.directories.map((directory) => absolute(policy, directory)),
    ...policy.granted.flatMap(({ permission, directory }) => (permission === 'add_directory' ? [directory] : [])),
  ];
  return (
    directories.find((directory) => directory !== null && pathUnder(place, directory, policy.comparison) !== null) ??
    null
  );
}

function isHeldLink({ heldLinks, policy }: RecoveryQuestion, path: string): boolean {
  const place = absolute(policy, path);
  const holds = heldLinks.flatMap((one) => absolute(policy, one) ?? []);
  return place !== null && holds.some((one) => pathUnder(place, one, policy.comparison) !== null);
}

function inTask(policy: RecoveryPolicy, path: string): boolean {
  const relative = inWorkspace(policy, path);
  if (relative === null) return false;
  return (
    inScope(relative, policy.paths, policy.comparison) && !within(relative, policy.forbidden_paths, policy.comparison)
  );
}

/** The path relative to the workspace; null: it lies outside, or is unknown. */
function inWorkspace(policy: RecoveryPolicy, path: string): string | null {
  const place = absolute(policy, path);
  const { workspace_dir, comparison } = policy;
  return place === null || workspace_dir === null ? null : pathUnder(place, slashed(workspace_dir), comparison);
}

/** Absolute with forward slashes, `.` and `..` resolved; null: relative to a workspace that is not known. */
export function absolute({ workspace_dir }: Pick<RecoveryPolicy, 'workspace_dir'>, path: string): string | null {
  const text = slashed(path);
  const whole = /^(\/|[A-Za-z]:)/.test(text)
    ? text
    : workspace_dir === null
      ? null
      : `${slashed(workspace_dir)}/${text}`;
  if (whole === null) return null;
  const under = pathUnder(whole, whole.startsWith('/') ? '/' : '', exact);
  return under === null || under === '.' ? whole : `${whole.startsWith('/') ? '/' : ''}${under}`;
}

function slashed(path: string): string {
  return /^[A-Za-z]:|\\\\/.test(path) ? path.replaceAll('\\', '/') : path;
}

function unfixable({ issue, detected: words }: PermissionMatch, notPassed?: NotPassed): string {
  switch (issue) {
    case 'LOGIN_REQUIRED':
      return `The CLI is not signed in: sign in with it in a terminal of your own, or give it its key.${
        notPassed === undefined
          ? ''
          : ` Set here and not passed to it: ${notPassed.variables.join(', ')}. What it needs is passed with ${howToPass(notPassed.agent, notPassed.variables)}.`
      }`;
    case 'SANDBOX_MISSING':
      return `The sandbox of the CLI does not work on this machine: ${words}`;
    case 'UNKNOWN_PERMISSION_ERROR':
      return `This denial is not known here: ${words}`;
    case 'DIR_SCOPE_ERROR':
    case 'FS_PERM_ERROR':
    case 'GIT_TRUST_ERROR':
    case 'GIT_CHECK_ERROR':
    case 'SANDBOX_ERROR':
    case 'FOLDER_TRUST_ERROR':
    case 'TOOL_DENIED':
    case 'RATE_LIMITED':
      return `Nothing that the runner may change would help: ${words}`;
  }
}

function escalated(
  question: RecoveryQuestion,
  match: PermissionMatch,
  action: PermissionFix | null,
  why: string,
): Escalation {
  return { kind: 'escalate', ...detected(question, match), action, why };
}

function detected(
  question: RecoveryQuestion,
  { issue, detected: issue_detected, path, reads }: PermissionMatch,
): Detected {
  return { issue, issue_detected, path, ...(reads && { reads }), retry_count: question.relaunches(issue) + 1 };
}
