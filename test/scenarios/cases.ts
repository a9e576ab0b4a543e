import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Scenario } from './scenario';

/** All scenarios, by the name of their file; each time the same objects. */
export function cases(): Cases {
  return (known ??= readCases());
}

type Cases = readonly (readonly [string, readonly Scenario[]])[];

let known: Cases | undefined;

function readCases(): Cases {
  const folder = path.join(process.cwd(), 'test/scenarios/cases');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [
      path.basename(name, '.json'),
      JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as readonly Scenario[],
    ]);
}
