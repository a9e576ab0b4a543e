import type { FindingCode } from '../../../contracts/vocabulary/codes/findings';
import { type JsonObject, isObject } from '../../../base/json';

/** One step that mends what was found in a plan; `title` says to a person what it does. */
export interface PlanFix {
  readonly title: string;
  readonly edits: readonly FixEdit[];
}

/** A change at a path of keys; the rest of the text keeps its bytes. */
export type FixEdit =
  | { readonly kind: 'set'; readonly path: FixPath; readonly value: unknown }
  | { readonly kind: 'remove'; readonly path: FixPath }
  | { readonly kind: 'rename'; readonly path: FixPath; readonly key: string }
  /** One entry of a list becomes several. */
  | { readonly kind: 'spread'; readonly path: FixPath; readonly values: readonly unknown[] };

export type FixPath = readonly (string | number)[];

/** What a fix is made from: the finding, and the plan that it was found in. */
export interface Mended {
  readonly plan: JsonObject;
  readonly path: FixPath;
  readonly value: unknown;
  readonly message: string;
  /** The id that the name of the file says; null: it says none. */
  readonly fileId: string | null;
  /** Absolute, POSIX, without a slash at its end; null: not known. */
  readonly workspaceDir: string | null;
  /** ISO-8601 UTC. */
  readonly now: string;
}

/** `none`: only a person knows, or it would approve or widen something. A command: shows where a person decides. */
export type FixRule = 'none' | { readonly command: FixCommand } | ((mended: Mended) => readonly PlanFix[]);

export type FixCommand = 'approvePlan' | 'newProjectContext' | 'openProjectContext';

export function setsValue(title: string, path: FixPath, value: unknown): PlanFix {
  return { title, edits: [{ kind: 'set', path, value }] };
}

export function removesValue(title: string, path: FixPath): PlanFix {
  return { title, edits: [{ kind: 'remove', path }] };
}

/** The object at a path; an empty one where the plan has another value. */
export function objectIn(plan: JsonObject, place: FixPath): object {
  let at: unknown = plan;
  for (const key of place) at = (at as Readonly<Record<string | number, unknown>> | undefined)?.[key];
  return typeof at === 'object' && at !== null ? at : {};
}

/** The fixes of some codes, beside the rules that report them. */
export type Fixes = Readonly<Partial<Record<FindingCode, FixRule>>>;

/** The plan as it is after these edits; an edit of what is not there changes nothing. */
export function mendedPlan(plan: unknown, edits: readonly FixEdit[]): unknown {
  return edits.reduce<unknown>((value, edit) => changed(value, edit.path, edit), plan);
}

function changed(value: unknown, [key, ...rest]: FixPath, edit: FixEdit): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index): readonly unknown[] => {
      if (index !== key) return [item];
      return rest.length === 0 ? entryAfter(item, edit) : [changed(item, rest, edit)];
    });
  if (!isObject(value) || typeof key !== 'string') return value;
  if (rest.length === 0 && edit.kind === 'set') return { ...value, [key]: edit.value };
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): readonly (readonly [string, unknown])[] => {
      if (name !== key) return [[name, member]];
      if (rest.length > 0) return [[name, changed(member, rest, edit)]];
      return edit.kind === 'rename' ? [[edit.key, member]] : edit.kind === 'remove' ? [] : [[name, member]];
    }),
  );
}

function entryAfter(item: unknown, edit: FixEdit): readonly unknown[] {
  switch (edit.kind) {
    case 'set':
      return [edit.value];
    case 'remove':
      return [];
    case 'spread':
      return edit.values;
    case 'rename':
      return [item];
  }
}
