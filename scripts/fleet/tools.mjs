// What the trial and the tests of a fleet need: PostgreSQL, and the engines of test/tools/fleet.
import { createRequire } from 'node:module';
import path from 'node:path';
import { installedOnce } from '../npm-tools.mjs';
import { postgresForTests } from '../postgres.mjs';
import { tried } from '../tried.mjs';

/**
 * Fetches both once.
 *
 * @param {string} root the repository root
 * @returns {Promise<{ postgres: import('../postgres.mjs').PostgresPrograms, packages: (name: string) => unknown }
 *   | { missing: string }>} packages: loads one by its name
 */
export async function fleetTools(root) {
  const tools = path.join(root, 'test/tools/fleet');
  const missing =
    (await tried(() => installedOnce(tools))) ?? (await tried(() => postgresForTests(root).missing ?? null));
  if (missing !== null) return { missing };
  return { postgres: postgresForTests(root), packages: createRequire(path.join(tools, 'package.json')) };
}
