import { optionsOf, type CommandSpec } from './command';
import { inColumns, terminal, type TerminalText } from '../../base/text/terminal';

export function generalHelp(commands: readonly CommandSpec[]): TerminalText {
  return terminal.lines([
    'mission: run approved plans with the agent CLIs of this machine, and leave evidence in the repository.',
    '',
    'Usage: mission COMMAND [ARGUMENTS] [--json] [--help]',
    '',
    ...inColumns(
      commands.map(({ name, usage, summary }) => [`mission ${name} ${usage}`.trimEnd(), summary]),
      '  ',
    ),
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
  'Exit codes: 0 done, valid, completed; 1 invalid, failed, not verified; 2 usage error or refused before',
  'anything started; 3 blocked or paused, somebody must act; 4 environment (worker CLI, Node, another owner).',
];
