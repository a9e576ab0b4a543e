import { findNodeAtLocation, getLocation, type Node } from 'jsonc-parser';
import { followed, treeOf } from './syntax';

/** Names in a plan's text that other parts refer to, with their places; an unfinished text has fewer of them. */
export interface PlanPlaces {
  /** The value of `plan_id`; null: the text has none yet. */
  readonly plan: Place | null;
  /** The whole document; null: the text is no document. */
  readonly whole: Place | null;
  readonly tasks: readonly TaskPlace[];
  readonly milestones: readonly MilestonePlace[];
  readonly capabilities: readonly string[];
}

/** Characters of the text, from 0. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

export interface TaskPlace {
  /** Position among the tasks of the plan, from 0. */
  readonly index: number;
  readonly task_id: string;
  readonly description: string;
  readonly depends_on: readonly string[];
  /** Empty: the task names no worker. */
  readonly worker: string;
  readonly milestone: string;
  /** The value of `task_id`, with its quotes. */
  readonly at: Place;
  readonly whole: Place;
}

export interface MilestonePlace {
  readonly id: string;
  readonly title: string;
  /** The value of `id`, with its quotes; the whole item where it has no `id`. */
  readonly at: Place;
  readonly whole: Place;
}

export interface CursorPlace {
  /** The keys that lead to it. */
  readonly path: readonly (string | number)[];
  /** The string around the cursor, with its quotes; outside a string, the cursor itself. */
  readonly at: Place;
  /** The part of that string before the cursor; null: the cursor is in no string. */
  readonly typed: string | null;
}

/** Never fails: leaves out what it cannot read. */
export function planPlaces(text: string): PlanPlaces {
  const root = treeOf(text);
  const under = (...path: readonly string[]): readonly Node[] =>
    (root && findNodeAtLocation(root, [...path])?.children) ?? [];
  const plan = root && findNodeAtLocation(root, ['plan_id']);
  return {
    plan: plan ? placeOf(plan) : null,
    whole: root ? placeOf(root) : null,
    tasks: under('tasks').flatMap((task, index) => {
      const id = findNodeAtLocation(task, ['task_id']);
      if (typeof id?.value !== 'string') return [];
      const depends = findNodeAtLocation(task, ['depends_on'])?.children ?? [];
      return [
        {
          index,
          task_id: id.value,
          description: textOf(findNodeAtLocation(task, ['description'])),
          depends_on: depends.map(textOf),
          worker: textOf(findNodeAtLocation(task, ['worker'])),
          milestone: textOf(findNodeAtLocation(task, ['milestone'])),
          at: placeOf(id),
          whole: placeOf(task),
        },
      ];
    }),
    milestones: under('milestones').map((milestone) => {
      const id = findNodeAtLocation(milestone, ['id']);
      return {
        id: textOf(id),
        title: textOf(findNodeAtLocation(milestone, ['title'])),
        at: placeOf(id ?? milestone),
        whole: placeOf(milestone),
      };
    }),
    capabilities: under('scope', 'allowed').map(textOf),
  };
}

/** Null: the offset is in a key, or at no place of the document. */
export function cursorPlace(text: string, offset: number): CursorPlace | null {
  const location = followed(() => getLocation(text, offset));
  if (location === null || location.isAtPropertyKey || location.path.length === 0) return null;
  const { path, previousNode } = location;
  const inString =
    previousNode?.type === 'string' &&
    previousNode.offset < offset &&
    offset <= previousNode.offset + previousNode.length;
  if (!inString) return { path, at: { offset, length: 0 }, typed: null };
  const whole = text.slice(previousNode.offset, previousNode.offset + previousNode.length);
  const closed = whole.length > 1 && whole.endsWith('"');
  // A person who types behind the closing quote does not write into the string.
  if (closed && offset === previousNode.offset + previousNode.length) return null;
  return {
    path,
    // A string that is not closed yet seems to reach to the end of its line.
    at: { offset: previousNode.offset, length: closed ? whole.length : offset - previousNode.offset },
    typed: text.slice(previousNode.offset + 1, offset),
  };
}

function placeOf({ offset, length }: Node): Place {
  return { offset, length };
}

function textOf(node: Node | undefined): string {
  return typeof node?.value === 'string' ? node.value : '';
}
