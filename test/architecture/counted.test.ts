import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { missionCommandSchema } from '../../src/contracts/commands/missionCommand';

// What a change costs, as numbers that only fall. A commit that lowers one records it, and one that must raise a number
// says why: `MISSION_RECORD_COUNTS=1 npm run test:unit -- architecture/counted`.

type Files = ReadonlyMap<string, string>;
type Counts = Readonly<Record<string, number>>;

const file = path.join(process.cwd(), 'test/architecture/counted.json');

/** How many files hold one of these names: of all names the mean, and of the worst. */
function spread(what: string, names: readonly string[], words: readonly ReadonlySet<string>[]): Counts {
  assert.ok(names.length > 5, `${what}: their names were not found`);
  const each = names.map((name) => words.filter((of) => of.has(name)).length);
  return {
    [`files that hold the name of ${what}, mean`]: Number(
      (each.reduce((sum, n) => sum + n, 0) / each.length).toFixed(2),
    ),
    [`files that hold the name of ${what}, worst`]: Math.max(...each),
  };
}

function counted(files: Files): Counts {
  const words = [...files.values()].map((text) => new Set(text.match(/\w+/g)));
  const lines = [...files.values()].reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  const whole = [...files.values()].reduce(
    (sum, text) => sum + (text.match(/[(,]\s*\w+: Mission(?=\s*[,)])/g)?.length ?? 0),
    0,
  );
  const folders = [...files.keys()].map((name) => path.posix.dirname(name));
  return {
    'source files': files.size,
    'files in the fullest folder': Math.max(...folders.map((one) => folders.filter((other) => other === one).length)),
    'source lines': lines,
    'functions that take the whole Mission': whole,
    ...spread('an event', eventNames(files), words),
    ...spread(
      'a command',
      missionCommandSchema.options.map((option) => option.shape.type.value),
      words,
    ),
    ...spread('a plan field', fieldsOf('schemas/plan.schema.json'), words),
    ...spread('a fact of the evidence', fieldsOf('schemas/task-evidence.schema.json'), words),
  };
}

/** Numbers above those that are recorded. */
function grown(now: Counts, recorded: Counts): readonly string[] {
  return Object.entries(now).flatMap(([what, count]) => {
    const most = recorded[what] ?? -1;
    return count > most ? [`${what}: ${count}, at most ${most}`] : [];
  });
}

function eventNames(files: Files): readonly string[] {
  const text = files.get('src/core/model/events.ts') ?? '';
  return [...new Set([...text.matchAll(/^ {2}(\w+): /gm)].flatMap(([, name]) => name ?? []))];
}

/** Names of two words: they stand for nothing else, but for ids, times and digests, which everything has. */
function fieldsOf(schema: string): readonly string[] {
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('properties' in value) for (const name of Object.keys(value.properties as object)) names.add(name);
    for (const inner of Object.values(value)) walk(inner);
  };
  walk(JSON.parse(readFileSync(schema, 'utf8')));
  return [...names].filter((name) => name.includes('_') && !/_(ids?|at|sha256|version)$/.test(name));
}

function sources(): Files {
  return new Map(
    globSync(['src/**/*.ts', 'webview-ui/src/**/*.{ts,tsx}']).map((name) => [
      name.split(path.sep).join('/'),
      readFileSync(name, 'utf8'),
    ]),
  );
}

describe('what a change costs', () => {
  it('grows in no number', () => {
    const now = counted(sources());
    if (process.env['MISSION_RECORD_COUNTS'] === '1') writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
    assert.deepEqual(grown(now, JSON.parse(readFileSync(file, 'utf8')) as Counts), []);
  });

  it('is seen to grow by a file, a line, a function and a name', () => {
    const before = sources();
    const event = eventNames(before)[0] ?? assert.fail('no event');
    const more = `export function other(mission: Mission): string {\n  return '${event}';\n}\n`;
    const others = Array.from({ length: 26 }, (_, index) => [`src/core/other/${String(index)}.ts`, more] as const);
    const after = new Map([...before, ...others]);
    const what = grown(counted(after), counted(before)).map((line) => line.split(':')[0]);
    for (const one of [
      'source files',
      'files in the fullest folder',
      'source lines',
      'functions that take the whole Mission',
    ])
      assert.ok(what.includes(one), one);
    assert.ok(what.includes('files that hold the name of an event, mean'), what.join('; '));
  });
});
