import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fold } from '../../src/core/mission/evolve';
import { recordedJournal } from '../support/panelOf';
import { cases } from './cases';
import { digestsOf, type Digests } from './digests';
import { explore } from './explorer';
import { play, type Played } from './play';
import { played } from './played';

// A refactoring leaves each byte as it was. A change that means to change something renews the digests:
// `MISSION_RECORD_DIGESTS=1 npm run test:unit -- scenarios/digests`; its commit then shows what it changed.

/** By mission: by what it leaves, its digests; of a scenario first undisturbed, then after each kill of its owner. */
type Table = Readonly<Record<string, Digests>>;

const file = path.join(process.cwd(), 'test/scenarios/digests.json');
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Table;
const records = process.env['MISSION_RECORD_DIGESTS'] === '1';
/** The quick run looks at no kill and at fewer seeds. */
const quick = process.env['MISSION_TESTS_TIER'] === 'quick' && !records;
const seeds = quick ? 25 : 200;

describe('what missions leave behind, byte for byte', () => {
  const found: Record<string, Digests> = {};

  for (const [name, scenarios] of cases())
    it(`scenarios: ${name}`, () => {
      same(
        Object.fromEntries(
          scenarios.map((scenario) => [
            `${name}: ${scenario.title}`,
            together([played(scenario), ...kills(played(scenario)).map((kill) => play(scenario, kill))]),
          ]),
        ),
      );
    });

  it(`${seeds} missions played at random`, () => {
    same(Object.fromEntries(Array.from({ length: seeds }, (_, n) => [`seed ${n + 1}`, ofEntries(explore(n + 1))])));
  });

  it('recorded journals', () => {
    same(Object.fromEntries(journals().map((name) => [`journal ${name}`, ofEntries(recordedJournal(name))])));
  });

  it('shows a single changed word', () => {
    const [scenario] = cases().flatMap(([, scenarios]) => scenarios);
    const before = played(scenario ?? assert.fail());
    const after: Played = { ...before, mission: { ...before.mission, plan_path: 'docs/plans/OTHER.json' } };
    const changed = changes({ one: digestsOf(before) }, { one: digestsOf(after) });
    assert.ok(changed.includes('one: EXECUTION_HEADER.json'), changed.join('; '));
    assert.ok(!changed.includes('one: journal'), changed.join('; '));
  });

  after(() => {
    if (records) writeFileSync(file, `${JSON.stringify(found, null, 1)}\n`);
    else if (!quick) assert.deepEqual(Object.keys(found).sort(), Object.keys(recorded).sort());
  });

  function same(now: Table): void {
    Object.assign(found, now);
    if (records) return;
    const before = Object.fromEntries(Object.keys(now).map((name) => [name, asPlayed(recorded[name] ?? {})]));
    const changed = changes(before, now);
    assert.equal(changed.length, 0, `${changed.length} digests changed: ${changed.slice(0, 20).join('; ')}`);
  }
});

/** Each thing that differs between two tables, by its mission. */
function changes(before: Table, now: Table): readonly string[] {
  return Object.keys(now).flatMap((mission) =>
    [...new Set([...Object.keys(before[mission] ?? {}), ...Object.keys(now[mission] ?? {})])]
      .filter((name) => before[mission]?.[name] !== now[mission]?.[name])
      .map((name) => `${mission}: ${name}`),
  );
}

/** What is recorded of the plays that this run makes. */
function asPlayed(digests: Digests): Digests {
  if (!quick) return digests;
  return Object.fromEntries(
    Object.entries(digests).flatMap(([name, each]) => {
      const [undisturbed = '-'] = each.split(' ');
      return undisturbed === '-' ? [] : [[name, undisturbed]];
    }),
  );
}

/** After a quarter, a half and three quarters of its appends. */
function kills({ entries }: Played): readonly number[] {
  if (quick) return [];
  const appends = new Set(entries.map(({ at }) => at)).size;
  return [...new Set([1, 2, 3].map((n) => Math.max(1, Math.floor((appends * n) / 4))))];
}

function together(plays: readonly Played[]): Digests {
  const each = plays.map(digestsOf);
  const names = new Set(each.flatMap((digests) => Object.keys(digests)));
  return Object.fromEntries([...names].map((name) => [name, each.map((digests) => digests[name] ?? '-').join(' ')]));
}

function ofEntries(entries: Played['entries']): Digests {
  return digestsOf({ entries, mission: fold(entries) ?? assert.fail('a journal without a mission') });
}

function journals(): readonly string[] {
  const folder = path.join(process.cwd(), 'test/journals');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length).replaceAll(path.sep, '/'))
    .sort();
}
