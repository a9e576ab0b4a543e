import assert from 'node:assert/strict';
import path from 'node:path';
import type { SandboxLine } from '../../../src/engine/ports/sandbox';

/** What the text of a command line says of one place, without starting anything. */
export interface LineReader {
  writable(at: string): boolean;
  /** The place itself cannot be renamed, removed or replaced by another. */
  fixed(at: string): boolean;
}

export function readLine(line: SandboxLine): LineReader {
  return line.means === 'bubblewrap' ? readMounts(line.argv) : readProfile(line.argv);
}

/** Reads what is mounted deepest. A private folder that stands for another one opens nothing of that. */
function readMounts(argv: readonly string[]): LineReader {
  const mounts = new Map<string, boolean>();
  argv.forEach((word, index) => {
    const [from, to = ''] = argv.slice(index + 1);
    if (word === '--bind' || word === '--ro-bind' || word === '--ro-bind-try')
      mounts.set(to, word === '--bind' && from === to);
    if (word === '--tmpfs') mounts.set(argv[index + 1] ?? '', false);
  });
  const writable = (at: string): boolean => {
    for (let above = at; ; above = path.posix.dirname(above)) {
      const found = mounts.get(above);
      if (found !== undefined || above === '/') return found ?? false;
    }
  };
  return { writable, fixed: (at) => mounts.has(at) || !writable(path.posix.dirname(at)) };
}

type Form = string | { readonly regex: RegExp } | { readonly text: string } | readonly Form[];

export interface Rule {
  readonly allow: boolean;
  readonly operations: readonly string[];
  readonly filters: readonly Form[];
}

/** The rules of a profile with its parameters in place; throws where the text is not what the language wants. */
export function rulesOf(argv: readonly string[]): readonly Rule[] {
  const at = argv.indexOf('-p');
  const end = argv.indexOf('--', at);
  const values = new Map(
    argv.slice(at + 2, end).map((word) => {
      const [, name = '', value = ''] = /^-D(\w+)=(.*)$/s.exec(word) ?? assert.fail(word);
      return [name, value];
    }),
  );
  const [version, ...forms] = parse(argv[at + 1] ?? '');
  assert.deepEqual(version, ['version', '1']);
  return forms.map((form) => {
    assert.ok(Array.isArray(form), JSON.stringify(form));
    const [verb, ...rest] = (form as readonly Form[]).map((one) => inserted(one, values));
    assert.ok(verb === 'allow' || verb === 'deny', JSON.stringify(verb));
    const operations = rest.filter((one): one is string => typeof one === 'string');
    for (const one of operations) assert.match(one, /^[a-z-]+\*?$/);
    return { allow: verb === 'allow', operations, filters: rest.filter((one) => typeof one !== 'string') };
  });
}

function inserted(form: Form, values: ReadonlyMap<string, string>): Form {
  if (!Array.isArray(form)) return form;
  const [head, name] = form as readonly Form[];
  if (head !== 'param') return (form as readonly Form[]).map((one) => inserted(one, values));
  const value = values.get((name as { readonly text: string }).text);
  assert.ok(value !== undefined, `no parameter ${JSON.stringify(name)}`);
  return { text: value };
}

function readProfile(argv: readonly string[]): LineReader {
  const rules = rulesOf(argv);
  return {
    writable: (at) => allows(rules, 'file-write-data', at) && allows(rules, 'file-write-create', at),
    fixed: (at) => !allows(rules, 'file-write-unlink', at),
  };
}

/** The last rule that speaks of it counts. */
export function allows(rules: readonly Rule[], operation: string, at: string): boolean {
  const said = rules.filter(
    ({ operations, filters }) =>
      operations.some((one) => covers(one, operation)) &&
      (filters.length === 0 || filters.some((filter) => holds(filter as readonly Form[], at))),
  );
  return said.at(-1)?.allow ?? false;
}

function covers(rule: string, operation: string): boolean {
  return rule === 'default' || rule === operation || (rule.endsWith('*') && operation.startsWith(rule.slice(0, -1)));
}

function holds([head, ...values]: readonly Form[], at: string): boolean {
  const [value] = values as readonly unknown[] as readonly { readonly text: string; readonly regex: RegExp }[];
  switch (head) {
    case 'literal':
      return at === value?.text;
    case 'subpath':
      return at === value?.text || at.startsWith(`${value?.text}/`);
    case 'regex':
      return value?.regex.test(at) === true;
    case 'remote':
    case 'local': {
      const [kind, filter] = values;
      return kind === 'unix-socket' && Array.isArray(filter) && holds(filter as readonly Form[], at);
    }
    default:
      return false; // of a process, a service or a terminal
  }
}

function parse(text: string): readonly Form[] {
  const tokens = text.match(/#?"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/g) ?? [];
  assert.equal(
    tokens.join('').length,
    text.replace(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '').length,
    'nothing is left over',
  );
  const read = (): Form => {
    const token = tokens.shift() ?? assert.fail('the text ends too early');
    if (token.startsWith('#')) return { regex: new RegExp(token.slice(2, -1)) };
    if (token.startsWith('"')) return { text: JSON.parse(token) as string };
    assert.notEqual(token, ')');
    if (token !== '(') return token;
    const forms: Form[] = [];
    while (tokens[0] !== ')') forms.push(read());
    tokens.shift();
    return forms;
  };
  const forms: Form[] = [];
  while (tokens.length > 0) forms.push(read());
  return forms;
}
