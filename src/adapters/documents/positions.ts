import { pointerToken, pointerTokens } from '../../base/jsonPointer';
import { visit } from 'jsonc-parser';
import type { FindingCode } from '../../contracts/vocabulary/findings';
import type { Finding } from '../../core/documents/finding';

/** Says whether a careless copy of an object with this key would change its prototype. */
export function isForbiddenKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

interface Position {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
}
/** One node on the way to a wanted pointer. */
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
 * Adds positions to findings that have none, in one pass over the text. Marks a scalar itself, and an object or list by
 * its key only (in a list: by its bracket). A pointer to nothing gets the nearest place above it. The text must be JSON
 * of bounded depth.
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

/**
 * Finds duplicate keys and keys that reach a prototype. Also finds strings and numbers that JSON
 * can write but no value can hold.
 */
export function unrepresentableValues(text: string): readonly Finding[] {
  const findings: Finding[] = [];
  walk(text, null, (code, pointer, message, position) =>
    findings.push({ code, severity: 'error', pointer, message, ...position }),
  );
  return findings;
}

type ReportUnrepresentable = (code: FindingCode, pointer: string, message: string, position: Position) => void;

/** With `wanted`, visits only the parts that lead to wanted nodes; with `report`, visits everything. */
function walk(text: string, wanted: Wanted | null, report: ReportUnrepresentable | null): void {
  const frames: Frame[] = [];
  let top: Frame | undefined;
  const begin = (list: boolean, position: Position): boolean => {
    const here = enter(position, true);
    top = { wanted: here, list, index: -1, name: '', key: null, names: report === null || list ? null : new Set() };
    frames.push(top);
    return report !== null || (here !== null && here.children.size > 0);
  };
  const end = (): void => {
    frames.pop();
    top = frames.at(-1);
  };
  /** Called where a value begins: records its position and returns the wanted node for it. */
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
        if (report === null) return;
        const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}...` : name);
        if (top.names?.has(name) === true) {
          report(
            'JSON_DUPLICATE_KEY',
            pointer(),
            `The key ${shown} stands twice in this object; remove one of them.`,
            top.key,
          );
        }
        top.names?.add(name);
        if (isForbiddenKey(name)) {
          report(
            'JSON_FORBIDDEN_KEY',
            pointer(),
            `The key ${shown} could change the prototype of an object; rename it.`,
            top.key,
          );
        }
        const problem = stringProblem(name);
        if (problem !== null) report('JSON_STRING_INVALID', pointer(), `This key ${problem}.`, top.key);
      },
      onLiteralValue: (value: unknown, offset, length, line, column) => {
        const position = at(offset, length, line, column);
        enter(position, false);
        if (report === null) return;
        const problem = typeof value === 'string' ? stringProblem(value) : null;
        if (problem !== null) report('JSON_STRING_INVALID', pointer(), `This text ${problem}.`, position);
        if (typeof value === 'number' && !Number.isFinite(value)) {
          report(
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
