import fs from 'node:fs';
import process from 'node:process';
import { emptyFacts } from '../../src/adapters/workspace/manifest/manifest';
import { undoIn } from '../../src/adapters/workspace/undo';
import type { UndoRequest } from '../../src/engine/ports/workspace';
import { pointsOfTheFiles } from './points';

/**
 * Carries an undo out, and prints its points; or ends itself with kill -9 at one of them.
 *
 *   undo.program.js FILE [POINT]
 *
 * FILE  { place, request }: what `undoIn` takes
 */
const [file = '', at = ''] = process.argv.slice(2);
const { place, request } = JSON.parse(fs.readFileSync(file, 'utf8')) as {
  readonly place: Parameters<typeof undoIn>[0];
  readonly request: UndoRequest;
};
const points: string[] = [];
pointsOfTheFiles((point) => {
  points.push(point);
  if (String(points.length) === at) process.kill(process.pid, 'SIGKILL');
});
void undoIn(place, request, { entries: new Map(), facts: emptyFacts() }).then((facts) =>
  console.log(JSON.stringify({ points, facts })),
);
