import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { objectAt, parsedJson, valueAt } from '../../base/json';
import { prettierIgnoreLines } from '../../contracts/vocabulary/files/evidenceFiles';
import { readRegularFile } from './regular';

const limit = 1024 * 1024;

/** A file that Prettier reads, absolute, and the lines that it lacks. */
export interface LackingPrettierLines {
  readonly file: string;
  readonly lines: readonly string[];
}

export interface PrettierOffer extends LackingPrettierLines {
  /** The same for another folder, because Prettier reads only the file of the folder where it starts; null: nothing. */
  readonly elsewhere: LackingPrettierLines | null;
}

/**
 * Finds the lines that `.prettierignore` lacks for a workspace folder, in the folder where Prettier usually starts.
 * Nearest first, a script there starts Prettier, else such a file lies there, else Prettier is configured there. Where
 * that folder lacks nothing, another folder with a script or such a file counts. Null: nothing up to the top of the
 * repository uses Prettier, or no line is missing.
 *
 * @param top the top of the repository; the workspace folder without a repository
 */
export async function missingPrettierLines(workspace: string, top: string): Promise<PrettierOffer | null> {
  const folders = foldersBetween(workspace, top);
  const starts = await foldersThat(folders, callsPrettier);
  const users = [...starts, ...(await foldersThat(folders, usesPrettier))];
  if (users[0] === undefined) return null;
  const likely = [...starts, ...(await foldersThat(folders, hasIgnoreFile))];
  const [usual = users[0], ...others] = [...likely, ...users];
  const lacking = await lackingIn(usual, workspace);
  if (lacking === null) return firstLacking(likely, workspace);
  const other = [workspace, ...others].find((folder) => folder !== usual);
  return { ...lacking, elsewhere: other === undefined ? null : await lackingIn(other, workspace) };
}

/** Returns the first file that lacks lines, of folders where a script or such a file shows a start. */
async function firstLacking(folders: readonly string[], workspace: string): Promise<PrettierOffer | null> {
  for (const folder of folders) {
    const lacking = await lackingIn(folder, workspace);
    if (lacking !== null) return { ...lacking, elsewhere: null };
  }
  return null;
}

async function lackingIn(folder: string, workspace: string): Promise<LackingPrettierLines | null> {
  const file = path.join(folder, ignoreFile);
  const below = path
    .relative(folder, workspace)
    .split(path.sep)
    .join('/')
    .replace(/[\\*?[\]]|^[#!]/g, '\\$&');
  const written = (await textOf(file)).split(/\r?\n/).map((line) => line.trim());
  const lines = prettierIgnoreLines
    .map((line) => (below === '' ? line : `${below}/${line}`))
    .filter((line) => !isIgnored(written, line));
  return lines.length === 0 ? null : { file, lines };
}

const ignoreFile = '.prettierignore';

/** The folder itself first, the top last. */
function foldersBetween(folder: string, top: string): readonly string[] {
  const above = path.dirname(folder);
  return folder === top || above === folder ? [folder] : [folder, ...foldersBetween(above, top)];
}

async function foldersThat(
  folders: readonly string[],
  fits: (folder: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const fitting = await Promise.all(folders.map(fits));
  return folders.filter((_, index) => fitting[index]);
}

async function hasIgnoreFile(folder: string): Promise<boolean> {
  return (await readRegularFile(path.join(folder, ignoreFile), limit)).ok;
}

async function callsPrettier(folder: string): Promise<boolean> {
  const scripts = Object.values(objectAt(await manifestOf(folder), 'scripts') ?? {});
  return scripts.some((script) => typeof script === 'string' && /(?:^|[\s;&|(])prettier(?=\s|$)/.test(script));
}

/** Looks for a configuration of Prettier, a field of package.json, or a dependency. */
async function usesPrettier(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  if (names.some((name) => name.startsWith('.prettierrc') || name.startsWith('prettier.config.'))) return true;
  const manifest = await manifestOf(folder);
  return (
    valueAt(manifest, 'prettier') !== undefined ||
    dependencies.some((field) => valueAt(objectAt(manifest, field), 'prettier') !== undefined)
  );
}

async function manifestOf(folder: string): Promise<unknown> {
  return parsedJson(await textOf(path.join(folder, 'package.json')));
}

const dependencies = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Returns whether the lines ignore everything that the wanted one does; the last one that matches counts. */
function isIgnored(lines: readonly string[], wanted: string): boolean {
  return lines.reduce(
    (ignored, one) =>
      one.startsWith('!') ? ignored && !takesBack(one.slice(1), wanted) : ignored || covers(one, wanted),
    false,
  );
}

/** Returns whether a line with `!` keeps a file that the wanted one ignores: above it, below it, or by its name. */
function takesBack(line: string, wanted: string): boolean {
  const plain = bare(line);
  if (plain === '') return false;
  const folder = bare(wanted).replace(/\/\*\.json$/, '');
  if (`${folder}/`.startsWith(`${plain}/`) || plain.startsWith(`${folder}/`)) return true;
  return /^(?:\*\*\/)?\*/.test(plain) && /(?:\*|\.json|\.md)$/.test(plain);
}

/** Returns whether a line ignores everything that the wanted one does: the same path, or a folder above it. */
function covers(line: string, wanted: string): boolean {
  const plain = bare(line);
  return plain !== '' && (bare(wanted) === plain || bare(wanted).startsWith(`${plain}/`));
}

/** Reduces `/docs/**`, `docs/*` and `docs/` to `docs`. */
function bare(pattern: string): string {
  return pattern.replace(/^\//, '').replace(/\/(\*\*?)?$/, '');
}

async function textOf(file: string): Promise<string> {
  const read = await readRegularFile(file, limit);
  return read.ok ? new TextDecoder().decode(read.bytes) : '';
}
