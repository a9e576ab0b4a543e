import { realpathSync } from 'node:fs';
import path from 'node:path';
import { inside } from '../adapters/sandbox/facts/facts';
import type { LaunchTicket } from '../contracts/launch';

/**
 * The first path that a read-only ticket names and that its sandbox would let the worker write. Null: none, or the
 * ticket is not read-only. Profiles of Seatbelt are not read here.
 */
export function writableAgainstTicket({ sandbox, cwd }: Pick<LaunchTicket, 'sandbox' | 'cwd'>): string | null {
  if (sandbox?.means !== 'bubblewrap' || sandbox.read_only === undefined) return null;
  const root = realpathSync(cwd);
  const scratch = (sandbox.scratch ?? []).map((relative) => path.resolve(root, relative));
  const isScratch = (file: string): boolean => scratch.some((folder) => inside(file, folder));
  const mounts = mountsOf(sandbox).filter(({ at, writes }) => !writes || !isScratch(at));
  return sandbox.read_only.find((relative) => canWrite(path.resolve(root, relative), mounts)) ?? null;
}

interface Mount {
  readonly at: string;
  readonly writes: boolean;
}

function mountsOf({ argv, layers }: NonNullable<LaunchTicket['sandbox']>): readonly Mount[] {
  // What is written there reaches nothing.
  const view = layers?.tree && path.join(path.dirname(layers.tree.up), 'view');
  const end = argv.lastIndexOf('--');
  const landed = layers?.tree?.lands?.map(({ name }) => ({ at: path.join(layers.tree?.at ?? '', name), writes: true }));
  const mounted = argv.slice(0, end === -1 ? argv.length : end).flatMap((word, index): readonly Mount[] => {
    if (word === '--bind' || word === '--dev-bind' || word === '--ro-bind')
      return [{ at: argv[index + 2] ?? '', writes: word !== '--ro-bind' && argv[index + 1] !== view }];
    if (word === '--overlay') return [{ at: argv[index + 3] ?? '', writes: false }];
    return word === '--tmpfs' ? [{ at: argv[index + 1] ?? '', writes: false }] : [];
  });
  return [...mounted, ...(landed ?? [])];
}

/** The last mount that covers a path decides about it; later ones below it decide about parts. */
function canWrite(file: string, mounts: readonly Mount[]): boolean {
  const covering = mounts.findLastIndex(({ at }) => inside(file, at));
  if (mounts[covering]?.writes === true) return true;
  return mounts.slice(covering + 1).some(({ at, writes }) => writes && inside(at, file));
}
