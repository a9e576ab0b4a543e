import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorHelp } from '../../base/errorWords';
import { done, errorCode, errorMessage, refused, type Outcome } from '../../base/outcome';

/**
 * Says whether a new plan can be written as `<workspace>/docs/plans/PLAN_<id>.json`. Refuses when
 * `docs` or `docs/plans` is no folder. Also refuses a link out of the workspace, because a person
 * would not look there. A link that stays inside is the repository's own choice.
 */
export async function newPlanPlace(file: string): Promise<Outcome<null>> {
  const plans = path.dirname(path.resolve(file));
  const docs = path.dirname(plans);
  const root = path.dirname(docs);
  try {
    const inside = await realpath(root);
    for (const folder of [docs, plans]) {
      const found = await lstat(folder).catch(missing);
      if (found === null) return done(null);
      const leadsTo = found.isSymbolicLink() ? await stat(folder).catch(missing) : found;
      const name = path.relative(root, folder).split(path.sep).join('/');
      if (leadsTo === null) return misplaced(file, `${name} is a link that leads nowhere`, name);
      if (!leadsTo.isDirectory()) return misplaced(file, `${name} is not a folder`, name);
      const place = await realpath(folder);
      if (leadsOut(path.relative(inside, place)))
        return misplaced(file, `${name} leads to ${place}, outside the workspace`, name);
    }
    return done(null);
  } catch (error) {
    const hint = errorHelp(error, 'Check the permissions of the file and its folder.');
    return refused('PLAN_UNWRITABLE', `${file} could not be written (${errorMessage(error)}).`, hint);
  }
}

function leadsOut(way: string): boolean {
  return way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way);
}

function misplaced(file: string, why: string, name: string): Outcome<never> {
  return refused(
    'PLAN_UNWRITABLE',
    `${file} was not written: ${why}.`,
    `Move ${name} away, so that a folder of the workspace takes its place; then repeat the command.`,
  );
}

function missing(error: unknown): null {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ELOOP') return null;
  throw error;
}
