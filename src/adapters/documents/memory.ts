import { withoutEnd } from '../../base/text/plainLine';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { memoryRecordSchema } from '../../contracts/memory';
import { memoryFolder, memoryStream } from '../../contracts/vocabulary/memory';
import type { MemoryFile } from '../../core/memory/chain';
import type { DriverMemory, MemoryReading, ReadMemory } from '../../engine/ports/memory';
import type { Journal, StreamInfo } from '../../engine/ports/journal';
import type { WorkspaceEvent } from '../../engine/ports/workspaceEvents';
import { errorHelp, done, errorCode, errorWords, refused, valueOn, type Outcome } from '../../base/outcome';
import { createFileAtomic, removeHalves, renameFile, syncFolder } from '../files/atomic';
import { makeFoldersFor, placeInWorkspace, readWorkspaceFile } from '../files/place';
import { sha256Of } from '../files/bytes/sha256';
import { parseJsonText } from './json';

/** Bytes and number of files; a real memory stays far below both. */
const limits = { bytes: 256 * 1024, files: 10_000 } as const;

type Records = Pick<Journal<WorkspaceEvent>, 'pages' | 'append' | 'streams'>;

/** The memory of the workspace with this root. Files of it are created and never changed. */
export function memoryOf(root: string, records: Pick<Records, 'pages' | 'streams'>): ReadMemory {
  return { read: () => read(root, records) };
}

export function driverMemory(root: string, records: Records): DriverMemory {
  return {
    read: () => read(root, records),
    async record(_intent, entry, fence) {
      const { last_seq = 0, sealed = true } = (await memoryOfRecords(records)) ?? {};
      // The seal of this entry holds for those before it, so that they must not count.
      const aside = { ...entry, event: { type: 'MemorySetAside', reason: notOfThisUser, folder: '' } } as const;
      const appended = await records.append(memoryStream, last_seq, fence, [...(sealed ? [] : [aside]), entry]);
      return appended.ok
        ? done(null)
        : refused(
            'MEMORY_UNWRITABLE',
            `The journal did not take a record of the memory (${appended.reason}).`,
            'mission doctor',
          );
    },
    setAside: (folder) => setAside(root, folder),
    create: (_intent, name, text) => create(root, name, text),
  };
}

async function read(root: string, records: Pick<Records, 'pages' | 'streams'>): Promise<Outcome<MemoryReading>> {
  try {
    const known = await memoryOfRecords(records);
    // The seal covers the entries before it only where the chain holds.
    const entries: { readonly event: WorkspaceEvent }[] = [];
    if (known?.sealed) for await (const page of records.pages(memoryStream, { verified: true })) entries.push(...page);
    const begun = entries.findLastIndex(({ event }) => event.type === 'MemorySetAside') + 1;
    const index = entries.slice(begun).flatMap(({ event }) => {
      if (event.type !== 'MemoryRecorded') return [];
      const { type: _type, ...entry } = event;
      return [entry];
    });
    const names = await memoryFileNames(root);
    if (names.length > limits.files) throw new Error(`${memoryFolder} holds more than ${limits.files} files`);
    const files: MemoryFile[] = [];
    for (const name of names) files.push(await fileAt(root, name));
    return done({ files, index });
  } catch (error) {
    const reason = `${memoryFolder} cannot be read: ${errorWords(error)}.`;
    return refused('MEMORY_DAMAGED', reason, errorHelp(error, 'Make the folder and its files readable for your user.'));
  }
}

async function memoryOfRecords(records: Pick<Records, 'streams'>): Promise<StreamInfo | undefined> {
  return (await records.streams()).find(({ stream }) => stream === memoryStream);
}

const notOfThisUser = 'No seal of this user holds for what was recorded before.';

/** Sorted. Skips names that begin with a dot, because a killed writer or the system left those. */
async function memoryFileNames(root: string): Promise<readonly string[]> {
  const place = await placeInWorkspace(root, memoryFolder);
  if (place.kind === 'refused') throw new Error(place.reason);
  const names = await readdir(place.absolute).catch(valueOn([], 'ENOENT'));
  return names.filter((name) => !name.startsWith('.')).sort();
}

async function fileAt(root: string, name: string): Promise<MemoryFile> {
  const found = await readWorkspaceFile(root, `${memoryFolder}/${name}`, limits.bytes);
  if (found.kind !== 'file') return damaged(name, null, 1, found.kind === 'none' ? 'it is gone' : found.reason);
  const sha256 = sha256Of(found.bytes);
  const text = parseJsonText(found.bytes);
  const broken = text.locate(text.findings).find(({ severity }) => severity === 'error');
  if (broken || text.value === undefined)
    return damaged(name, sha256, broken?.line, withoutEnd(broken?.message ?? 'it is not JSON'));
  const parsed = memoryRecordSchema.safeParse(text.value);
  if (parsed.success) return { name, sha256, record: parsed.data, problem: null };
  const pointer = (parsed.error.issues[0]?.path ?? []).map((part) => `/${String(part)}`).join('');
  const [placed] = text.locate([{ code: 'SCHEMA_INVALID', severity: 'error', pointer, message: '' }]);
  return damaged(name, sha256, placed?.line, `${pointer || '/'} is not as a record has it`);
}

function damaged(name: string, sha256: string | null, line: number | undefined, reason: string): MemoryFile {
  return { name, sha256, record: null, problem: { line: line ?? 1, reason } };
}

async function setAside(root: string, folder: string): Promise<Outcome<null>> {
  try {
    const [from, to] = [await placeInWorkspace(root, memoryFolder), await placeInWorkspace(root, folder)];
    if (from.kind === 'refused') return unwritable(from.reason);
    if (to.kind === 'refused') return unwritable(to.reason);
    await renameFile(from.absolute, to.absolute);
    await syncFolder(path.dirname(to.absolute));
    return done(null);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return done(null);
    return unwritable(errorWords(error), errorHelp(error, 'Make the folder writable for your user.'));
  }
}

async function create(root: string, name: string, text: string): Promise<Outcome<null>> {
  const relative = `${memoryFolder}/${name}`;
  try {
    const place = await makeFoldersFor(root, relative, 0o700);
    if (place.kind === 'refused') return unwritable(place.reason);
    const created = await createFileAtomic(place.absolute, text);
    // Only owners write here, so a temporary file belongs to an owner that was killed.
    await removeHalves(place.absolute);
    if (created) return done(null);
    const there = await readWorkspaceFile(root, relative, limits.bytes);
    return there.kind === 'file' && there.bytes.equals(Buffer.from(text))
      ? done(null)
      : unwritable(`something else is in the place of ${relative}`);
  } catch (error) {
    return unwritable(errorWords(error), errorHelp(error, 'Make the folder writable for your user.'));
  }
}

function unwritable(
  reason: string,
  next = 'Look at it, and move it away if you did not expect it.',
): ReturnType<typeof refused> {
  return refused('MEMORY_UNWRITABLE', `A decision could not be remembered (${reason}).`, next, 'mission doctor');
}
