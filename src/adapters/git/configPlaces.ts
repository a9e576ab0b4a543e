import path from 'node:path';
import { askGit, partTexts } from './command';
import { readShort, type Repository } from './locate';
import { homeFolder } from '../system/machine';

/** Finds the files that a repository's configuration includes, its attribute files, and a hooks folder elsewhere. */
export async function configuredPlaces(
  repository: Repository,
): Promise<{ readonly includes: readonly string[]; readonly hooks: string | null }> {
  const { top, gitDir, commonDir } = repository;
  const files = [path.join(commonDir, 'config'), path.join(gitDir, 'config.worktree')];
  const includes = new Set<string>();
  let hooks: string | null = null;
  for (const file of files) {
    // Searches the text first, because starting git takes longer and few repositories have these.
    if (!/hookspath|attributesfile|\[\s*include/i.test(readShort(file) ?? '')) continue;
    const listing = ['config', '--file', file, '--includes', '--show-origin', '-z', '--list'];
    const answer = await askGit(repository, listing);
    const parts = answer.ok ? partTexts(answer.stdout) : [];
    for (let index = 0; index + 1 < parts.length; index += 2) {
      const origin = path.resolve(top, (parts[index] ?? '').replace(/^file:/, ''));
      if (origin !== file) includes.add(origin);
      const [key = '', ...value] = (parts[index + 1] ?? '').split('\n');
      if (/^include(if\..*)?\.path$/i.test(key)) includes.add(placeFrom(path.dirname(origin), value.join('\n')));
      // Counts the file of attributes, because they decide which filters and merge drivers run.
      if (key.toLowerCase() === 'core.attributesfile') includes.add(placeFrom(top, value.join('\n')));
      if (key.toLowerCase() === 'core.hookspath') hooks = placeFrom(top, value.join('\n'));
    }
  }
  return { includes: [...includes].sort(), hooks: hooks === path.join(commonDir, 'hooks') ? null : hooks };
}

function placeFrom(folder: string, written: string): string {
  return written.startsWith('~/') ? path.join(homeFolder() ?? '/', written.slice(2)) : path.resolve(folder, written);
}
