import { terminal } from '../../../base/text/marked/terminal';
import type { CommandSpec } from '../../shell/command';
import { exitCodes } from '../../shell/exitCodes';
import { databaseOption, withFleet } from './connection';

export const fleetSetup: CommandSpec = {
  name: 'fleet setup',
  summary: 'Create the tables of a fleet in its database.',
  details: [
    'The owner of the database runs it once. What is there stays. No other command creates tables. Another version of',
    'pg-boss needs a new database.',
  ],
  options: databaseOption,
  anywhere: () => true,
  run: (call) =>
    withFleet(
      call,
      () => {
        call.out.line(terminal`The database has the tables of a fleet.`);
        call.out.document({ accepted: true });
        return Promise.resolve(exitCodes.ok);
      },
      'set up',
    ),
};
