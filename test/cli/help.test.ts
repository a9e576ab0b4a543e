import assert from 'node:assert/strict';
import { commandGroups, commands } from './everyCommand';
import { commandHelp, generalHelp, wordHelp } from '../../src/cli/shell/help';

const linesOf = (text: { toString(): string }): readonly string[] => text.toString().split('\n');

describe('the help of mission', () => {
  let general: readonly string[];
  before(() => (general = linesOf(generalHelp(commandGroups))));

  it('fits a terminal of 80 columns, for every command', () => {
    const helps = [
      ['mission', general],
      ['memory', linesOf(wordHelp('memory', commandGroups))],
      ...commands.map((command) => [command.name, linesOf(commandHelp(command))] as const),
    ] as const;
    for (const [name, lines] of helps)
      for (const line of lines) assert.ok(line.length <= 80 && line === line.trimEnd(), `${name}: ${line}`);
  });

  it('lists each command once, below the title of its group, and every option of a command', () => {
    for (const { title, commands: own } of commandGroups) {
      const at = general.indexOf(title);
      assert.ok(at > 0, title);
      for (const { name } of own) {
        const found = general.filter((line) => line.startsWith(`  ${name} `) && !/^ {2}mission /.test(line));
        assert.equal(found.length, 1, name);
        assert.ok(general.indexOf(found[0] ?? '') > at, name);
      }
    }
    for (const command of commands)
      for (const option of Object.keys(command.options ?? {}))
        assert.ok(
          linesOf(commandHelp(command)).some((line) => new RegExp(`^ {2}--${option}\\b`).test(line)),
          `${command.name} --${option}`,
        );
  });
});
