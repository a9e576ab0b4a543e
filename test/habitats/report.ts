import type { Visit } from './visit';

export interface Visited {
  readonly name: string;
  /** Why it could not be made here; null: it was. */
  readonly skipped: string | null;
  readonly visits: readonly Visit[];
}

/** One line of the report, cell by cell. */
export interface Row {
  readonly habitat: string;
  readonly scenario: string;
  readonly seen: string;
  readonly expected: string;
  readonly seconds: string;
  /** The day of the visit; empty in a report of before that was written. */
  readonly day: string;
}

/** The lines of one habitat that was looked at on that day. */
export function rowsOf({ name, skipped, visits }: Visited, day: string): readonly Row[] {
  if (skipped !== null)
    return [{ habitat: name, scenario: 'skipped', seen: skipped, expected: '', seconds: '', day }].map(safeRow);
  return visits
    .map(({ what, seen, expected, problem, seconds }) => ({
      habitat: name,
      scenario: what,
      seen,
      expected: problem === null && seen === expected ? asExpected : `**${expected}**`,
      seconds: seconds.toFixed(1),
      day,
    }))
    .map(safeRow);
}

/** The lines with those of one habitat in place of its earlier ones. */
export function instead(rows: readonly Row[], habitat: string, fresh: readonly Row[]): readonly Row[] {
  return [...rows.filter((row) => row.habitat !== habitat), ...fresh];
}

/** The lines where each fresh one stands in place of the same one; what was not looked at stays. */
export function refreshed(rows: readonly Row[], fresh: readonly Row[]): readonly Row[] {
  const same = (one: Row, other: Row): boolean => one.habitat === other.habitat && one.scenario === other.scenario;
  return rows.map((row) => fresh.find((one) => same(one, row)) ?? row);
}

/** docs/reports/habitats.md, in the order of the habitats, which are named as cells name them: nothing in it names a machine or a place on it. */
export function reportOf(names: readonly string[], rows: readonly Row[]): string {
  const found = names.map((name) => rows.filter(({ habitat }) => habitat === name));
  const here = found.flat();
  const outcomes = here.filter(({ scenario }) => scenario !== 'skipped');
  const skipped = here.length - outcomes.length;
  const missing = found.filter((ofOne) => ofOne.length === 0).length;
  const differing = outcomes.filter(({ expected }) => expected !== asExpected).length;
  return [
    '# Habitats',
    '',
    'Written by `npm run test:habitats -- --all`. Each habitat is made by real git, file system and mounts in a fresh',
    'folder; the missions in it are run by the built `mission`, as a person would. A refusal with its code, whose message',
    'tells the way out, can be what is expected. A run that looks at some of them keeps the lines of the others.',
    '',
    `- habitats: ${names.length}, of which ${skipped} were skipped where this was written, with the reason, and ${missing} were not looked at yet`,
    `- outcomes: ${outcomes.length}, of which ${differing} are not as expected`,
    '',
    ...[head, head.map(() => '---'), ...here.map(cellsOf)].map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}

/** The lines of a report, also of one that had no days. */
export function rowsIn(report: string): readonly Row[] {
  return report.split('\n').flatMap((line): readonly Row[] => {
    if (!line.startsWith('| ')) return [];
    const cells = line.slice(2, -2).split(' | ');
    const [habitat = '', scenario = '', seen = '', expected = '', seconds = '', day = ''] = cells;
    return habitat === head[0] || habitat === '---' ? [] : [{ habitat, scenario, seen, expected, seconds, day }];
  });
}

const head = ['habitat', 'scenario', 'seen', 'expected', 'seconds', 'looked at'];
const asExpected = 'as expected';

function cellsOf({ habitat, scenario, seen, expected, seconds, day }: Row): readonly string[] {
  return [habitat, scenario, seen, expected, seconds, day];
}

function safeRow({ habitat, scenario, seen, expected, seconds, day }: Row): Row {
  return {
    habitat: cellOf(habitat),
    scenario: cellOf(scenario),
    seen: cellOf(seen),
    expected: cellOf(expected),
    seconds,
    day,
  };
}

/** A text as it stands in a cell. */
export function cellOf(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
    .replace(/\/tmp\/\S+/g, '…');
}
