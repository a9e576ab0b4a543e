import assert from 'node:assert/strict';
import { commandLines, commandNamed } from '../../src/cli/commands';
import { commands } from './everyCommand';

describe('the command that a person names', () => {
  it('is loaded by its name, each command of the help', async () => {
    assert.deepEqual(
      commands.map(({ name }) => name),
      commandLines,
    );
    for (const command of commands) assert.deepEqual(await commandNamed(command.name), command, command.name);
  });

  it('is null for another name', async () => {
    for (const name of ['', 'plan', 'statu', 'constructor', 'status list'])
      assert.equal(await commandNamed(name), null, name);
  });
});
