import type { Launch } from '../../core/model/attempt';
import type { Mission } from '../../core/model/state';
import { caseSensitive } from '../../core/paths/compare';
import { pathUnder } from '../../core/paths/underFolder';
import { absolute } from '../../core/recovery/permission/decideRecovery';
import type { EnginePorts } from '../ports/engine';
import { notFixed, prepareWorkerEnvironment, type PreparedEnvironment } from './prepareWorkerEnvironment';

/** Checks the directories that the contract requires, and corrects those that a recovery or a grant permits. */
export async function environmentOf(
  { mission_id, plan }: Mission,
  { run_dir, adjustment }: Launch,
  { paths, directories }: EnginePorts,
): Promise<PreparedEnvironment> {
  if (!directories) return { ok: true, modes: [] };
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
