import type { RecoveryPermission } from '../../../contracts/vocabulary/intents';
import { caseSensitive } from '../../paths/compare';
import { pathUnder, segmentsOf } from '../../paths/underFolder';
import { absolute } from './decideRecovery';
import type { GrantFacts } from './record';

/** The folders of the machine that a grant is compared with; absolute. */
export interface Surroundings {
  readonly workspace_dir?: string | null | undefined;
  readonly home_dir?: string | null | undefined;
  /** Denied places that are no folder; `absent`: nothing is there. */
  readonly files?: readonly { readonly path: string; readonly absent: boolean }[] | undefined;
}

export function grantFacts(path: string | null, permission: RecoveryPermission, here: Surroundings): GrantFacts {
  const place = path === null ? null : absolute({ workspace_dir: null }, path);
  if (place === null || permission !== 'add_directory') return {};
  const file = here.files?.find((one) => absolute({ workspace_dir: null }, one.path) === place);
  const directory = file ? place.slice(0, Math.max(place.lastIndexOf('/'), 1)) : place;
  const problem = grantProblem(directory, here, permission);
  return {
    ...(file?.absent && { opens: directory }),
    ...(problem !== null && { ungranted: `A grant of ${place} opens ${directory}, which ${problem}.` }),
  };
}

/** Completes the sentence "<directory> ..."; null: it may be granted. */
export function grantProblem(
  directory: string,
  { workspace_dir, home_dir = null }: Surroundings,
  permission: RecoveryPermission,
): string | null {
  const workspace = workspace_dir ?? '';
  const inside = pathUnder(directory, plain(workspace), caseSensitive);
  const holds = (place: string): boolean => pathUnder(plain(place), directory, caseSensitive) !== null;
  switch (permission) {
    case 'skip_git_repo_check':
    case 'trust_workspace':
      return inside === '.' ? null : 'is not the workspace folder, which this grant is about';
    case 'add_directory':
      if (inside !== null) return 'lies in the workspace: what a task may write there stands in its approved plan only';
      if (isRoot(directory) || holds(workspace)) return 'holds the workspace: name the directory that is needed';
      if (home_dir !== null && holds(home_dir)) return 'holds your home folder: name the directory that is needed';
      if (segmentsOf(directory).includes('.git'))
        return 'lies in a .git folder: what is written there can run later, outside every sandbox';
      return null;
    case 'fix_permissions':
      return isRoot(directory) ? 'is a whole file system' : null;
  }
}

function isRoot(directory: string): boolean {
  return /^([A-Za-z]:)?\/?$/.test(directory);
}

function plain(place: string): string {
  return absolute({ workspace_dir: null }, place) ?? place;
}
