import { objectsAt, quoted, textAt, textsAt, type JsonObject } from '../../../base/json';
import { isId } from '../rules/identity';
import { setsValue, type FixEdit, type Mended, type PlanFix } from './planFix';

/** The same id in the grammar of ids; what refers to it follows. */
export function plainId({ plan, path, value, fileId }: Mended): readonly PlanFix[] {
  if (typeof value !== 'string') return [];
  if (path.length === 1)
    return path[0] === 'plan_id' && fileId !== null ? [setsValue(`Change to ${quoted(fileId)}`, path, fileId)] : [];
  const plain = value
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
    .slice(0, 70);
  const own = path[0] === 'tasks' ? taskIds(plan) : milestoneIds(plan);
  const id = free(isId(plain) ? plain : path[0] === 'tasks' ? 'task' : 'milestone', own);
  const title = `Change to ${quoted(id)}`;
  // A reference to an id that two of them have is ambiguous, so it stays.
  if (own.filter((one) => one === value).length > 1) return [setsValue(title, path, id)];
  return [
    { title, edits: [{ kind: 'set', path, value: id }, ...references(plan, path[0], value).map((at) => sets(at, id))] },
  ];
}

/** Another id for the later of two tasks; what depends on the id means the first. */
export function freeTaskId({ plan, path, value }: Mended): readonly PlanFix[] {
  return taken(path, value, taskIds(plan));
}

export function freeMilestoneId({ plan, path, value }: Mended): readonly PlanFix[] {
  return taken(path, value, milestoneIds(plan));
}

function taken(path: Mended['path'], value: unknown, ids: readonly string[]): readonly PlanFix[] {
  if (typeof value !== 'string') return [];
  const id = free(value.slice(0, 70), ids);
  return isId(id) ? [setsValue(`Change to ${quoted(id)}`, path, id)] : [];
}

/** Letter case does not tell ids apart. */
function free(id: string, ids: readonly string[]): string {
  const used = new Set(ids.map((one) => one.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const one = number === 1 ? id : `${id}-${number}`;
    if (!used.has(one.toLowerCase())) return one;
  }
}

function references(plan: JsonObject, list: unknown, id: string): readonly Mended['path'][] {
  return objectsAt(plan, 'tasks').flatMap(([task, index]): readonly Mended['path'][] =>
    list === 'tasks'
      ? textsAt(task, 'depends_on').flatMap(([one, at]) => (one === id ? [['tasks', index, 'depends_on', at]] : []))
      : textAt(task, 'milestone') === id
        ? [['tasks', index, 'milestone']]
        : [],
  );
}

function sets(path: Mended['path'], value: string): FixEdit {
  return { kind: 'set', path, value };
}

function taskIds(plan: JsonObject): readonly string[] {
  return objectsAt(plan, 'tasks').flatMap(([task]) => textAt(task, 'task_id') ?? []);
}

function milestoneIds(plan: JsonObject): readonly string[] {
  return objectsAt(plan, 'milestones').flatMap(([milestone]) => textAt(milestone, 'id') ?? []);
}
