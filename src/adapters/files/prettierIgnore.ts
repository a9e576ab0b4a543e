import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { objectAt, parsedJson, valueAt } from '../../base/json';
import { prettierIgnoreLines } from '../../contracts/vocabulary/evidenceFiles';
import { readRegularFile } from './regular';

const limit = 1024 * 1024;

/** The lines that `.prettierignore` lacks in a workspace folder that uses Prettier; empty where it does not. */
export async function missingPrettierLines(workspace: string): Promise<readonly string[]> {
  if (!(await usesPrettier(workspace))) return [];
  const lines = (await textOf(path.join(workspace, '.prettierignore'))).split(/\r?\n/).map((line) => line.trim());
  return prettierIgnoreLines.filter((wanted) => !lines.some((line) => covers(line, wanted)));
}

/** Looks for a configuration of Prettier, a field of package.json, or a dependency. */
async function usesPrettier(workspace: string): Promise<boolean> {
  const names = await readdir(workspace).catch(() => []);
  if (names.some((name) => name.startsWith('.prettierrc') || name.startsWith('prettier.config.'))) return true;
  const manifest = parsedJson(await textOf(path.join(workspace, 'package.json')));
  return (
    valueAt(manifest, 'prettier') !== undefined ||
    dependencies.some((field) => valueAt(objectAt(manifest, field), 'prettier') !== undefined)
  );
}

const dependencies = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

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
