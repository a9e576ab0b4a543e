import { unlink, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { handoffNames, maxHandoffFileBytes } from '../../contracts/vocabulary/handoff';
import type { Left } from '../../base/fileState';
import type { HandoffFile, HandoffFiles, Patch, PatchRequest } from '../../engine/ports/handoff';
import type { MissionEvent } from '../../core/model/events';
import type { JournalEntry } from '../../core/model/journalEntry';
import { sha256Of } from '../files/bytes/sha256';
import { foundAt } from '../files/entry';
import { applyPatch, tryPatch } from './applyPatch';
import { readOnce } from '../files/opened';
import { errorHelp, done, errorWords, refused, valueOn, type Outcome } from '../../base/outcome';
import { exportText, readExport } from '../journal/export';
import { checkShape, schemaOf } from '../documents/schemas';
import { readWorkspaceFile } from '../files/place';
import { askGit, gitOnFiles } from '../git/command';
import { locateRepository, type Repository } from '../git/locate';
import { inScratchFolder } from '../files/scratch';
import { contentAt, putContent, sameContent, type Content } from '../files/content';

export function createHandoffFiles(workspaceRoot: string): HandoffFiles {
  return {
    get documents() {
      return documents.map((name) => ({ name, schema: schemaOf(name) }));
    },
    checkShape,
    textOf: (bytes) => Buffer.from(bytes).toString('utf8'),
    digests: async (paths) => {
      const found: Record<string, string | null> = Object.create(null) as Record<string, string | null>;
      for (const name of paths) {
        const file = await readWorkspaceFile(workspaceRoot, name, largestOutputBytes);
        found[name] = file.kind === 'file' ? sha256Of(file.bytes) : null;
      }
      return found;
    },
    found: async (paths) => {
      const found = new Map<string, Left>();
      for (const name of paths) found.set(name, await foundAt(workspaceRoot, name));
      return found;
    },
    patch: (request) => patchOf(workspaceRoot, request),
    read: readHandoffFile,
    journalBytes: (entries) => Buffer.from(exportText(entries)),
    readJournal,
    discard: discardHandoff,
    tryPatch: (patch, starts) => tryPatch(workspaceRoot, patch, starts),
    apply: (patch, starts) => applyPatch(workspaceRoot, patch, starts),
  };
}

/** Reads one file of a folder; its name has no folder in it, and a link is never followed. */
export async function readHandoffFile(folder: string, name: string): Promise<Outcome<HandoffFile | null>> {
  if (name !== path.basename(name) || name === '..' || name === '.' || /[\\:\p{Cc}]/u.test(name))
    return refused('EVIDENCE_FOREIGN', `${JSON.stringify(name)} is no name of a file beside the bundle.`, whole);
  const file = path.join(folder, name);
  try {
    const read = await readOnce(file, maxHandoffFileBytes);
    if (read.kind === 'absent') return done(null);
    if (read.kind === 'irregular')
      return refused('EVIDENCE_FOREIGN', `${name} of the handoff is no regular file.`, whole);
    if (read.kind === 'too_large')
      return refused('EVIDENCE_FOREIGN', `${name} is larger than a file of a handoff.`, whole);
    const { bytes } = read;
    return done({ bytes, sha256: sha256Of(bytes) });
  } catch (error) {
    return refused('EVIDENCE_FOREIGN', `${name} cannot be read: ${errorWords(error)}.`, whole);
  }
}

function readJournal(bytes: Uint8Array): ReturnType<HandoffFiles['readJournal']> {
  const { report, entries } = readExport(Buffer.from(bytes).toString('utf8'));
  if (entries.length > 0) return done(entries as readonly JournalEntry<MissionEvent>[]);
  const how = report.first_bad === null ? 'it has no entry' : `it breaks at entry ${report.first_bad}`;
  return refused('LEDGER_INCONSISTENT', `The chain of ${handoffNames.journal} does not hold: ${how}.`, whole);
}

async function discardHandoff(folder: string): Promise<Outcome<null>> {
  try {
    for (const name of [handoffNames.bundle, handoffNames.sums])
      await unlink(path.join(folder, name)).catch(valueOn(undefined, 'ENOENT'));
    return done(null);
  } catch (error) {
    return refused(
      'EVIDENCE_UNWRITABLE',
      `${folder} cannot be written anew: ${errorWords(error)}.`,
      errorHelp(error, 'Make it writable for your user, then export again.'),
    );
  }
}

const whole = 'Fetch the whole folder from where it was exported.';
/** Bytes; Node reads no more into one buffer. */
const largestOutputBytes = 2 * 1024 * 1024 * 1024 - 1;

/** The documents of seed 003, in the order in which a run meets them. */
const documents = [
  'handoff',
  'assignment',
  'result',
  'orchestrator-output',
  'task-event',
  'ledger',
  'locks',
  'recovery-packet',
  'task-evidence',
] as const;

/**
 * Makes one patch of workspace files against a commit. Git compares copies in a scratch folder, because it then runs no
 * filter or driver that the repository names. Blobs come unfiltered from the object store.
 */
async function patchOf(workspaceRoot: string, request: PatchRequest): Promise<Patch> {
  return inScratchFolder('mission-diff', (scratch) => makePatch(workspaceRoot, request, scratch)).catch(
    (error: unknown) => nothing(request.paths, errorWords(error)),
  );
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
  const inCommit = (name: string): string => [...prefix, name].join('/');
  const entries = await entriesAt(repository, request.base_commit, request.paths.map(inCommit));
  for (const name of request.paths) {
    const before = await contentOf(repository, entries.get(inCommit(name)));
    if (typeof before === 'string') {
      omitted.push({ path: name, why: before });
      continue;
    }
    const now = await contentAt(root, name);
    if (typeof now === 'string') {
      omitted.push({ path: name, why: now });
      continue;
    }
    if (sameContent(before, now)) {
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
    await putContent(path.join(scratch, 'a', name), before);
    await putContent(path.join(scratch, 'b', name), now);
    covered.push(name);
  }
  if (files === 0) return { bytes: null, covered, omitted };
  await mkdir(path.join(scratch, 'a'), { recursive: true });
  await mkdir(path.join(scratch, 'b'), { recursive: true });
  const answer = await gitOnFiles(
    scratch,
    [
      // As text, because git's binary form of a few kilobytes may unpack to any size: so no reader takes it.
      ...['diff', '--no-index', '--text', '--full-index', '--no-color', '--no-ext-diff', '--no-textconv'],
      ...['--no-renames', '--src-prefix=', '--dst-prefix=', '--', 'a', 'b'],
    ],
    [0, 1],
  );
  return answer.ok ? { bytes: answer.stdout, covered, omitted } : nothing(request.paths, answer.reason);
}

/** `<mode> <kind> <id>` of each path in a commit; a sentence: git does not answer. */
async function entriesAt(
  repository: Repository,
  commit: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < names.length; at += namesAtOnce) {
    const some = names.slice(at, at + namesAtOnce);
    const tree = await askGit(repository, ['ls-tree', '-z', '--full-tree', commit, '--', ...some]);
    if (!tree.ok) for (const name of some) found.set(name, tree.reason);
    for (const line of tree.ok ? tree.stdout.toString('utf8').split('\0') : []) {
      const [, entry, name] = /^(.*?)\t(.+)$/s.exec(line) ?? [];
      if (entry !== undefined && name !== undefined) found.set(name, entry);
    }
  }
  return found;
}

/** A command line with so many names of some hundred bytes fits on every system. */
const namesAtOnce = 100;

/** The content of an entry in a commit; null: absent; a sentence: a patch cannot hold it. */
async function contentOf(repository: Repository, entry: string | undefined): Promise<Content | null | string> {
  if (entry === undefined) return null;
  const [, mode, kind, oid] = /^(\d{6}) (\w+) ([0-9a-f]{40,64})$/.exec(entry) ?? [];
  if (oid === undefined) return entry;
  if (kind !== 'blob' || (mode !== '100644' && mode !== '100755' && mode !== '120000'))
    return `it is a ${kind ?? ''} in the commit`;
  const blob = await askGit(repository, ['cat-file', 'blob', oid]);
  return blob.ok ? { mode, bytes: blob.stdout } : blob.reason;
}

function nothing(paths: readonly string[], why: string): Patch {
  return { bytes: null, covered: [], omitted: paths.map((name) => ({ path: name, why })) };
}
