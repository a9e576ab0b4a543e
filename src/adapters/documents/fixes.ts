import { findNodeAtLocation, type Node } from 'jsonc-parser';
import type { FixEdit } from '../../core/plan/fixes/planFix';
import { indentAt, isFirstOnLine, setValues, splice, styleOf } from './edits';
import { treeOf } from './syntax';

/** Applies the edits of a fix to a JSON text and keeps every other character. Skips an edit of an absent value. */
export function fixJson(text: string, edits: readonly FixEdit[]): string {
  return edits.reduce(changed, text);
}

function changed(text: string, edit: FixEdit): string {
  const root = treeOf(text, { disallowComments: true });
  const node = root && findNodeAtLocation(root, [...edit.path]);
  switch (edit.kind) {
    case 'set':
      if (node) return splice(text, node.offset, node.offset + node.length, onOneLine(edit.value));
      return root && findNodeAtLocation(root, edit.path.slice(0, -1))?.type === 'object'
        ? setValues(text, [edit])
        : text;
    case 'remove':
      return node ? without(text, node) : text;
    case 'rename': {
      const key = node?.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
      return key ? splice(text, key.offset, key.offset + key.length, JSON.stringify(edit.key)) : text;
    }
    case 'spread': {
      if (node?.parent?.type !== 'array') return text;
      const { eol } = styleOf(text);
      const between = eol !== null && isFirstOnLine(text, node.offset) ? `,${eol}${indentAt(text, node.offset)}` : ', ';
      const values = edit.values.map(onOneLine).join(between);
      return splice(text, node.offset, node.offset + node.length, values);
    }
  }
}

/** Writes a list on one line, because the value that it replaces is on one. */
function onOneLine(value: unknown): string {
  return Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(', ')}]` : JSON.stringify(value);
}

/** Removes a member or item, with its comma and the space up to its neighbour. */
function without(text: string, node: Node): string {
  const member = node.parent?.type === 'property' ? node.parent : node;
  const owner = member.parent;
  const members = owner?.children ?? [];
  const at = members.indexOf(member);
  if (!owner || at < 0) return text;
  const [before, after] = [members[at - 1], members[at + 1]];
  if (after) return splice(text, member.offset, after.offset, '');
  if (before) return splice(text, before.offset + before.length, member.offset + member.length, '');
  return splice(text, owner.offset + 1, owner.offset + owner.length - 1, '');
}
