import { realpath, stat, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { join } from 'node:path';
import process from 'node:process';
import type { PlanFiles, PlanText, InstructionsFact, NamedFile, PlaceFact, PolicyFile } from '../../engine/ports/plans';
import { createFileAtomic, removeHalves, writeFileAtomic } from '../files/atomic';
import { makeFolder } from '../files/makeFolder';
import { posix, wayInside, searchOutside } from '../files/inside';
import { configuredPlaces } from '../git/configPlaces';
import { areIgnored } from '../git/ignored';
import { locateRepository } from '../git/locate';
import { sandboxHere } from '../sandbox/sandboxes';
import { systemClock } from '../system/clock';
import { editJson } from './edits';
import { projectFilesOf } from './project';
import { jsonLimits, parseJsonText, parsePlanText } from './json';
import { oneAtATime } from '../user/lock';
import { errorHelp, done, errorCode, errorWords, refused, valueOn, type Outcome } from '../../base/outcome';
import { readRegularFile } from '../files/regular';
import { checkShape } from './schemas';
import { instructionLimits } from '../../contracts/vocabulary/plan';
import { utf8Text } from '../files/bytes/lines';
import { sha256Of } from '../files/bytes/sha256';
import { readWorkspaceFile, placeInWorkspace } from '../files/place';
import { mostSiblings } from '../../contracts/vocabulary/confinement';
import { dependencyFolders } from '../../contracts/vocabulary/files/dependencyFolders';
import type { ModelPolicyDocument } from '../../contracts/modelPolicy';
import { machinePolicyName, repositoryPolicyPath } from '../../contracts/vocabulary/models';
import { readOnce } from '../files/opened';
import { ownKeyFolder } from '../user/key';

export const planFiles: PlanFiles = {
  read: readPlan,
  parse: (content) => parsePlanText(typeof content === 'string' ? new TextEncoder().encode(content) : content),
  now: () => systemClock.now(),
  checkShape: (value) => checkShape('plan', value),
  ignored: areIgnored,
  places: lookAtPlaces,
  below: filesBelow,
  hooks: hooksIn,
  links: linksIn,
  instructions: (folder, paths) => Promise.all(paths.map((path) => read(folder, path))),
  named: async (folder, paths) => (await Promise.all(paths.map((one) => namedFile(folder, one)))).flat(),
  policies: (folder) => readPolicyFiles(folder),
  project: projectFilesOf,
  edit: editJson,
  place: newPlanPlace,
  write: writePlan,
};

async function hooksIn(folder: string): Promise<string | null> {
  try {
    const top = await realpath(folder);
    const repository = await locateRepository(top);
    const { hooks } = repository ? await configuredPlaces(repository) : { hooks: null };
    return (hooks && wayInside(top, hooks)) || null;
  } catch {
    return null;
  }
}

async function readPlan(file: string): Promise<PlanText> {
  const reading = await readRegularFile(file, jsonLimits.planBytes);
  if (reading.ok) return parsePlanText(reading.bytes);
  return {
    sha256: null,
    canonical_sha256: null,
    bytes: null,
    value: undefined,
    findings: [{ code: reading.code, severity: 'error', pointer: '', message: reading.message }],
    locate: (findings) => findings,
  };
}

async function writePlan(
  file: string,
  content: Uint8Array | string,
  expectedSha256: string | null,
): Promise<Outcome<null>> {
  try {
    if (expectedSha256 === null) {
      const place = await newPlanPlace(file);
      if (!place.ok) return place;
      await makeFolder(path.dirname(file));
      return (await createFileAtomic(file, content, { mode: 0o644, observed: true }))
        ? done(null)
        : refused('PLAN_ID_REUSED', `${file} exists already.`, 'Choose another plan id.');
    }
    // Replaces the plan behind a symbolic link, not the link.
    const target = await realpath(file);
    return await oneAtATime('plan-writes', () => replacePlan(target, content, expectedSha256, file));
  } catch (error) {
    // The plan is gone, or a faster writer of it removed our temporary file.
    if (errorCode(error) === 'ENOENT' && expectedSha256 !== null) return changedMeanwhile(file);
    const hint = errorHelp(error, 'Check the permissions of the file and its folder.');
    return refused('PLAN_UNWRITABLE', `${file} could not be written (${errorWords(error)}).`, hint);
  }
}

async function replacePlan(
  target: string,
  content: Uint8Array | string,
  expectedSha256: string,
  file: string,
): Promise<Outcome<null>> {
  const current = await readPlan(target);
  if (current.sha256 !== expectedSha256) return changedMeanwhile(file);
  await writeFileAtomic(target, content, { mode: (await stat(target)).mode & 0o777, observed: true });
  await removeHalves(target).catch(() => undefined); // the plan is written; a leftover does no harm
  return done(null);
}

function changedMeanwhile(file: string): Outcome<never> {
  const reason = `${file} was changed by another program in the meantime.`;
  return refused('PLAN_HASH_MISMATCH', reason, 'Look at it again, then repeat the command.');
}

/** Reads a file of instructions for agents. Follows no link, and reads no long file. Never rejects. */
async function read(folder: string, path: string): Promise<InstructionsFact> {
  const found = await readWorkspaceFile(folder, path, instructionLimits.bytes);
  if (found.kind === 'none') return { kind: 'missing', path };
  if (found.kind !== 'file') {
    const target = await targetOf(folder, path);
    return { kind: 'unusable', path, why: found.reason, ...(target !== null && { target }) };
  }
  const { bytes } = found;
  const text = textOf(bytes);
  if (text === null) return { kind: 'unusable', path, why: 'its bytes are not UTF-8' };
  if (text.trim() === '') return { kind: 'unusable', path, why: 'it is empty' };
  return { kind: 'read', file: { path, sha256: sha256Of(bytes), bytes: bytes.length, text } };
}

/** A file of the folder with its digest, or without it where it is a link or too long. A folder is no file. */
async function namedFile(folder: string, path: string): Promise<readonly NamedFile[]> {
  const found = await readWorkspaceFile(folder, path, longestNamed);
  if (found.kind === 'file') return [{ path, read: { bytes: found.bytes.length, sha256: sha256Of(found.bytes) } }];
  const isFile = found.kind !== 'none' && (await stat(join(folder, path)).catch(() => null))?.isFile();
  return isFile ? [{ path }] : [];
}

/** Bytes; a script or a program that is longer is named without its digest. */
const longestNamed = 16 * 1024 * 1024;

/** The file of the folder that a link leads to, POSIX; null: it is no link, or leads to no file there. */
async function targetOf(folder: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(folder);
    const real = await realpath(join(root, path));
    const isTarget = real !== join(root, path) && (await stat(real)).isFile();
    return (isTarget && wayInside(root, real)) || null;
  } catch {
    return null; // no file is there
  }
}

/** Null: the bytes are not UTF-8, or hold a NUL, which no text holds. */
function textOf(bytes: Uint8Array): string | null {
  const text = utf8Text(bytes);
  return text?.includes('\0') === true ? null : text;
}

/**
 * Says whether a new plan can be written as `<workspace>/docs/plans/PLAN_<id>.json`. Refuses when
 * `docs` or `docs/plans` is no folder. Also refuses a link out of the workspace, because a person
 * would not look there. A link that stays inside is the repository's own choice.
 */
async function newPlanPlace(file: string): Promise<Outcome<null>> {
  const plans = path.dirname(path.resolve(file));
  const docs = path.dirname(plans);
  const root = path.dirname(docs);
  try {
    const inside = await realpath(root);
    for (const folder of [docs, plans]) {
      const found = await lstat(folder).catch(missing);
      if (found === null) return done(null);
      const leadsTo = found.isSymbolicLink() ? await stat(folder).catch(missing) : found;
      const name = posix(path.relative(root, folder));
      if (leadsTo === null) return misplaced(file, `${name} is a link that leads nowhere`, name);
      if (!leadsTo.isDirectory()) return misplaced(file, `${name} is not a folder`, name);
      const place = await realpath(folder);
      if (wayInside(inside, place) === null)
        return misplaced(file, `${name} leads to ${place}, outside the workspace`, name);
    }
    return done(null);
  } catch (error) {
    const hint = errorHelp(error, 'Check the permissions of the file and its folder.');
    return refused('PLAN_UNWRITABLE', `${file} could not be written (${errorWords(error)}).`, hint);
  }
}

function misplaced(file: string, why: string, name: string): Outcome<never> {
  const step = `Move ${name} away, so that a folder of the workspace takes its place; then repeat the command.`;
  return refused('PLAN_UNWRITABLE', `${file} was not written: ${why}.`, step);
}

const missing = valueOn(null, 'ENOENT', 'ELOOP');

/** Returns what the disk has at approved paths, as far as a sandbox around them needs it. Never throws. */
async function lookAtPlaces(folder: string, paths: readonly string[]): Promise<readonly PlaceFact[]> {
  const root = await realpath(folder).catch(() => null);
  if (root === null) return [];
  const names = new Map<string, Promise<readonly string[]>>();
  const beside = (above: string): Promise<readonly string[]> => {
    const known = names.get(above) ?? siblingNames(above, root);
    names.set(above, known);
    return known;
  };
  return Promise.all(paths.map((one) => lookAt(root, one, beside)));
}

/** Reads the folders nearest to the top first, and follows no link. */
async function filesBelow(root: string, place: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [place];
  for (let next = 0; next < Math.min(folders.length, mostFoldersBelow); next += 1) {
    const folder = folders[next] ?? '';
    const entries = await readdir(path.join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const at = path.posix.join(folder, entry.name);
      if (!entry.isDirectory()) found.push(at);
      else if (!dependencyFolders.has(entry.name) && entry.name !== '.git') folders.push(at);
    }
  }
  return found;
}

const mostFoldersBelow = 500;

/** The link on the way to each path, or at its end; null: no link, or unknown. Never throws. */
function linksIn(folder: string, paths: readonly string[]): Promise<readonly (string | null)[]> {
  return Promise.all(
    paths.map(async (one) => {
      const place = await placeInWorkspace(folder, one).catch(() => null);
      return place?.kind === 'refused' && place.by === 'link' ? place.at : null;
    }),
  );
}

async function lookAt(
  root: string,
  written: string,
  beside: (folder: string) => Promise<readonly string[]>,
): Promise<PlaceFact> {
  const at = path.join(root, written);
  const above = path.dirname(at);
  const real = await realpath(above).catch(() => null);
  if (real === null) return { path: written, kind: 'missing', beside: [] };
  if (wayInside(root, await realpath(at).catch(() => real)) === null)
    return { path: written, kind: 'outside', beside: [] };
  // A file system that ignores case may spell the path in another way.
  if (real !== above && real.toLowerCase() !== above.toLowerCase())
    return { path: written, kind: 'behind_link', beside: [] };
  const stats = await lstat(at).catch(() => null);
  if (stats?.isDirectory() === true) return { path: written, kind: 'folder', beside: [] };
  const led = stats?.isSymbolicLink() === true ? await stat(at).catch(() => null) : null;
  if (led?.isDirectory() === true) return { path: written, kind: 'behind_link', beside: [] };
  return { path: written, kind: stats === null ? 'missing' : 'other', beside: await beside(above) };
}

/** Empty: they are few, or a layer takes what a launch writes to them. */
async function siblingNames(folder: string, root: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.flatMap((entry) => (entry.isSymbolicLink() ? [] : [entry.name]));
  if (names.length <= mostSiblings) return [];
  const standing = folder === root ? await sandboxHere(searchOutside(process.env, [root]), root) : null;
  return standing?.kind === 'available' && standing.no_tree === null ? [] : names;
}

/** Bytes of a policy file. */
const longest = 1024 * 1024;

/**
 * The policy files of this machine and of a workspace. The machine's file lies beside this user's key, because no
 * worker reaches that from its sandbox.
 */
export async function readPolicyFiles(
  workspaceDir: string | null,
  folder: string | null = ownKeyFolder(),
): Promise<readonly PolicyFile[]> {
  const machine = folder === null ? null : path.join(folder, machinePolicyName);
  return [
    ...(machine === null ? [] : [fileOf('machine', machine, await readMachine(machine))]),
    ...(workspaceDir === null
      ? []
      : [fileOf('repository', repositoryPolicyPath, await readRepository(workspaceDir, repositoryPolicyPath))]),
  ];
}

/** @param found null: the file does not exist; a text: the reason why it is not used */
function fileOf(kind: PolicyFile['kind'], file: string, found: Uint8Array | string | null): PolicyFile {
  if (found === null) return { kind, path: file, document: null, problems: [] };
  if (typeof found === 'string') return { kind, path: file, document: null, problems: [found] };
  const text = parseJsonText(found);
  const shape = text.value === undefined ? [] : checkShape('model-policy', text.value);
  const wrong = [...text.findings, ...shape].filter(({ severity }) => severity !== 'info');
  const problems = wrong.map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`));
  // The cast holds, because the schema accepted the value, and schema and type have one source.
  return { kind, path: file, document: problems.length > 0 ? null : (text.value as ModelPolicyDocument), problems };
}

/** Follows a link, because a person may keep the file elsewhere. */
async function readMachine(file: string): Promise<Uint8Array | string | null> {
  try {
    const read = await readOnce(file, longest, { follow: true });
    if (read.kind === 'absent') return null;
    if (read.kind === 'irregular') return 'It is not a file.';
    if (read.kind === 'too_large') return 'It is larger than 1 MB.';
    const user = process.getuid?.();
    const { uid, mode } = read.stats;
    if (user !== undefined && uid !== user && uid !== 0) return `It belongs to user ${String(uid)}.`;
    return user !== undefined && (mode & 0o022) !== 0
      ? 'Others may write it; `chmod go-w` takes that away.'
      : read.bytes;
  } catch (error) {
    // In a home of another user there is no policy of this user, just as there is no key.
    if (await isOutOfReach(path.dirname(file))) return null;
    return `It could not be read (${errorWords(error)}).`;
  }
}

/** Says whether the folder belongs to another user, or lies behind a folder that this user may not enter. */
async function isOutOfReach(folder: string): Promise<boolean> {
  return stat(folder).then(
    ({ uid }) => process.getuid !== undefined && uid !== process.getuid(),
    (error: unknown) => errorCode(error) === 'EACCES',
  );
}

async function readRepository(workspaceDir: string, file: string): Promise<Uint8Array | string | null> {
  const read = await readWorkspaceFile(workspaceDir, file, longest);
  if (read.kind === 'none') return null;
  return read.kind === 'file' ? read.bytes : `It is not used: ${read.reason}.`;
}
