import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Scenario } from './scenario';

/** All scenarios, by the name of their file. */
export function cases(): readonly (readonly [string, readonly Scenario[]])[] {
  const folder = path.join(process.cwd(), 'test/scenarios/cases');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [
      path.basename(name, '.json'),
      JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as readonly Scenario[],
    ]);
}
