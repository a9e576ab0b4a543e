import type { Launch } from '../../core/model/attempt';
import type { Mission } from '../../core/model/state';
import { absolute } from '../../core/recovery/permission/decideRecovery';
import type { ModeChange } from '../../core/recovery/permission/record';
import { done, type Outcome } from '../../base/outcome';
import type { EnginePorts } from '../ports/engine';
import { prepareWorkerEnvironment } from './prepareWorkerEnvironment';

/** What the contract wants to be there and usable, and what a recovery or a grant lets the runner correct. */
export async function environmentOf(
  { mission_id, plan }: Mission,
  { run_dir, adjustment }: Launch,
  { paths, directories }: EnginePorts,
): Promise<Outcome<readonly ModeChange[]>> {
  if (!directories) return done([]);
  const prepared = await prepareWorkerEnvironment(
    {
      workspace: paths.runDir(mission_id, run_dir),
      target: paths.workspace_dir,
      orchestrator: paths.absolute(stateFolder),
    },
    plan.recovery_allow.includes('fix_permissions'),
    directories,
  );
  const fix = adjustment?.fix_permissions ?? null;
  if (!prepared.ok || fix === null) return prepared;
  const place = (path: string): string | null => absolute(paths, path);
  const granted = (adjustment?.granted ?? []).map(({ directory }) => directory);
  const roots = [paths.workspace_dir, ...plan.recovery_directories, ...granted].flatMap((root) => place(root) ?? []);
  const fixed = await directories.addOwnerBits(place(fix) ?? fix, roots);
  return fixed.ok ? done([...prepared.value, ...fixed.value]) : fixed;
}

const stateFolder = '.mission-control';
