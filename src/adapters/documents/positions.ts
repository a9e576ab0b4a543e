import { pointerToken, pointerTokens } from '../../base/jsonPointer';
import { visit } from 'jsonc-parser';
import type { FindingCode } from '../../contracts/vocabulary/findings';
import type { Finding } from '../../core/documents/finding';

/** Names that reach the prototype when a careless program copies the object. */
export function isForbiddenKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
}
/** One node of the pointers that are asked for. */
interface Wanted {
  readonly children: Map<string, Wanted>;
  key: Position | null;
  value: Position | null;
  container: boolean;
}
interface Frame {
  readonly wanted: Wanted | null;
  readonly list: boolean;
  index: number;
  name: string;
  key: Position | null;
  readonly names: Set<string> | null;
}

/**
 * Adds positions to findings that have none, in one pass over the text whatever their number. A scalar is marked
 * itself; for an object or a list the key it stands under (in a list: its bracket) is marked, not the whole block.
 * A pointer to nothing gets the nearest place above it. The text must be JSON of bounded depth.
 */
export function locateFindings(text: string, findings: readonly Finding[]): readonly Finding[] {
  const root = newWanted();
  const open = findings.filter((finding) => finding.offset === undefined);
  if (open.length === 0) return findings;
  for (const { pointer } of open) {
    let node = root;
    for (const token of pointerTokens(pointer)) {
      let child = node.children.get(token);
      if (child === undefined) {
        child = newWanted();
        node.children.set(token, child);
      }
      node = child;
    }
  }
  walk(text, root, null);
  return findings.map((finding) => {
    if (finding.offset !== undefined) return finding;
    const position = positionOf(root, finding);
    return position === null ? finding : { ...finding, ...position };
  });
}

/** Every key that stands twice or reaches a prototype, every string and number JSON can write but nobody can use. */
export function oddities(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  walk(text, null, (code, pointer, message, position) =>
    findings.push({ code, severity: 'error', pointer, message, ...position }),
  );
  return findings;
}

type Oddity = (code: FindingCode, pointer: string, message: string, position: Position) => void;

/** With `wanted` only the parts of the text that lead to wanted nodes are looked at; with `odd` everything is. */
function walk(text: string, wanted: Wanted | null, odd: Oddity | null): void {
  const frames: Frame[] = [];
  let top: Frame | undefined;
  const begin = (list: boolean, position: Position): boolean => {
    const here = enter(position, true);
    top = { wanted: here, list, index: -1, name: '', key: null, names: odd === null || list ? null : new Set() };
    frames.push(top);
    return odd !== null || (here !== null && here.children.size > 0);
  };
  const end = (): void => {
    frames.pop();
    top = frames.at(-1);
  };
  /** A value begins: notes where it stands and answers what is wanted in it. */
  const enter = (position: Position, container: boolean): Wanted | null => {
    let here = wanted;
    let key: Position | null = null;
    if (top !== undefined) {
      if (top.list) top.index++;
      here = top.wanted?.children.get(top.list ? String(top.index) : top.name) ?? null;
      key = top.key;
    }
    if (here !== null) {
      here.key = key;
      here.value = position;
      here.container = container;
    }
    return here;
  };
  const pointer = (): string =>
    frames.map((frame) => `/${frame.list ? String(Math.max(frame.index, 0)) : pointerToken(frame.name)}`).join('');
  visit(
    text,
    {
      onObjectBegin: (offset, length, line, column) => begin(false, at(offset, length, line, column)),
      onArrayBegin: (offset, length, line, column) => begin(true, at(offset, length, line, column)),
      onObjectEnd: end,
      onArrayEnd: end,
      onObjectProperty: (name, offset, length, line, column) => {
        if (top === undefined) return;
        top.name = name;
        top.key = at(offset, length, line, column);
        if (odd === null) return;
        const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}...` : name);
        if (top.names?.has(name) === true) {
          odd(
            'JSON_DUPLICATE_KEY',
            pointer(),
            `The key ${shown} stands twice in this object; remove one of them.`,
            top.key,
          );
        }
        top.names?.add(name);
        if (isForbiddenKey(name)) {
          odd(
            'JSON_FORBIDDEN_KEY',
            pointer(),
            `The key ${shown} could change the prototype of an object; rename it.`,
            top.key,
          );
        }
        const problem = stringProblem(name);
        if (problem !== null) odd('JSON_STRING_INVALID', pointer(), `This key ${problem}.`, top.key);
      },
      onLiteralValue: (value: unknown, offset, length, line, column) => {
        const position = at(offset, length, line, column);
        enter(position, false);
        if (odd === null) return;
        const problem = typeof value === 'string' ? stringProblem(value) : null;
        if (problem !== null) odd('JSON_STRING_INVALID', pointer(), `This text ${problem}.`, position);
        if (typeof value === 'number' && !Number.isFinite(value)) {
          odd(
            'JSON_NUMBER_INVALID',
            pointer(),
            'This number is too large to be represented; write a smaller one.',
            position,
          );
        }
      },
    },
    { disallowComments: true },
  );
}

function stringProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'holds a NUL character; remove it';
  return !/\p{Surrogate}/u.test(text)
    ? null
    : 'holds half a surrogate pair, which no file can store; write the whole character';
}

function at(offset: number, length: number, line: number, column: number): Position {
  return { line: line + 1, column: column + 1, offset, length };
}

function newWanted(): Wanted {
  return { children: new Map(), key: null, value: null, container: false };
}

function positionOf(root: Wanted, finding: Finding): Position | null {
  let node = root;
  let complete = true;
  for (const token of pointerTokens(finding.pointer)) {
    const child = node.children.get(token);
    if (child === undefined || child.value === null) {
      complete = false;
      break;
    }
    node = child;
  }
  const onKey = node.container || (complete && finding.code === 'FIELD_UNKNOWN');
  return onKey ? (node.key ?? node.value) : node.value;
}
