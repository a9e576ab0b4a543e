import type { ModeChange } from '../../../contracts/launchEvidence';
import { refused, type Refusal } from '../../../base/outcome';
import { withoutEnd } from '../../../base/text/plainLine';
import type { Launch } from '../../../core/model/attempt';
import type { Report } from '../../../core/model/inputs';
import { caseSensitive } from '../../../core/paths/compare';
import { pathUnder } from '../../../core/paths/underFolder';
import { absolute } from '../../../core/recovery/permission/decideRecovery';
import type { Unusable } from '../../../core/recovery/permission/record';
import type { Directories, OwnerBits } from '../../ports/folders';
import type { EnginePorts } from '../../ports/engine';
import type { ReceivedPlan } from '../../../core/model/state';

/** Checks the directories that the contract requires, and corrects those that a recovery or a grant permits. */
export async function environmentOf(
  { mission_id, plan }: ReceivedPlan,
  { run_dir, adjustment }: Launch,
  { paths, directories }: EnginePorts,
): Promise<PreparedEnvironment> {
  const fix = adjustment?.fix_permissions ?? null;
  const granted = (adjustment?.granted ?? []).filter(({ permission }) => permission === 'fix_permissions');
  const prepared = await prepareWorkerEnvironment(
    {
      workspace: paths.runDir(mission_id, run_dir),
      target: paths.workspace_dir,
      orchestrator: paths.absolute(stateFolder),
    },
    (directory) =>
      plan.recovery_allow.includes('fix_permissions') ||
      granted.some((grant) => pathUnder(directory, grant.directory, caseSensitive) !== null),
    directories,
  );
  if (!prepared.ok || fix === null) return prepared;
  const place = (path: string): string | null => absolute(paths, path);
  const wanted = place(fix) ?? fix;
  // Skips a directory that the first look has corrected already.
  if (prepared.modes.some(({ path }) => path === wanted)) return prepared;
  const roots = [
    paths.workspace_dir,
    ...plan.recovery_directories,
    ...(adjustment?.granted ?? []).map(({ directory }) => directory),
  ].flatMap((root) => place(root) ?? []);
  const fixed = await directories.addOwnerBits(wanted, roots);
  const modes = [...prepared.modes, ...fixed.changes];
  return fixed.problem === null ? { ok: true, modes } : notFixed(fix, fixed, modes);
}

const stateFolder = '.mission-control';

/** The changed modes, also of a launch that is refused. */
type PreparedEnvironment = { readonly modes: readonly ModeChange[] } & (
  | { readonly ok: true }
  /** `unusable`: the directory whose permissions keep the worker from running; absent: another reason keeps it. */
  | { readonly ok: false; readonly refusal: Refusal; readonly unusable?: Unusable }
);

/**
 * Looks at the three directories of the contract before a worker is launched, in its order. Creates `workspace` (the
 * run directory) when it is missing. `target` (the workspace folder) and `orchestrator` (our state folder) must be
 * there. Each must be readable, writable and searchable. The owner's bits are added only where the approved plan or a
 * person allows that, and looked at again. Source: seed 002 section 1.
 */
export async function prepareWorkerEnvironment(
  {
    workspace,
    target,
    orchestrator,
  }: { readonly workspace: string; readonly target: string; readonly orchestrator: string },
  mayFix: (directory: string) => boolean,
  directories: Directories,
): Promise<PreparedEnvironment> {
  const modes: ModeChange[] = [];
  for (const directory of [workspace, target, orchestrator]) {
    let standing = await directories.standing(directory);
    if (standing === 'missing') {
      if (directory !== workspace)
        return {
          ...refused(
            'DIRECTORY_MISSING',
            `Critical directory missing: ${directory}.`,
            'Put it back, then retry the task.',
          ),
          modes,
        };
      const created = await directories.create(directory);
      if (!created.ok) return { ...created, modes };
      standing = await directories.standing(directory);
    }
    if (standing !== 'unusable') continue;
    const fixed = mayFix(directory) ? await directories.addOwnerBits(directory, [directory]) : notAllowed;
    modes.push(...fixed.changes);
    if (fixed.problem !== null) return notFixed(directory, fixed, modes);
    if ((await directories.standing(directory)) === 'unusable') {
      const problem = 'Its modes were changed, and it still cannot be used.';
      return notFixed(directory, { ...fixed, problem }, modes);
    }
  }
  return { ok: true, modes };
}

function notFixed(directory: string, { tried, problem }: OwnerBits, modes: readonly ModeChange[]): PreparedEnvironment {
  return {
    ...refused(
      'PERMISSIONS_NOT_FIXED',
      `Cannot fix permissions for ${directory}: ${withoutEnd(problem ?? '')}.`,
      'Let its owner correct them, then retry the task.',
    ),
    modes,
    unusable: { directory, chmod_tried: tried },
  };
}

const notAllowed: OwnerBits = {
  changes: [],
  tried: false,
  problem: 'The approved plan does not allow fix_permissions (execution.recovery.allow).',
};

/** The environment of a launch for which no directory was checked or changed. */
export const usable: PreparedEnvironment = { ok: true, modes: [] };

/** Reports changed modes although nothing is launched, because they stay changed. */
export function impossibleIn(
  environment: PreparedEnvironment,
  { launch_id }: Launch,
  { code, reason, next }: Refusal,
): Report {
  const sentence = withSteps.has(code) ? [reason, ...next].join(' ') : reason;
  const { modes } = environment;
  return {
    ...{ type: 'LaunchWasImpossible', launch_id, code, reason: sentence },
    ...(modes.length > 0 && { modes }),
    ...(!environment.ok && environment.unusable && { unusable: environment.unusable }),
  };
}

/** Codes whose next steps are sentences, so the report appends them to the reason. */
const withSteps: ReadonlySet<string> = new Set([
  'PROVIDER_CHANGED',
  'PROVIDER_UNUSABLE',
  'SERVICE_NOT_OPENED',
  'WORKER_MISSING',
  'WORK_HIDES',
  'WORK_UNSEEN',
]);
