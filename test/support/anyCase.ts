import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface AnyCase {
  /** A folder in which letters of either case are one name. */
  readonly folder: string;
  dispose(): void;
}

/**
 * A file system on which case does not count: the temporary folder's own, ext4 with casefold, or NTFS through FUSE.
 * The two are mounted, which takes rights and a kernel that knows them; the reasons why none could be had otherwise.
 */
export function makeAnyCase(): AnyCase | { readonly reasons: string } {
  const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-case-')));
  const drop = (): void => rmSync(scratch, { recursive: true, force: true });
  if (ignoresCase(scratch)) return { folder: scratch, dispose: drop };
  const image = path.join(scratch, 'image');
  const mounted = path.join(scratch, 'mounted');
  mkdirSync(mounted);
  writeFileSync(image, '');
  truncateSync(image, 64 * 1024 * 1024);
  const reasons: string[] = [];
  for (const [name, ...steps] of [
    [
      'ext4 with casefold',
      ['mkfs.ext4', '-q', '-F', '-O', 'casefold', '-E', 'encoding=utf8', image],
      ['mount', '-o', 'loop', image, mounted],
      ['mkdir', path.join(mounted, 'folder')],
      ['chattr', '+F', path.join(mounted, 'folder')],
    ],
    [
      'NTFS through FUSE',
      ['mkntfs', '-F', '-q', '-f', image],
      ['lowntfs-3g', '-o', 'ignore_case', image, mounted],
      ['mkdir', path.join(mounted, 'folder')],
    ],
  ] as const) {
    const failed = (steps as readonly (readonly string[])[]).map(run).find((why) => why !== null);
    const folder = path.join(mounted, 'folder');
    const unmount = (): void => void spawnSync('umount', [mounted]);
    if (failed === undefined && ignoresCase(folder)) {
      return {
        folder,
        dispose() {
          unmount();
          drop();
        },
      };
    }
    unmount();
    reasons.push(`${name}: ${failed ?? 'case counts there'}`);
  }
  drop();
  return { reasons: reasons.join('; ') };
}

function ignoresCase(folder: string): boolean {
  const probe = path.join(folder, 'Probe');
  mkdirSync(probe);
  const found = existsSync(path.join(folder, 'pROBE'));
  rmSync(probe, { recursive: true });
  return found;
}

function run([program = '', ...args]: readonly string[]): string | null {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) return `${program} cannot be run (${error.message})`;
  return status === 0 ? null : `${program} says ${stderr.trim().split('\n')[0] ?? ''}`;
}
