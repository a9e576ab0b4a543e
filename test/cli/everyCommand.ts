import { loadGroups } from '../../src/cli/commands';
import type { CommandGroup, CommandSpec } from '../../src/cli/shell/command';

/** The commands as the help groups them; empty until the tests begin. */
export const commandGroups: CommandGroup[] = [];
/** Every command, in the order of the help; empty until the tests begin. */
export const commands: CommandSpec[] = [];

before('loads every command', async () => {
  commandGroups.push(...(await loadGroups()));
  commands.push(...commandGroups.flatMap((group) => group.commands));
});
