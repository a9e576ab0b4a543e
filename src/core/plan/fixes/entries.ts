import { quoted } from '../../../base/json';
import { nearest } from '../../../base/text/nearest';
import { readWrittenPath } from '../../paths/writtenPath';
import { objectIn, removesValue, setsValue, type Mended, type PlanFix } from './planFix';

export function dropEntry({ path, value }: Mended): readonly PlanFix[] {
  const at = path.at(-1);
  return typeof at === 'number'
    ? [removesValue(`Remove ${quoted(value)} from ${path[0] === 'scope' ? 'scope.' : ''}${String(path.at(-2))}`, path)]
    : [];
}

export function dropField({ path }: Mended): readonly PlanFix[] {
  const at = path.at(-1);
  return typeof at === 'string' ? [removesValue(`Remove ${quoted(at)}`, path)] : [];
}

/** Removes a command, or makes it perform a task that names no worker. */
export function dropCommand(mended: Mended): readonly PlanFix[] {
  const { plan, path } = mended;
  const place = path.slice(0, -1);
  const command =
    path[0] === 'tasks' && !('worker' in objectIn(plan, place))
      ? [setsValue('Add "worker": "command"', [...place, 'worker'], 'command')]
      : [];
  return [...command, ...dropField(mended)];
}

/** The known word that was meant; a reference to nothing can also go. */
export function meant(known: (mended: Mended) => readonly string[], mayGo = false) {
  return (mended: Mended): readonly PlanFix[] => {
    const { path, value } = mended;
    const near = typeof value === 'string' ? nearest(value, known(mended)) : null;
    const drop = mayGo ? [...dropEntry(mended), ...dropField(mended)] : [];
    return [...(near === null ? [] : [setsValue(`Change to ${quoted(near)}`, path, near)]), ...drop];
  };
}

type Limits = Readonly<Record<string, { readonly min: number; readonly max: number }>>;

/** The nearest number within the range of the field. */
export function clamped(limits: Limits) {
  return ({ path, value }: Mended): readonly PlanFix[] => {
    const limit = limits[String(path.at(-1))];
    if (typeof value !== 'number' || limit === undefined) return [];
    const near = Math.min(limit.max, Math.max(limit.min, Math.round(value)));
    return near === value ? [] : [setsValue(`Change to ${near}`, path, near)];
  };
}

/** An entry that is no path can go from what a task may write; from what it may not, nothing is taken away. */
export function plainPath(mended: Mended): readonly PlanFix[] {
  const { path, value, workspaceDir } = mended;
  if (typeof value !== 'string') return [];
  const same = samePlace(value, workspaceDir);
  const written = same === null || same === value ? [] : [setsValue(`Change to ${quoted(same)}`, path, same)];
  return [...written, ...(path.includes('forbidden_paths') ? [] : dropEntry(mended))];
}

function samePlace(text: string, workspaceDir: string | null): string | null {
  const slashed = text.replaceAll('\\', '/');
  const inside =
    workspaceDir !== null && slashed.startsWith(`${workspaceDir}/`) ? slashed.slice(workspaceDir.length + 1) : slashed;
  // A folder covers everything below it.
  const folder = inside.replace(/\/\*\*(?:\/\*)?$/, '/');
  const segments: string[] = [];
  for (const segment of folder.split('/')) {
    if (segment !== '..') segments.push(segment);
    else if (segments.length === 0 || segments.pop() === '') return null;
  }
  const joined = segments.join('/');
  return readWrittenPath(joined).ok ? joined : null;
}
