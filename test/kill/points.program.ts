import { appendFileSync } from 'node:fs';
import { pointsOfTheJournal, pointsOfTheSystem } from './points';

/**
 * `node --require points.program.js dist/cli.js ...`: the program as it is shipped, killed by its own hand at a point.
 *
 * KILL_POINTS_FILE  where the points go that were reached, one a line
 * KILL_AT           the point at which it dies; a number: the so-many-th of all
 */
export const killVariables = { file: 'KILL_POINTS_FILE', at: 'KILL_AT' } as const;

const { [killVariables.file]: file, [killVariables.at]: at } = process.env;
let reached = 0;
const reach = (point: string): void => {
  reached += 1;
  if (file !== undefined) appendFileSync(file, `${point}\n`);
  if (point === at || String(reached) === at) process.kill(process.pid, 'SIGKILL');
};
pointsOfTheSystem(reach);
pointsOfTheJournal(reach);
