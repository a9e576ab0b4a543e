import { pointerToken, pointerTokens } from '../../base/json';
import { findNodeAtLocation, parseTree, visit, type JSONPath, type Node } from 'jsonc-parser';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import type { Finding } from '../../core/documents/finding';

/** Says whether a careless copy of an object with this key would change its prototype. */
export function isForbiddenKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/**
 * Adds positions to findings that have none: a scalar itself, an object or list by its key (in a list: its bracket). A
 * pointer to nothing gets the nearest place above it. The text must be JSON of bounded depth.
 */
export function locateFindings(text: string, findings: readonly Finding[]): readonly Finding[] {
  if (findings.every(({ offset }) => offset !== undefined)) return findings;
  const root = parseTree(text, undefined, { disallowComments: true });
  const lines = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), (end) => end.index + end[0].length)];
  return findings.map((finding) => {
    if (finding.offset !== undefined || root === undefined) return finding;
    const { offset, length } = markOf(root, finding);
    const line = lines.findLastIndex((start) => start <= offset);
    return { ...finding, line: line + 1, column: offset - (lines[line] ?? 0) + 1, offset, length };
  });
}

function markOf(root: Node, { pointer, code }: Finding): { readonly offset: number; readonly length: number } {
  let node = root;
  let complete = true;
  for (const token of pointerTokens(pointer)) {
    const child = findNodeAtLocation(node, [node.type === 'array' && token !== '' ? Number(token) : token]);
    complete = child !== undefined;
    if (child === undefined) break;
    node = child;
  }
  const isContainer = node.type === 'object' || node.type === 'array';
  const key = node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
  if (key && (isContainer || (complete && code === 'FIELD_UNKNOWN'))) return key;
  return { offset: node.offset, length: isContainer ? 1 : node.length };
}

/**
 * Finds duplicate keys, keys that reach a prototype, and strings and numbers that no value can hold. `exact`: also
 * numbers of which double precision loses a digit; `2.50` equals `2.5`.
 */
export function unrepresentableValues(text: string, exact: boolean): readonly Finding[] {
  const findings: Finding[] = [];
  const names: Set<string>[] = [];
  type Place = readonly [offset: number, length: number, line: number, column: number, path: () => JSONPath];
  const report = (code: FindingCode, place: Place, message: string, key?: string): void => {
    const [offset, length, line, column, path] = place;
    const tokens = [...path(), ...(key === undefined ? [] : [key])];
    const pointer = tokens.map((token) => `/${pointerToken(String(token))}`).join('');
    findings.push({ code, severity: 'error', pointer, message, line: line + 1, column: column + 1, offset, length });
  };
  visit(
    text,
    {
      onObjectBegin: () => void names.push(new Set()),
      onObjectEnd: () => void names.pop(),
      onObjectProperty: (name, ...place) => {
        const shown = JSON.stringify(name.length > 60 ? `${name.slice(0, 57)}...` : name);
        if (names.at(-1)?.has(name) === true) {
          const message = `The key ${shown} stands twice in this object; remove one of them.`;
          report('JSON_DUPLICATE_KEY', place, message, name);
        }
        names.at(-1)?.add(name);
        if (isForbiddenKey(name)) {
          const message = `The key ${shown} could change the prototype of an object; rename it.`;
          report('JSON_FORBIDDEN_KEY', place, message, name);
        }
        const problem = stringProblem(name);
        if (problem !== null) report('JSON_STRING_INVALID', place, `This key ${problem}.`, name);
      },
      onLiteralValue: (value: unknown, ...place) => {
        const problem = typeof value === 'string' ? stringProblem(value) : null;
        if (problem !== null) report('JSON_STRING_INVALID', place, `This text ${problem}.`);
        if (typeof value !== 'number') return;
        const [offset, length] = place;
        if (!Number.isFinite(value))
          report('JSON_NUMBER_INVALID', place, 'This number is too large to be represented; write a smaller one.');
        else if (exact && !isExact(text.slice(offset, offset + length), value)) {
          const message = `This number would be read as ${JSON.stringify(value)}, so other digits would be lost; write that.`;
          report('JSON_NUMBER_INVALID', place, message);
        }
      },
    },
    { disallowComments: true },
  );
  return findings;
}

function stringProblem(text: string): string | null {
  if (text.includes('\u0000')) return 'holds a NUL character; remove it';
  return !/\p{Surrogate}/u.test(text)
    ? null
    : 'holds half a surrogate pair, which no file can store; write the whole character';
}

/** Characters; a double never needs so many. */
const longest = 40;

function isExact(written: string, value: number): boolean {
  const read = JSON.stringify(value);
  return written === read || (written.length <= longest && decimalOf(written) === decimalOf(read));
}

/** Sign, digits without zeros at their ends, and the power of ten. */
function decimalOf(number: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number);
  if (parts === null) return number; // `null`: too large for a double
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  const exponent = Number(power) - fraction.length + digits.length - short.length;
  return short === '' ? `${sign}0` : `${sign}${short}e${exponent}`;
}
