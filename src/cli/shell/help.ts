import { optionsOf, type CommandSpec } from './command';
import { exitCodes, exitMeanings } from './exitCodes';
import { inColumns, terminal, type TerminalText } from '../../base/text/terminal';

/** Commands that belong together, with the heading above them. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandSpec[];
}

export function generalHelp(groups: readonly CommandGroup[]): TerminalText {
  const rows = inColumns(
    groups.flatMap(({ commands }) =>
      commands.map(({ name, usage, summary }) => [`mission ${name} ${usage}`.trimEnd(), summary]),
    ),
    '  ',
  );
  const shown = groups.flatMap(({ title, commands }, index) => {
    const before = groups.slice(0, index).reduce((sum, group) => sum + group.commands.length, 0);
    return ['', terminal`${title}:`, ...rows.slice(before, before + commands.length)];
  });
  return terminal.lines([
    'mission: run approved plans with the agent CLIs of this machine, and leave evidence in the repository.',
    '',
    'Usage: mission COMMAND [ARGUMENTS] [--json] [--help]',
    ...shown,
    '',
    ...exitHelp,
  ]);
}

export function commandHelp(spec: CommandSpec): TerminalText {
  const options = Object.entries(optionsOf(spec)).map(([name, { value, help }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    help,
  ]);
  return terminal.lines([
    `Usage: mission ${spec.name} ${spec.usage}`.trimEnd() + ' [OPTIONS]',
    '',
    spec.summary,
    ...(spec.details ? ['', ...spec.details] : []),
    '',
    'Options:',
    ...inColumns(options, '  '),
    '',
    ...exitHelp,
  ]);
}

const exitHelp = [
  'Exit codes:',
  ...inColumns(
    (Object.keys(exitCodes) as (keyof typeof exitCodes)[]).map((end) => [exitCodes[end], exitMeanings[end]]),
    '  ',
  ),
];
