import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import type { ExistingEvidence } from '../../core/mission/start';
import type { EvidenceFiles, ReadFile, WrittenFile } from '../../engine/ports/evidence';
import type { MovedObstacle } from '../../core/model/facts';
import { removeHalves, renameFile, syncFolder, writeFileAtomic } from '../files/atomic';
import { explainedDigest, explainedSeal } from './explained';
import { sealHeader, sealHolds, sha256Of } from '../files/bytes/sha256';
import { errorHelp, done, errorCode, errorWords, refused, valueOn, type Outcome } from '../../base/outcome';
import { redactText } from '../system/redact';
import { isPathId, stateFolderName } from '../state/folder';
import { readWorkspaceFile, makeFoldersFor, placeInWorkspace } from '../files/place';
import { documentText, isObject, parsedJson, textAt } from '../../base/json';

export type Redactor = (text: string) => { readonly text: string; readonly redactions: number };

export interface EvidenceFilesOptions {
  /** Absolute path. */
  readonly workspaceRoot: string;
  /** Default: the shipped secret patterns. */
  readonly redact?: Redactor;
}

/** All writes of evidence and mission files go through here. */
export function createEvidenceFiles({ workspaceRoot, redact = redactText }: EvidenceFilesOptions): EvidenceFiles {
  return {
    existing: (planId) => existing(workspaceRoot, planId),
    executions: () => guarded(async () => done(await entryNamesIn(workspaceRoot, executionsDir))),
    archive: (planId, missionId) => guarded(() => archive(workspaceRoot, planId, missionId)),
    clear: (relative, missionId) =>
      guarded(async () =>
        isOurs(relative) && isPathId(missionId)
          ? done(await clearWay(workspaceRoot, relative, missionId))
          : foreign(`${relative} is no place for evidence or mission files`),
      ),
    write: (relative, content) => guarded(() => write(workspaceRoot, redact, relative, content)),
    writeMarkdown: (relative, text) => guarded(() => write(workspaceRoot, redact, relative, text.toString())),
    exists: async (relative) => isOurs(relative) && (await readWorkspaceFile(workspaceRoot, relative)).kind === 'file',
    read: (relative) => guarded(() => read(workspaceRoot, relative)),
  };
}

/** Redacts a document. Where a pattern would break the syntax of JSON, each string is redacted by itself. */
export function redactDocument(name: string, text: string, redact: Redactor): { text: string; redactions: number } {
  const whole = redact(text);
  if (whole.redactions === 0 || !name.endsWith('.json') || parsedJson(whole.text) !== undefined) return whole;
  const value = parsedJson(text);
  if (value === undefined) return whole;
  let redactions = 0;
  const document: unknown = JSON.parse(JSON.stringify(value), (_key, member: unknown) => {
    if (typeof member !== 'string') return member;
    const result = redact(member);
    redactions += result.redactions;
    return result.text;
  });
  return { text: documentText(document), redactions };
}

async function existing(workspaceRoot: string, planId: string): Promise<ExistingEvidence> {
  const unreadable = {
    kind: 'present',
    mission_id: null,
    plan_sha256: null,
    state: null,
    code: null,
    readable: false,
  } as const;
  if (!isPathId(planId)) return unreadable;
  const folder = `${executionsDir}/${planId}`;
  try {
    const header = await read(workspaceRoot, `${folder}/${evidenceNames.header}`);
    if (!header.ok) return unreadable;
    if (header.value !== null) {
      const value = parsedJson(header.value.text);
      if (!isObject(value)) return unreadable;
      const mission_id = textAt(value, 'mission_id');
      // The mission id names the folder for its archive.
      if (mission_id !== null && !isPathId(mission_id)) return unreadable;
      return {
        kind: 'present',
        mission_id,
        plan_sha256: textAt(value, 'plan_sha256')?.toUpperCase() ?? null,
        state: textAt(value, 'state'),
        code: textAt(value, 'code'),
        readable: true,
      };
    }
    const names = await entryNamesIn(workspaceRoot, folder);
    // A failed start leaves a plan alone, because it writes the locked plan before the first header.
    const evidence = names.filter(
      (name) => /^(?:TASK|MILESTONE)_.*\.json$/.test(name) || name === evidenceNames.summary,
    );
    // A link in place of that plan is not what a failed start leaves.
    const locked = await read(workspaceRoot, `${folder}/${evidenceNames.lockedPlan}`);
    return evidence.length === 0 && locked.ok ? { kind: 'none' } : unreadable;
  } catch {
    return unreadable; // no mission may start over evidence that cannot be read
  }
}

async function archive(workspaceRoot: string, planId: string, missionId: string): Promise<Outcome<null>> {
  if (!isPathId(planId) || !isPathId(missionId)) {
    const why = `${planId} and ${missionId} cannot name folders.`;
    return refused('EVIDENCE_FOREIGN', why, 'Give the plan another plan_id.');
  }
  const folder = `${executionsDir}/${planId}`;
  const names = (await entryNamesIn(workspaceRoot, folder)).filter((name) => name !== evidenceNames.archive);
  // Moves the header last, because a repeated call then still finds the same evidence.
  const ordered = [
    ...names.filter((name) => name !== evidenceNames.header),
    ...names.filter((name) => name === evidenceNames.header),
  ];
  for (const name of ordered) {
    const from = await placeInWorkspace(workspaceRoot, `${folder}/${name}`);
    if (from.kind === 'refused') return foreign(from.reason);
    const to = await makeFoldersFor(workspaceRoot, `${folder}/${evidenceNames.archive}/${missionId}/${name}`, 0o755);
    if (to.kind === 'refused') return foreign(to.reason);
    if ((await fileKindAt(to.absolute)) !== 'none') {
      const why = `The archive of ${missionId} already holds ${name}.`;
      return refused('EVIDENCE_UNWRITABLE', why, 'Look at both files and move one away.');
    }
    await renameFile(from.absolute, to.absolute);
    await syncFolder(path.dirname(to.absolute));
    await syncFolder(path.dirname(from.absolute));
  }
  return done(null);
}

async function write(
  workspaceRoot: string,
  redact: Redactor,
  relative: string,
  content: string | Uint8Array,
): Promise<Outcome<WrittenFile>> {
  if (!isOurs(relative)) return foreign(`${relative} is no place for evidence or mission files`);
  const secret = relative.startsWith(`${stateFolderName}/`);
  const place = await makeFoldersFor(workspaceRoot, relative, secret ? 0o700 : 0o755);
  if (place.kind === 'refused') return foreign(place.reason);
  const kind = await fileKindAt(place.absolute);
  if (kind === 'other') return foreign(`${relative} is not a file`);
  const prepared =
    typeof content === 'string' ? redactDocument(relative, content, redact) : { text: content, redactions: 0 };
  let bytes: string | Uint8Array = prepared.text;
  if (typeof bytes === 'string' && isHeader(relative)) {
    const sealed = sealHeader(bytes);
    if (sealed === null) {
      const why = `${relative} has no place for its seal: header_sha256 is missing.`;
      return refused('EVIDENCE_INVALID', why, 'Report it: this is a mistake of Mission Control.');
    }
    bytes = sealed;
  }
  await writeFileAtomic(place.absolute, bytes, { mode: secret ? 0o600 : 0o644 });
  // Only owners write here, so a temporary file belongs to an owner that was killed.
  await removeHalves(place.absolute);
  // Returns the digest of the bytes that are on disk now.
  const written = await readWorkspaceFile(workspaceRoot, relative);
  if (written.kind !== 'file') return foreign(`${relative} was replaced while it was written`);
  return done({ path: relative, sha256: sha256Of(written.bytes), redactions: prepared.redactions });
}

async function read(workspaceRoot: string, relative: string): Promise<Outcome<ReadFile | null>> {
  if (!isOurs(relative)) return foreign(`${relative} is no place for evidence or mission files`);
  const file = await readWorkspaceFile(workspaceRoot, relative);
  if (file.kind === 'none') return done(null);
  if (file.kind === 'refused') return foreign(file.reason);
  if (file.kind === 'unreadable') throw new Error(file.reason);
  const { bytes } = file;
  const name = path.posix.basename(relative);
  return done({
    text: bytes.toString('utf8'),
    sha256: sha256Of(bytes),
    sealed: isHeader(relative) ? sealHolds(bytes) : null,
    explained: (digest) => (digest === null ? explainedSeal(name, bytes) : explainedDigest(name, bytes, digest)),
  });
}

async function entryNamesIn(workspaceRoot: string, folder: string): Promise<string[]> {
  const place = await placeInWorkspace(workspaceRoot, folder);
  if (place.kind === 'refused') throw new Error(place.reason);
  return readdir(place.absolute).catch(valueOn([], 'ENOENT'));
}

async function fileKindAt(absolute: string): Promise<'none' | 'file' | 'other'> {
  const stats = await lstat(absolute).catch(valueOn(null, 'ENOENT'));
  return stats === null ? 'none' : stats.isFile() ? 'file' : 'other';
}

async function guarded<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    return refused(
      'EVIDENCE_UNWRITABLE',
      `Evidence could not be written: ${errorWords(error)}.`,
      // Errors without a code come from Mission Control: no folder where one must be, or a file that cannot be read.
      errorCode(error) === null
        ? 'Look at what is there: move away what you did not expect, make the rest readable and writable for your user.'
        : errorHelp(error, 'Make the folder readable and writable for your user.'),
    );
  }
}

function foreign(reason: string): ReturnType<typeof refused> {
  const step = 'Look at the folder and move away what you did not expect there.';
  return refused('EVIDENCE_FOREIGN', `Not used: ${reason}.`, step);
}

/** Says whether every character of a name means the same on every platform, as in our own names. */
function isOurs(relative: string): boolean {
  if (/[\\:\p{Cc}]/u.test(relative)) return false;
  return relative.startsWith(`${executionsDir}/`) || relative.startsWith(`${stateFolderName}/missions/`);
}

function isHeader(relative: string): boolean {
  return relative.startsWith(`${executionsDir}/`) && relative.endsWith(`/${evidenceNames.header}`);
}

/**
 * Moves into the mission folder whatever keeps a file from being written: above the file, anything but a folder; at its
 * place, anything but a file. Renames it; never opens, follows or deletes it.
 *
 * @throws the file system's own error.
 */
async function clearWay(workspaceRoot: string, relative: string, missionId: string): Promise<readonly MovedObstacle[]> {
  const root = await realpath(workspaceRoot);
  const aside = `${stateFolderName}/missions/${missionId}/moved-aside`;
  const parts = relative.split('/');
  for (let length = 1; length <= parts.length; length += 1) {
    const at = parts.slice(0, length).join('/');
    const absolute = path.join(root, ...parts.slice(0, length));
    const stats = await lstat(absolute).catch(valueOn(null, 'ENOENT'));
    if (stats === null) return [];
    const fits = length === parts.length ? stats.isFile() : stats.isDirectory();
    if (fits) continue;
    // Fails here, because a folder cannot be moved into itself.
    if (`${aside}/`.startsWith(`${at}/`)) throw new Error(`${at} is not a folder`);
    for (let n = 1; ; n += 1) {
      const moved_to = `${aside}/${n}-${parts[length - 1] ?? ''}`;
      const place = await makeFoldersFor(root, moved_to, 0o700);
      if (place.kind === 'refused') throw new Error(place.reason);
      if ((await fileKindAt(place.absolute)) !== 'none') continue;
      await renameFile(absolute, place.absolute);
      return [{ path: at, moved_to }];
    }
  }
  return [];
}
