import { grouped } from '../support/grouped';
import { rareScenarioNames, scenarioNames } from './habitat';
import type { Visit } from './visit';

export interface Visited {
  readonly name: string;
  /** Why it could not be made here; null: it was. */
  readonly skipped: string | null;
  readonly visits: readonly Visit[];
}

/** The outcome of one scenario in a habitat. */
export interface Row {
  readonly habitat: string;
  readonly scenario: string;
  readonly seen: string;
  /** What should have been seen; null: just that. */
  readonly expected: string | null;
  readonly day: string;
}

/** The outcomes of one habitat that was looked at on that day. One that cannot be made has a reason in their place. */
export function rowsOf({ name, skipped, visits }: Visited, day: string): readonly Row[] {
  if (skipped !== null)
    return [{ habitat: name, scenario: 'skipped', seen: skipped, expected: null, day }].map(safeRow);
  return visits
    .map(({ what, seen, expected, problem }) => ({
      habitat: name,
      scenario: what,
      seen,
      expected: problem === null && seen === expected ? null : expected,
      day,
    }))
    .map(safeRow);
}

/** The outcomes with those of one habitat in place of its earlier ones. */
export function instead(rows: readonly Row[], habitat: string, fresh: readonly Row[]): readonly Row[] {
  return [...rows.filter((row) => row.habitat !== habitat), ...fresh];
}

/** The outcomes with each fresh one in place of the same one; what was not looked at stays. */
export function refreshed(rows: readonly Row[], fresh: readonly Row[]): readonly Row[] {
  const same = (one: Row, other: Row): boolean => one.habitat === other.habitat && one.scenario === other.scenario;
  return rows.map((row) => fresh.find((one) => same(one, row)) ?? row);
}

/**
 * docs/reports/habitats.md: first what is usually seen of each scenario, then one line a habitat with what differs from
 * that, in the order of the habitats. Names are as cells hold them. Nothing in it names a machine or a place on it.
 */
export function reportOf(names: readonly string[], rows: readonly Row[]): string {
  const found = names
    .map((name) => rows.filter(({ habitat }) => habitat === name).sort((left, right) => place(left) - place(right)))
    .filter(({ length }) => length > 0);
  const outcomes = found.flat().filter(({ scenario }) => scenario !== 'skipped');
  const usual = usualOf(outcomes);
  const missing = names.filter((name) => !rows.some(({ habitat }) => habitat === name));
  const differing = outcomes.filter(({ expected }) => expected !== null).length;
  return [
    '# Habitats',
    '',
    'Written by `npm run test:habitats -- --all`. Real git, file system and mounts make each habitat in a fresh folder.',
    'The built `mission` runs the missions in it, as a person does. A refusal that names the way out can be what is',
    'expected. A run that looks at some outcomes keeps the others.',
    '',
    `- habitats: ${names.length}, of which ${found.flat().length - outcomes.length} were skipped where this was written, with the reason, and ${missing.length} were not looked at yet`,
    `- outcomes: ${outcomes.length}, of which ${differing} are not as expected`,
    ...(missing.length === 0 ? [] : [`- not looked at yet: ${missing.join('; ')}`]),
    '',
    '## What is usually seen',
    '',
    ...table([usualHead, ...usual]),
    '',
    '## Habitat by habitat',
    '',
    ...table([habitatHead, ...found.map((ofOne) => lineOf(ofOne, new Map(usual)))]),
    '',
  ].join('\n');
}

/** The outcomes that a report holds. */
export function rowsIn(report: string): readonly Row[] {
  const lines = report.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| --- |'));
  const cells = lines.map((line) => line.slice(2, -2).split(' | '));
  const usual = new Map(
    cells.filter(({ length }) => length === 2).map(([scenario = '', seen = '']) => [scenario, seen]),
  );
  return cells
    .filter((line) => line.length === 3 && line[0] !== habitatHead[0])
    .flatMap(([habitat = '', differing = '', days = '']) => {
      const others = new Map(piecesOf(differing).map((text) => outcomeIn(text)));
      return piecesOf(days).flatMap((piece) => {
        const [day = '', scenarios = ''] = piece.split(': ');
        return scenarios.split(', ').map((scenario): Row => {
          const { seen = usual.get(scenario) ?? '', expected = null } = others.get(scenario) ?? {};
          return { habitat, scenario, seen, expected, day };
        });
      });
    });
}

/** A text as it stands in a cell. */
export function cellOf(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('<', '‹')
    .replaceAll('\n', ' ')
    .replace(/\/tmp\/\S+/g, '…');
}

const usualHead = ['scenario', 'seen'];
const habitatHead = ['habitat', 'seen otherwise', 'looked at'];
const apart = '<br>';
const notExpected = ' **expected: ';

/** The order in which a visit looks, whichever part of it was looked at last. */
const order = ['made', 'doctor', ...scenarioNames, ...rareScenarioNames, 'beside', 'afterwards'];

function place({ scenario }: Row): number {
  return order.indexOf(scenario);
}

/** Pairs each scenario with what more than half of its habitats saw, in the order of a visit. */
function usualOf(rows: readonly Row[]): readonly [scenario: string, seen: string][] {
  return [...grouped(rows, ({ scenario }) => scenario)].flatMap(([scenario, same]) =>
    [...grouped(same, ({ seen }) => seen)]
      .filter(([, alike]) => alike.length > same.length / 2)
      .map(([seen]): [string, string] => [scenario, seen]),
  );
}

function lineOf(rows: readonly Row[], usual: ReadonlyMap<string, string>): readonly string[] {
  const differing = rows
    .filter(({ scenario, seen, expected }) => expected !== null || seen !== usual.get(scenario))
    .map(({ scenario, seen, expected }) => {
      return `${scenario}: ${seen}${expected === null ? '' : `${notExpected}${expected}**`}`;
    });
  const days = [...grouped(rows, ({ day }) => day)]
    .map(([day, same]) => `${day}: ${same.map(({ scenario }) => scenario).join(', ')}`)
    .sort();
  return [rows[0]?.habitat ?? '', differing.join(apart), days.join(apart)];
}

/** What `lineOf` wrote of one outcome. */
function outcomeIn(text: string): [scenario: string, outcome: { seen: string; expected: string | null }] {
  const colon = text.indexOf(': ');
  const [seen = '', expected] = text.slice(colon + 2).split(notExpected);
  return [text.slice(0, colon), { seen, expected: expected?.replace(/\*\*$/, '') ?? null }];
}

function piecesOf(cell: string): readonly string[] {
  return cell === '' ? [] : cell.split(apart);
}

function table(lines: readonly (readonly string[])[]): readonly string[] {
  const [head = [], ...rows] = lines;
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function safeRow({ habitat, scenario, seen, expected, day }: Row): Row {
  const safe = expected === null ? null : cellOf(expected);
  return { habitat: cellOf(habitat), scenario: cellOf(scenario), seen: cellOf(seen), expected: safe, day };
}
