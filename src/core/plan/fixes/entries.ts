import { checkedCriteria, knownConstraints, planFieldNames } from '../../../contracts/vocabulary/plan';
import { objectsAt, quoted, textAt, type JsonObject } from '../../../base/json';
import { nearest } from '../../../base/text/nearest';
import { readWrittenPath } from '../../paths/writtenPath';
import { removesValue, setsValue, type Mended, type PlanFix } from './planFix';

/** Takes the entry out of its list. */
export function dropEntry({ path, value }: Mended): readonly PlanFix[] {
  const at = path.at(-1);
  return typeof at === 'number' ? [removesValue(`Remove ${quoted(value)} from ${listName(path)}`, path)] : [];
}

/** Takes the field out of its object. */
export function dropField({ path }: Mended): readonly PlanFix[] {
  const at = path.at(-1);
  return typeof at === 'string' ? [removesValue(`Remove ${quoted(at)}`, path)] : [];
}

/** Removes a command, or makes it perform a task that names no worker. */
export function dropCommand(mended: Mended): readonly PlanFix[] {
  const { plan, path } = mended;
  const place = path.slice(0, -1);
  const command =
    path[0] === 'tasks' && !('worker' in objectOf(plan, place))
      ? [setsValue('Add "worker": "command"', [...place, 'worker'], 'command')]
      : [];
  return [...command, ...dropField(mended)];
}

/** The known word that was meant; a reference to nothing can also go. */
export function knownEntry(mended: Mended): readonly PlanFix[] {
  const { path, value, plan } = mended;
  const { known, mayGo } = knownAt(plan, path);
  const near = typeof value === 'string' ? nearest(value, known) : null;
  const drop = mayGo ? [...dropEntry(mended), ...dropField(mended)] : [];
  return [...(near === null ? [] : [setsValue(`Change to ${quoted(near)}`, path, near)]), ...drop];
}

function knownAt(
  plan: JsonObject,
  path: Mended['path'],
): { readonly known: readonly string[]; readonly mayGo: boolean } {
  const ids = (list: string, id: string): readonly string[] =>
    objectsAt(plan, list).flatMap(([one]) => textAt(one, id) ?? []);
  if (path.includes('depends_on')) {
    const own = ids('tasks', 'task_id')[Number(path[1])];
    return { known: ids('tasks', 'task_id').filter((id) => id !== own), mayGo: true };
  }
  if (path.includes('milestone')) return { known: ids('milestones', 'id'), mayGo: true };
  if (path.includes('constraints')) return { known: knownConstraints, mayGo: false };
  return { known: checkedCriteria, mayGo: false };
}

/**
 * The same place, written as a plan writes it. In the list of what a task may write, an entry that is no path can go; in
 * the list of what it may not, nothing is taken away.
 */
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

/** A slip of a field's name, where the right name lets the plan do nothing more; else it goes, or is kept as an own field. */
export function unknownField({ plan, path }: Mended): readonly PlanFix[] {
  const key = path.at(-1);
  if (typeof key !== 'string') return [];
  const near = nearest(key, narrowing);
  const place = path.slice(0, -1);
  const rename = (to: string, title: string): PlanFix => ({ title, edits: [{ kind: 'rename', path, key: to }] });
  const taken = new Set(Object.keys(objectOf(plan, place)));
  return [
    ...(near !== null && fieldsAt(place).includes(near) && !taken.has(near) ? [rename(near, `Rename to ${near}`)] : []),
    removesValue(`Remove ${quoted(key)}`, path),
    ...(taken.has(`x_${key}`) ? [] : [rename(`x_${key}`, `Keep it as ${quoted(`x_${key}`)}, which is ignored`)]),
  ];
}

/** Fields that describe, order or hold back. */
const narrowing = [
  'acceptance_criteria',
  'assertions',
  'depends_on',
  'description',
  'file_mb',
  'forbidden',
  'forbidden_paths',
  'goal_id',
  'memory_mb',
  'milestone',
  'notes',
  'planner',
  'processes',
  'success_criteria',
  'title',
  'type',
] as const;

function fieldsAt(place: Mended['path']): readonly string[] {
  const [first, , third] = place;
  if (place.length === 0) return planFieldNames('plan');
  if (first === 'tasks') return place.length === 2 ? planFieldNames('task') : [];
  if (first === 'milestones')
    return third === 'validate' ? planFieldNames('milestoneValidate') : planFieldNames('milestone');
  if (first === 'execution') return place[1] === 'limits' ? planFieldNames('limits') : [];
  if (first === 'risk') return planFieldNames('risk');
  return first === 'scope' ? planFieldNames('scope') : [];
}

function objectOf(plan: JsonObject, place: Mended['path']): object {
  let at: unknown = plan;
  for (const key of place) at = (at as Readonly<Record<string | number, unknown>> | undefined)?.[key];
  return typeof at === 'object' && at !== null ? at : {};
}

function listName(path: Mended['path']): string {
  const list = String(path.at(-2));
  return path[0] === 'scope' ? `scope.${list}` : list;
}
