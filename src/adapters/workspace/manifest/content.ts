import path from 'node:path';
import { fewNamed } from '../../../base/text/firstNamed';
import { refused, type Outcome } from '../../../base/outcome';
import { readEntry, sameContentByStat, type ManifestEntry, nativeOf } from '../../files/entry';
import { ignoredFolders, readIgnored } from '../../git/index';
import { locateRepository } from '../../git/locate';
import { isInside, type WalkReport } from './walk';
import { createHash } from 'node:crypto';
import { executionsDir } from '../../../contracts/vocabulary/files/evidenceFiles';

/**
 * Digests the content of a workspace. Reads even files that manifests compare only by size and times, because an
 * acceptance holds for exactly these bytes. An unreadable file is refused, because nothing can be accepted for it.
 */
export class WorkspaceContent {
  /** Large files, with the digest of their whole content. */
  private large = new Map<string, ManifestEntry>();

  /** @param place `paths`: approved; their content counts even if git ignores it */
  async digest(
    place: { readonly root: string; readonly paths: readonly string[] },
    entries: Iterable<ManifestEntry>,
    { repositories, unreadable }: Pick<WalkReport, 'repositories' | 'unreadable'>,
  ): Promise<Outcome<string>> {
    const { root } = place;
    const ignored = await ignoredIn(place, repositories);
    const counted = [...entries].filter((entry) => counts(entry.path, entry.outside) && !ignored(entry.path));
    const large = new Map<string, ManifestEntry>();
    const whole: ManifestEntry[] = [];
    for (const entry of counted) {
      if (entry.problem !== 'too_large') {
        whole.push(entry);
        continue;
      }
      const read = await this.readWhole(root, entry);
      if (!read) continue;
      if (read.sha256 !== undefined) large.set(entry.path, read);
      whole.push(read);
    }
    this.large = large;
    const unread = [
      ...whole.flatMap(({ path: name, problem }) => (problem === undefined ? [] : [name])),
      ...unreadable.flatMap(({ path: name }) => (counts(name, undefined) && !ignored(name) ? [name] : [])),
    ];
    if (unread.length > 0)
      return refused(
        'STATE_STORE_CORRUPT',
        `${fewNamed(unread)} could not be read, so what the workspace holds is not known; make it readable, or let git ignore it.`,
        'Then retry the task.',
      );
    return { ok: true, value: treeSha256(whole) };
  }

  private async readWhole(root: string, entry: ManifestEntry): Promise<ManifestEntry | null> {
    const known = this.large.get(entry.path);
    if (known && sameContentByStat(known, entry) && known.mode === entry.mode && isSettled(entry)) return known;
    return readEntry(nativeOf(root, entry.path, entry.raw), entry.path, { large_file_bytes: Infinity });
  }
}

/** Says whether a file last changed over a minute ago, because a fresh one may change again within one tick. */
function isSettled({ ctime_ms }: ManifestEntry): boolean {
  return Date.now() - ctime_ms > 60_000;
}

/**
 * Says whether a path does not count, because a repository of the workspace ignores it. In an approved place that git
 * ignores as a whole everything counts, because the task was approved to make it. Caches in other places do not.
 *
 * @param gitFolders the `.git` of each repository below the root
 */
async function ignoredIn(
  { root, paths }: { readonly root: string; readonly paths: readonly string[] },
  gitFolders: readonly string[],
): Promise<(path: string) => boolean> {
  const files = new Set<string>();
  const folders = new Set<string>();
  const approved = new Set<string>();
  const places = [...new Set(['', ...gitFolders.map((git) => path.posix.dirname(git).replace(/^\.$/, ''))])];
  for (const folder of places) {
    const place = path.join(root, folder);
    const repository = await locateRepository(place);
    if (repository === null) continue;
    for (const one of await readIgnored(repository, place)) {
      const name = inFolder(folder, one);
      if (name.endsWith('/')) folders.add(name.slice(0, -1));
      else files.add(name);
    }
    const own = paths.flatMap((one) => (innermost(one, places) === folder ? [below(one, folder)] : []));
    const asked = own.filter((one) => one !== '' && one !== '.');
    // A path counts if git cannot say.
    const ignored =
      asked.length === 0 ? asked : ((await ignoredFolders(repository, place, asked, 'repository')) ?? asked);
    for (const one of ignored) approved.add(inFolder(folder, one));
  }
  const among = (name: string, named: ReadonlySet<string>): boolean => named.has(name) || isInside(name, named);
  return (name) => (files.has(name) || among(name, folders)) && !among(name, approved);
}

function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function below(name: string, folder: string): string {
  return folder === '' ? name : name.slice(folder.length + 1);
}

function innermost(name: string, folders: readonly string[]): string {
  const around = folders.filter((folder) => folder === '' || name.startsWith(`${folder}/`));
  return around.reduce((found, folder) => (folder.length > found.length ? folder : found), '');
}

/**
 * One digest of the content of a workspace, the same on every machine. Of a mode only the execute bit counts.
 *
 * @param entries the entries that count, each read
 */
function treeSha256(entries: Iterable<ManifestEntry>): string {
  const lines: string[] = [];
  for (const { path, type, mode, sha256, target } of entries) {
    const executable = type === 'file' && (mode & 0o100) !== 0;
    lines.push(JSON.stringify([path, type, executable, sha256 ?? target ?? 'none']));
  }
  const hash = createHash('sha256');
  for (const line of lines.sort()) hash.update(line).update('\n');
  return hash.digest('hex').toUpperCase();
}

/**
 * Returns whether a path counts as content. Plans do not, nor does evidence, because the runner itself writes it.
 * Neither does the file by which a worktree or submodule names its repository, nor anything outside the workspace.
 */
function counts(path: string, outside: string | undefined): boolean {
  if (outside !== undefined || path === '.git' || path.endsWith('/.git')) return false;
  return ![executionsDir, 'docs/plans'].some((folder) => path === folder || path.startsWith(`${folder}/`));
}
