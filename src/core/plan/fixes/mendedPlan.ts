import { isObject } from '../../../base/json';
import type { FixEdit, FixPath } from './planFix';

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
