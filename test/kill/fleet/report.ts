import { grouped } from '../../support/grouped';
import type { Campaign, Happened } from './campaign';
import type { Measured, Throughput } from './throughput';

export interface FleetReport {
  readonly command: string;
  readonly machine: string;
  /** Why there were no namespaces and no partitions; null: there were. */
  readonly without: string | null;
  readonly campaign: Campaign;
  readonly throughput: Throughput;
}

/** docs/reports/fleet.md: nothing in it names a machine or a place on it. */
export function reportOf({ command, machine, without, campaign, throughput }: FleetReport): string {
  return [
    '# A fleet under kills and cuts',
    '',
    `Written by \`${command}\`.`,
    '',
    `Machine: ${machine}.`,
    '',
    ...told(campaign, without),
    '',
    ...table(['what', 'number'], countsOf(campaign)),
    '',
    '## What was done to hosts and database',
    '',
    'Seconds count until another claim of the mission goes on. A point is missed where the task had ended or begun before.',
    '',
    ...table(['what', 'times', 'missed', 'gone on with', 'seconds'], happenedOf(campaign.happened)),
    '',
    '## Why missions blocked',
    '',
    ...blockedOf(campaign),
    '',
    ...problemsOf(campaign),
    '## Throughput',
    '',
    ...throughputOf(throughput),
    '',
    '## Growth',
    '',
    ...growthOf(throughput),
    '',
  ].join('\n');
}

function told({ missions, hosts, repositories }: Campaign, without: string | null): readonly string[] {
  const where =
    without === null
      ? 'Each host is a process in a network namespace of its own. It reaches PostgreSQL by TCP and TLS through a bridge.'
      : `The hosts are processes without namespaces, because ${without}. So no partition was tried.`;
  return [
    `${missions} missions of three tasks each run on ${hosts} hosts, from ${repositories} repositories. ${where}`,
    '',
    'Each task writes its mission and its name to one file outside before and after its work. The command compares that file with the journals. A person retries three of four missions that block, and cancels the fourth.',
    '',
    'A task is double where it ran more often than once and for each attempt that its journal calls lost. A mission is lost where it neither completed nor was canceled by that person.',
  ];
}

/** True: nothing was lost or done twice, and each evidence verifies. */
export function isGood({ missions, lost, double, verified }: Campaign): boolean {
  return lost.length === 0 && double.length === 0 && verified === missions;
}

function countsOf(campaign: Campaign): readonly (readonly [string, string | number])[] {
  const { happened, blocked, lost, double, unverified } = campaign;
  const times = (kind: Happened['kind']): number => happened.filter((one) => one.kind === kind).length;
  return [
    ['missions', campaign.missions],
    ['hosts', campaign.hosts],
    ['hosts killed with -9', times('kill')],
    ['hosts cut off', times('cut')],
    ['restarts of PostgreSQL, by a crash', times('restart')],
    ['claims of all missions', campaign.claims],
    ['**lost**', `**${lost.length}**`],
    ['**double**', `**${double.length}**`],
    ['completed', campaign.completed],
    ['canceled by a person', campaign.canceled],
    ['tasks that blocked, and a person decided', blocked.length],
    ['runs of tasks again after an attempt that the journal calls lost', campaign.again],
    ['evidence verified', `${campaign.verified} of ${campaign.missions}`],
    ['evidence that does not verify', unverified.length],
    ['hosts that SIGTERM did not end in a minute', campaign.stayed],
    ['minutes', campaign.minutes.toFixed(1)],
  ];
}

function happenedOf(happened: readonly Happened[]): readonly (readonly string[])[] {
  const names = { kill: 'host killed ', cut: 'host cut off: ', restart: '' };
  return [...grouped(happened, ({ kind, how }) => names[kind] + how)].map(([name, ones]) => {
    const seconds = ones.flatMap((one) => (one.seconds === null ? [] : [one.seconds]));
    const range = [Math.min(...seconds), Math.max(...seconds)].map((one) => one.toFixed(1));
    return [
      name,
      String(ones.length),
      String(ones.filter(({ met }) => !met).length),
      String(seconds.length),
      seconds.length === 0 ? '-' : [...new Set(range)].join(' to '),
    ];
  });
}

function blockedOf({ blocked }: Campaign): readonly string[] {
  if (blocked.length === 0) return ['No mission blocked.'];
  const rows = [...grouped(blocked, ({ task, code }) => `${task}, ${code ?? 'no code'}`)].map(([why, ones]) => [
    why,
    String(ones.length),
    ...(['retry', 'cancel'] as const).map((wanted) => String(ones.filter((one) => one.decision === wanted).length)),
  ]);
  return table(['task and code', 'blocked', 'retried', 'canceled'], rows);
}

function problemsOf({ lost, double, unverified }: Campaign): readonly string[] {
  const all = [...lost.map((one) => `lost: ${one}`), ...double.map((one) => `double: ${one}`), ...unverified];
  return all.length === 0 ? [] : ['## What is wrong', '', ...all.map((one) => `- ${one.split('\n').join(' ')}`), ''];
}

function throughputOf({ missions, local, byHosts, submit }: Throughput): readonly string[] {
  const second = (ms: number): string => (ms / 1000).toFixed(2);
  const one = byHosts.find(({ hosts }) => hosts === 1)?.ms ?? Number.NaN;
  return [
    `The same ${missions} missions, undisturbed. \`mission run\` counts with the start of its process. Hosts count from the first claim to the last end, by the clock of the database.`,
    '',
    ...table(
      ['by', 'seconds a mission', 'against `mission run`'],
      [
        ['`mission run`, one after another', second(local), '1.00'],
        ...byHosts.map(({ hosts, ms }) => [
          hosts === 1 ? '1 host' : `${hosts} hosts`,
          second(ms),
          (ms / local).toFixed(2),
        ]),
      ],
    ),
    '',
    `A mission takes ${second(Math.abs(one - local))} s ${one < local ? 'less' : 'more'} on one host than by \`mission run\`. The host checks out, records exports and says messages; it needs no start of a process. \`mission fleet submit\` takes ${second(submit)} s for each mission, as a process.`,
  ];
}

const aDay = 100_000;
/** Days for which the database keeps ended missions. */
const keptDays = 30;
/** Seconds of a mission with real agents, as an assumption. */
const realSeconds = 600;
/** What a PostgreSQL allows as it comes. */
const allowedConnections = 100;
const diskBytes = 1e12;
/** Transactions a second of a small database, as an assumption. */
const smallDatabase = 5000;

function growthOf({ byHosts, measured }: Throughput): readonly string[] {
  const { exports, messages, stored, transactions, connections } = measured;
  const small = (byHosts.find(({ hosts }) => hosts === 1)?.ms ?? Number.NaN) / 1000;
  const hosts = Math.ceil((aDay * realSeconds) / 86_400);
  const kept = aDay * keptDays;
  const perRow = slopeOf(measured);
  return [
    `A calculation for ${amount(aDay)} missions a day, ${(aDay / 86_400).toFixed(2)} a second. A mission of agents is taken to last ${realSeconds / 60} minutes.`,
    '',
    ...table(
      ['of', 'measured', `at ${amount(aDay)} a day`],
      [
        [
          'hosts',
          `${small.toFixed(2)} s a mission here`,
          `${amount(Math.ceil((aDay * small) / 86_400))} for this work, ${amount(hosts)} for missions of ${realSeconds / 60} minutes`,
        ],
        ['connections', `${connections} an idle host`, amount(hosts * connections)],
        ['looks for a mission', '1 a second and idle host', `${amount(hosts)} a second at most`],
        [
          'transactions',
          `${transactions.mission.toFixed(0)} a mission, ${transactions.idle.toFixed(1)} a second and idle host`,
          `${amount((transactions.mission * aDay) / 86_400)} a second, and ${amount(transactions.idle * hosts)} of idle hosts`,
        ],
        [
          'exports',
          `${exports.rows.toFixed(1)} rows, ${kilobytes(exports.bytes)} kB a mission`,
          `${((exports.bytes * aDay) / 1e9).toFixed(1)} GB a day`,
        ],
        [
          'messages',
          `${messages.rows.toFixed(1)} rows, ${kilobytes(messages.bytes)} kB a mission`,
          `${((messages.bytes * aDay) / 1e9).toFixed(1)} GB a day`,
        ],
        [
          'tables and indexes',
          `${kilobytes(stored)} kB a mission`,
          `${amount((stored * kept) / 1e9)} GB in ${keptDays} days`,
        ],
        [
          'one look',
          measured.looks
            .map(({ ended, ms }) => `${ms.toFixed(1)} ms with ${amount(ended)} missions in the table`)
            .join(', '),
          perRow === 0 ? 'does not grow with the table' : `${amount(perRow * kept)} ms with ${amount(kept)}`,
        ],
      ],
    ),
    '',
    'What breaks, the first one first:',
    '',
    ...limitsOf(measured).map(({ missions, words }) => `- From ${amount(missions)} missions a day on, ${words}`),
  ];
}

/** Milliseconds that a look takes longer for each mission in the table; 0: less than can be measured. */
function slopeOf({ looks }: Measured): number {
  const [few, many] = looks;
  if (few === undefined || many === undefined || many.ms - few.ms < 1) return 0;
  return (many.ms - few.ms) / (many.ended - few.ended);
}

/** The missions a day from which something no longer holds, the smallest first. */
function limitsOf(measured: Measured): readonly { readonly missions: number; readonly words: string }[] {
  const { connections, stored, transactions } = measured;
  const hostsOf = realSeconds / 86_400;
  const slope = slopeOf(measured);
  return [
    {
      missions: allowedConnections / connections / hostsOf,
      words: `idle hosts need more than ${allowedConnections} connections, which is what PostgreSQL allows as it comes. A higher \`max_connections\` or a pooler helps.`,
    },
    {
      missions: Math.sqrt(1000 / (hostsOf * slope * keptDays)),
      words: `the looks of idle hosts take a whole core of the database, because each reads all rows that are kept for ${keptDays} days. An index of open missions, or a shorter time, helps.`,
    },
    {
      missions: smallDatabase / (transactions.idle * hostsOf),
      words: `hosts that have no work ask for more than ${amount(smallDatabase)} transactions a second, which a small database is taken to bear. Longer times between two looks help.`,
    },
    {
      missions: diskBytes / (stored * keptDays),
      words: `${keptDays} days take more than ${diskBytes / 1e12} TB. Exports without those that a newer one replaces help.`,
    },
  ]
    .filter(({ missions }) => Number.isFinite(missions))
    .toSorted((left, right) => left.missions - right.missions);
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(0);
}

/** Two digits that count, with a comma at thousands. */
function amount(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value).toLocaleString('en-US');
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): readonly string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
}
