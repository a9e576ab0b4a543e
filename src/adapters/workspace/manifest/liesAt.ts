import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { startsPrograms, type NamedRepository } from '../../git/facts';
import { posix } from '../../git/files';

/**
 * Finds the files of git facts on the disk. Follows links, and returns both folders of a repository, because a fact
 * does not say which one holds it. POSIX, relative to the workspace, absolute outside it.
 */
export async function liesAt(
  root: string,
  fact: string,
  repositories: readonly NamedRepository[],
): Promise<readonly string[]> {
  const workspace = await realpath(root).catch(() => root);
  const found = await Promise.all(candidates(root, fact, repositories).map(realPlace));
  return [...new Set(found.map((at) => shown(workspace, at)))];
}

function candidates(root: string, fact: string, repositories: readonly NamedRepository[]): readonly string[] {
  const [, elsewhere] = /\/(?:config includes|excludes at|hooks at) (.+)$/s.exec(fileOfFact(fact)) ?? [];
  if (elsewhere !== undefined) return [path.resolve(root, elsewhere)];
  const of = [...repositories]
    .sort((left, right) => right.prefix.length - left.prefix.length)
    .find(({ prefix }) => fact === prefix || fact.startsWith(`${prefix}/`));
  if (of === undefined) return [path.join(root, fact)];
  const part = fileOfFact(fact.slice(of.prefix.length + 1));
  const { gitDir, commonDir } = of.repository;
  return [path.join(gitDir, part), path.join(commonDir, part)];
}

/** The file of a repository that a fact is about. */
export function fileOfFact(part: string): string {
  return part.endsWith(startsPrograms) ? part.slice(0, -startsPrograms.length) : part;
}

/** Resolves a path; if it is gone, names it inside the nearest existing folder. */
async function realPlace(file: string): Promise<string> {
  const real = await realpath(file).catch(() => null);
  if (real !== null) return real;
  const folder = path.dirname(file);
  return folder === file ? file : path.join(await realPlace(folder), path.basename(file));
}

function shown(workspace: string, at: string): string {
  const relative = path.relative(workspace, at);
  if (relative === '') return '.';
  return relative.startsWith('..') || path.isAbsolute(relative) ? posix(at) : posix(relative);
}
