import { chmod, lstat, mkdir, readFile, readlink, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Patch, PatchRequest } from '../engine/ports/handoffPorts';
import type { Outcome } from '../engine/ports';
import { askGit, gitOnFiles, splitNul } from './gitCommand';
import { placeOf } from './gitFacts';
import { locateRepository, type Repository } from './gitLocate';
import { done, errorMessage, refused } from './outcome';
import { inScratchFolder } from './scratchFolder';
import { placeInWorkspace } from './workspacePath';

/**
 * Files of the workspace as one patch against a commit. Git compares copies in a folder of their own, so that no filter
 * or driver the repository names is run; blobs come out of the object store as they are.
 */
export async function patchOf(workspaceRoot: string, request: PatchRequest): Promise<Patch> {
  return inScratchFolder('mission-diff', (scratch) => makePatch(workspaceRoot, request, scratch)).catch(
    (error: unknown) => nothing(request.paths, errorMessage(error)),
  );
}

/** Paths that a patch changes; refused when git cannot read it. */
export async function patchedPaths(patch: Uint8Array): Promise<Outcome<readonly string[]>> {
  return inScratch(patch, async (file, folder) => {
    const answer = await gitOnFiles(folder, ['apply', '--numstat', '-z', file]);
    if (!answer.ok) return refused('EVIDENCE_INVALID', `The diff of the handoff cannot be read: ${answer.reason}.`);
    return done(splitNul(answer.stdout).map((line) => line.toString('utf8').split('\t').slice(2).join('\t')));
  });
}

/** Git checks every hunk before it writes the first file. */
export async function applyPatch(workspaceRoot: string, patch: Uint8Array): Promise<Outcome<null>> {
  return inScratch(patch, async (file) => {
    const answer = await gitOnFiles(await realpath(workspaceRoot), ['apply', '--whitespace=nowarn', file]);
    return answer.ok
      ? done(null)
      : refused('EVIDENCE_UNWRITABLE', `The diff of the handoff does not apply here: ${answer.reason}.`);
  });
}

async function makePatch(workspaceRoot: string, request: PatchRequest, scratch: string): Promise<Patch> {
  const root = await realpath(workspaceRoot);
  const repository = await locateRepository(root);
  if (repository === null) return nothing(request.paths, 'there is no repository');
  const prefix = path.relative(repository.top, root).split(path.sep).filter(Boolean);
  const covered: string[] = [];
  const omitted: { path: string; why: string }[] = [];
  let bytes = 0;
  let files = 0;
  for (const name of request.paths) {
    const before = await blobAt(repository, request.base_commit, [...prefix, name].join('/'));
    if (typeof before === 'string') {
      omitted.push({ path: name, why: before });
      continue;
    }
    const now = await fileAt(root, name);
    if (typeof now === 'string') {
      omitted.push({ path: name, why: now });
      continue;
    }
    if (before?.mode === now?.mode && (before?.bytes.equals(now?.bytes ?? Buffer.alloc(0)) ?? now === null)) {
      covered.push(name);
      continue;
    }
    const size = (before?.bytes.length ?? 0) + (now?.bytes.length ?? 0);
    if (bytes + size > request.max_bytes) {
      omitted.push({
        path: name,
        why: `too large for the diff (${size} bytes; all files together at most ${request.max_bytes})`,
      });
      continue;
    }
    bytes += size;
    files += 1;
    await put(path.join(scratch, 'a', name), before);
    await put(path.join(scratch, 'b', name), now);
    covered.push(name);
  }
  if (files === 0) return { bytes: null, covered, omitted };
  await mkdir(path.join(scratch, 'a'), { recursive: true });
  await mkdir(path.join(scratch, 'b'), { recursive: true });
  const answer = await gitOnFiles(
    scratch,
    [
      ...['diff', '--no-index', '--binary', '--full-index', '--no-color', '--no-ext-diff', '--no-textconv'],
      ...['--no-renames', '--src-prefix=', '--dst-prefix=', '--', 'a', 'b'],
    ],
    [0, 1],
  );
  return answer.ok ? { bytes: answer.stdout, covered, omitted } : nothing(request.paths, answer.reason);
}

interface Content {
  readonly mode: '100644' | '100755' | '120000';
  readonly bytes: Buffer;
}

/** Content of a path in a commit; null when it is not there, a sentence when it is nothing a patch can hold. */
async function blobAt(repository: Repository, commit: string, name: string): Promise<Content | null | string> {
  const place = placeOf(repository);
  const tree = await askGit(place, ['ls-tree', '-z', '--full-tree', commit, '--', name]);
  if (!tree.ok) return tree.reason;
  const line = tree.stdout.toString('utf8').split('\0')[0] ?? '';
  const [, mode, kind, oid] = /^(\d{6}) (\w+) ([0-9a-f]{40,64})\t/.exec(line) ?? [];
  if (oid === undefined) return null;
  if (kind !== 'blob' || (mode !== '100644' && mode !== '100755' && mode !== '120000'))
    return `it is a ${kind ?? ''} in the commit`;
  const blob = await askGit(place, ['cat-file', 'blob', oid]);
  return blob.ok ? { mode, bytes: blob.stdout } : blob.reason;
}

async function fileAt(root: string, name: string): Promise<Content | null | string> {
  const place = await placeInWorkspace(root, name);
  const absolute = place.kind === 'path' ? place.absolute : path.join(root, ...name.split('/'));
  const stats = await lstat(absolute).catch(() => null);
  if (stats === null) return null;
  if (stats.isSymbolicLink()) return { mode: '120000', bytes: Buffer.from(await readlink(absolute)) };
  if (place.kind === 'refused') return place.reason;
  if (!stats.isFile()) return 'it is no regular file';
  return { mode: (stats.mode & 0o100) === 0 ? '100644' : '100755', bytes: await readFile(absolute) };
}

async function put(file: string, content: Content | null): Promise<void> {
  if (content === null) return;
  await mkdir(path.dirname(file), { recursive: true });
  if (content.mode === '120000') return symlink(content.bytes.toString('utf8'), file);
  await writeFile(file, content.bytes);
  await chmod(file, content.mode === '100755' ? 0o755 : 0o644);
}

async function inScratch<T>(
  patch: Uint8Array,
  work: (file: string, folder: string) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  return inScratchFolder('mission-diff', async (scratch) => {
    const file = path.join(scratch, 'changes.diff');
    await writeFile(file, patch);
    return work(file, scratch);
  }).catch((error: unknown) => refused('EVIDENCE_UNWRITABLE', errorMessage(error)));
}

function nothing(paths: readonly string[], why: string): Patch {
  return { bytes: null, covered: [], omitted: paths.map((name) => ({ path: name, why })) };
}
