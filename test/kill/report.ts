import { grouped } from '../support/grouped';
import type { Campaign, CampaignOptions, CampaignRound } from './campaign';

/** Numbers of a whole campaign. */
export interface Totals {
  readonly rounds: number;
  readonly points: number;
  readonly kills: number;
  readonly not_reached: number;
  readonly commands: number;
  readonly problems: number;
}

export function totalsOf(rounds: readonly CampaignRound[]): Totals {
  const kills = rounds.flatMap(({ result }) => result.kills);
  return {
    rounds: rounds.length,
    points: new Set(rounds.flatMap(({ group, name }) => (group === 'point' ? [name] : []))).size,
    kills: kills.filter(({ happened }) => happened).length,
    not_reached: rounds.filter(({ happened }) => !happened).length,
    commands: rounds.reduce((sum, { result }) => sum + result.commands, 0),
    problems: rounds.filter(({ result }) => result.problems.length > 0).length,
  };
}

const vscodeHeading = '## In the extension host of VS Code';

/**
 * The report with the part about VS Code at its end: a new one, or the one that is in a text. The two campaigns are run
 * one without the other.
 */
export function withVscodePart(
  report: string,
  part: string | { readonly campaign: Campaign; readonly options: CampaignOptions },
): string {
  const [first = ''] = report.split(vscodeHeading);
  const text =
    typeof part === 'string'
      ? part.slice(part.includes(vscodeHeading) ? part.indexOf(vscodeHeading) : part.length)
      : vscodePartOf(part.campaign, part.options);
  return [first.trimEnd(), text.trimEnd()].filter((piece) => piece !== '').join('\n\n') + '\n';
}

function vscodePartOf({ rounds, left_out }: Campaign, options: CampaignOptions): string {
  return [
    vscodeHeading,
    '',
    `Written by \`${commandOf(options, ' --owner vscode')}\`.`,
    '',
    'The real VS Code runs the product as it is shipped. A second extension starts before it in the same extension host',
    'and counts the points. At the chosen point it ends the extension host by `kill -9`. Points are:',
    '',
    '- before an append goes to the journal’s thread, and when its answer has come (`journal.*`)',
    '- taking the lease (`sqlite.lease`, `journal.raiseFence`)',
    '- every start of a process, and every change of a name on the file system',
    '',
    'VS Code starts another extension host by itself, and the mission goes on there. A person at the window runs the plan',
    'again where no mission had begun, resumes where this machine does not know it yet, and retries the blocked task.',
    'In `moves`, one task follows the other, and the second blocks. In `lanes`, three run side by side, and one blocks.',
    'Afterwards the same holds as above.',
    '',
    ...numbers({ rounds, left_out }),
    '',
    ...table(
      rounds.filter(({ group }) => group === 'point'),
      operationOf,
    ),
    '',
    ...(rounds.some(({ group }) => group === 'time')
      ? [
          'At times by chance, twice in each round:',
          '',
          ...table(
            rounds.filter(({ group }) => group === 'time'),
            (name) => name,
          ),
          '',
        ]
      : []),
    ...problemsOf(rounds).map((line) => line.replace(/^## /, '### ')),
  ].join('\n');
}

/** `mission, lanes: fs.rename` of `mission, lanes: fs.rename(TASK.json)#2:after`. */
function operationOf(point: string): string {
  return point.replace(/\(.*$/s, '').replace(/#\d+:(before|after)$/, '');
}

function commandOf(options: CampaignOptions, owner: string): string {
  return `npm run test:kill --${owner} --rounds ${options.rounds} --times ${options.times} --seed ${options.seed}${options.minutes === null ? '' : ` --minutes ${options.minutes}`}${options.point === null ? '' : ` --point '${options.point}'`} --report .artifacts/kill-test.md`;
}

function numbers({ rounds, left_out }: Campaign): readonly string[] {
  const totals = totalsOf(rounds);
  return [
    `- rounds: ${totals.rounds}, of ${totals.points} points and ${rounds.filter(({ group }) => group === 'time').length} times by chance`,
    ...(left_out > 0 ? [`- rounds that were left out, chosen by chance, because the time was over: ${left_out}`] : []),
    `- kills: ${totals.kills}`,
    `- rounds in which the point was not passed (three tries): ${totals.not_reached}`,
    `- commands of a person that were acknowledged: ${totals.commands}`,
    `- rounds with a violated invariant: ${totals.problems}`,
  ];
}

/** .artifacts/kill-test.md: nothing in it names a machine or a place on it. */
export function reportOf({ rounds, left_out }: Campaign, options: CampaignOptions): string {
  return [
    '# Kill test',
    '',
    `Written by \`${commandOf(options, '')}\`.`,
    '',
    'Real processes, ended by `kill -9`. A run without kills names the points:',
    '',
    '- before and after every operation of the engine’s ports that changes something',
    '- every start of a process',
    '- once of each kind, after every change of a name on the file system (`fs.*`)',
    '- of `mission` as it is shipped, also before and after every write of the journal (`sqlite.*`)',
    '',
    'The owner kills itself at a point, or a process is killed at a time by chance. Then the next owner takes over, until',
    'every mission has ended. It is the same program or `mission`. `mission run`, `mission handoff export`, `--move` and',
    '`mission handoff resume` die as they are shipped.',
    '',
    ...numbers({ rounds, left_out }),
    '',
    'After each round:',
    '',
    '- The hash chain holds, and every entry that was durable at a kill is still there.',
    '- LOCKED with the same hash precedes any launch. Every start of a command has its journalled launch.',
    '- No launch ran twice, no attempt began twice, and no task ran again after it was done.',
    '- Where only owners were killed, every command ran exactly as often as without a kill.',
    '- No lock and no lease is held, no process of the round is alive, no temporary file is in the repository.',
    '- The missions have ended, and their evidence verifies against the journal without a warning.',
    '- Every acknowledged command is journalled once, and none was taken from the inbox and forgotten.',
    '- Every handoff was decided once, is whole, has the digests of its files and the bundle that the journal names.',
    '',
    'At every kill, each handoff folder is whole or cannot be resumed. Of a run that was handed over, every command ran as',
    'often as without a kill in both places together. Each start is in the journal of exactly one of them. A run that was',
    'given away never goes on where it was.',
    '',
    'A line counts all points of one operation. The run prints each point.',
    '',
    '## At points',
    '',
    ...table(
      rounds.filter(({ group }) => group === 'point'),
      operationOf,
    ),
    '',
    '## At times by chance',
    '',
    ...table(
      rounds.filter(({ group }) => group === 'time'),
      (name) => name,
    ),
    '',
    ...problemsOf(rounds),
  ].join('\n');
}

/** Every round with a violated invariant, with what repeats it. */
export function problemsOf(rounds: readonly CampaignRound[]): readonly string[] {
  const bad = rounds.filter(({ result }) => result.problems.length > 0);
  if (bad.length === 0) return [];
  return [
    '## Violated invariants',
    '',
    ...bad.flatMap(({ name, result }) => [
      `- ${name} (${JSON.stringify({ ...(result.plan as object), from: undefined, keep: undefined })}, owners: ${result.owners})`,
      ...result.problems.map((problem) => `  - ${problem.split('\n').join(' ')}`),
      ...(result.folder === null ? [] : [`  - kept: ${result.folder}`]),
    ]),
    '',
  ];
}

function table(rounds: readonly CampaignRound[], groupOf: (name: string) => string): readonly string[] {
  const groups = grouped(rounds, ({ name }) => groupOf(name));
  const rows = [...groups].map(([group, members]) => {
    const kills = members.flatMap(({ result }) => result.kills.filter(({ happened }) => happened));
    const first = members.flatMap(({ result }) => result.kills.slice(0, 1)).filter(({ happened }) => happened);
    return [
      `\`${group}\``,
      String(new Set(members.map(({ name }) => name)).size),
      String(kills.length),
      String(members.filter(({ happened }) => !happened).length),
      counted(first.map(({ found }) => found.split(', ').slice(0, 2).join(' '))),
      counted(members.map(({ result }) => String(result.owners))),
      counted(members.map(({ result }) => result.ending.split(', ')[1] ?? result.ending)),
      String(members.filter(({ result }) => result.problems.length > 0).length),
    ];
  });
  const head = ['where', 'points', 'kills', 'not passed', 'found by the next owner', 'owners', 'ended', 'violations'];
  return [
    head,
    head.map(() => '---'),
    ...rows.sort((left, right) => ((left[0] ?? '') < (right[0] ?? '') ? -1 : 1)),
  ].map((row) => `| ${row.join(' | ')} |`);
}

/** `2 x EXECUTING running, 1 x no mission yet`. */
function counted(texts: readonly string[]): string {
  return [...grouped(texts, (text) => text)]
    .sort((left, right) => right[1].length - left[1].length)
    .map(([text, same]) => `${same.length} x ${text}`)
    .join(', ');
}
