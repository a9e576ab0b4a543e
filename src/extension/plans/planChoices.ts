import { cursorPlace, planPlaces, type Place, type PlanPlaces } from '../../adapters/documents/planPlaces';

/** The possible values at a place of a plan. */
export type PlanChoices =
  | { readonly kind: 'values'; readonly at: Place; readonly values: readonly PlanChoice[] }
  /** A file or folder of the workspace. `folder`: what was typed up to its last slash. */
  | { readonly kind: 'paths'; readonly at: Place; readonly folder: string };

export interface PlanChoice {
  readonly value: string;
  readonly detail: string;
}

/**
 * Ids of tasks and milestones, capabilities and paths, which the plan's schema cannot know; null: nothing is known
 * here. Leaves out values that would be a finding: the task itself, its dependants, and values that are there already.
 *
 * @param offset of the cursor, in characters from 0
 */
export function planChoicesAt(text: string, offset: number): PlanChoices | null {
  const cursor = cursorPlace(text, offset);
  if (cursor === null) return null;
  const { path, at, typed } = cursor;
  const [first, index, field, item] = path;
  if (first !== 'tasks' || typeof index !== 'number') return null;
  // Leaves out an empty id, because a plan cannot name it.
  const named = (choices: readonly PlanChoice[]): readonly PlanChoice[] => choices.filter(({ value }) => value !== '');
  const values = (choices: readonly PlanChoice[]): PlanChoices => ({ kind: 'values', at, values: named(choices) });
  switch (field) {
    case 'milestone':
      return path.length === 3
        ? values(planPlaces(text).milestones.map(({ id, title }) => ({ value: id, detail: title })))
        : null;
    case 'depends_on':
      return typeof item === 'number' ? values(tasksBefore(planPlaces(text), index)) : null;
    case 'requires':
      return typeof item === 'number'
        ? values(planPlaces(text).capabilities.map((value) => ({ value, detail: 'allowed by the scope of this plan' })))
        : null;
    case 'paths':
    case 'forbidden_paths':
      return typeof item === 'number' ? { kind: 'paths', at, folder: folderOf(typed ?? '') } : null;
    default:
      return null;
  }
}

function tasksBefore({ tasks }: PlanPlaces, index: number): readonly PlanChoice[] {
  const own = tasks.find((task) => task.index === index);
  const waiting = new Set(own ? [own.task_id] : []);
  let size = 0;
  while (size !== waiting.size) {
    size = waiting.size;
    for (const { task_id, depends_on } of tasks) if (depends_on.some((id) => waiting.has(id))) waiting.add(task_id);
  }
  return tasks
    .filter(({ task_id }) => !waiting.has(task_id) && !own?.depends_on.includes(task_id))
    .map(({ task_id, description }) => ({ value: task_id, detail: description }));
}

/** The folder of a path relative to the workspace; the root (empty) for a path that leaves it. */
function folderOf(typed: string): string {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  return /^\/|\\|(^|\/)\.\.(\/|$)/.test(folder) ? '' : folder;
}
