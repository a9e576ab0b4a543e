import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { pointsOfTheJournal, pointsOfTheSystem } from './points';

/**
 * `node --require points.program.js dist/cli.js ...`: the program as it is shipped, killed by its own hand at a point,
 * or held there.
 *
 * KILL_POINTS_FILE  where the points go that were reached, one a line
 * KILL_AT           the point at which it dies; a number: the so-many-th of all
 * HOLD_AT           the point at which it stands still, having made the file HELD, until there is the file GO
 */
const { KILL_POINTS_FILE: file, KILL_AT: killAt, HOLD_AT: holdAt, HELD: held, GO: go } = process.env;
let reached = 0;
const reach = (point: string): void => {
  reached += 1;
  if (file !== undefined) appendFileSync(file, `${point}\n`);
  if (point === killAt || String(reached) === killAt) process.kill(process.pid, 'SIGKILL');
  if (point !== holdAt || held === undefined || go === undefined) return;
  writeFileSync(held, '');
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(go)) Atomics.wait(never, 0, 0, 20);
};
pointsOfTheSystem(reach);
pointsOfTheJournal(reach);
