import { callOf, optionsOf, type CommandGroup, type CommandSpec } from './command';
import { exitCodes, exitMeanings, type ExitName } from './output';
import { terminal, type TerminalText } from '../../base/text/marked/terminal';

/** The help of `mission --help`: every command in its group, and how a first mission goes. */
export function generalHelp(groups: readonly CommandGroup[]): TerminalText {
  return terminal.lines([
    ...wrapped(
      'mission: run approved plans with the agent CLIs of this machine, and leave evidence in the repository.',
      width,
    ),
    '',
    'Usage: mission COMMAND [ARGUMENTS] [--json] [--help]',
    '       mission COMMAND --help shows what a command takes.',
    '',
    ...listedGroups(groups),
    'Example: a first mission, without an agent and without an account',
    ...exampleLines.map((line) => `  ${line}`),
    '',
    ...exitHelp,
  ]);
}

const exampleLines = [
  'mission plan new hello --from sample',
  'mission plan approve docs/plans/PLAN_hello.json --by "Ada Lovelace"',
  'mission run docs/plans/PLAN_hello.json',
  'mission evidence verify hello',
] as const;

/** The help of `mission plan --help`: the commands that begin with that word. */
export function wordHelp(word: string, groups: readonly CommandGroup[]): TerminalText {
  return terminal.lines([
    `Usage: mission ${word} COMMAND [ARGUMENTS] [--json] [--help]`,
    '',
    ...listedGroups(groups),
    ...exitHelp,
  ]);
}

export function commandHelp(spec: CommandSpec): TerminalText {
  const options = Object.entries(optionsOf(spec)).map(
    ([name, { value, help }]) => [`--${name}${value === undefined ? '' : ` ${value}`}`, help] as const,
  );
  const [usage = '', ...more] = wrapped(`Usage: ${callOf(spec)} [OPTIONS]`, width);
  return terminal.lines([
    usage,
    ...more.map((line) => `  ${line}`),
    '',
    ...wrapped(spec.summary, width),
    ...(spec.details ? ['', ...wrapped(spec.details.join(' '), width)] : []),
    '',
    'Options:',
    ...listed(options),
    '',
    ...exitHelp,
  ]);
}

/** Columns that every terminal has. */
const width = 80;
/** A longer name has its text below it. */
const longestName = 26;

const exitHelp = [
  'Exit codes:',
  ...(Object.keys(exitCodes) as ExitName[]).map((end) => `  ${exitCodes[end]}  ${exitMeanings[end]}`),
];

function listedGroups(groups: readonly CommandGroup[]): readonly string[] {
  return groups.flatMap(({ title, commands }) => [
    title,
    ...listed(commands.map(({ name, summary }) => [name, summary])),
    '',
  ]);
}

function listed(rows: readonly (readonly [name: string, text: string])[]): readonly string[] {
  const short = rows.map(([name]) => name.length).filter((length) => length <= longestName);
  const column = Math.max(0, ...short) + 4;
  const below = (line: string): string => ' '.repeat(column) + line;
  return rows.flatMap(([name, text]) => {
    const lines = wrapped(text, width - column);
    if (name.length > longestName) return [`  ${name}`, ...lines.map(below)];
    const [first = '', ...others] = lines;
    return [`  ${name}`.padEnd(column) + first, ...others.map(below)];
  });
}

/** Breaks at blanks. A word that is longer has a line of its own. */
function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
