import assert from 'node:assert/strict';
import type { Habitat } from './habitat';
import { habitats } from './habitats';

/** The habitats with these names, in this order. */
export function named(...names: readonly string[]): readonly Habitat[] {
  return names.map((name) => habitats.find((habitat) => habitat.name === name) ?? assert.fail(name));
}

/** What `npm test` visits: where most people work. */
export const everyday = named('ES module package', 'linked worktree', 'nested repositories');
/** The same by a plan that requires a sandbox. */
export const everydayConfined = named('root', 'an unprivileged user');

/** Two repositories whose tools meet the sandbox, by plans that require one. */
export const languages = named('Python: a .venv', 'pnpm: node_modules of hard links into the store below HOME');

/** Those that are not visited every day. */
export function others(habitats: readonly Habitat[]): readonly Habitat[] {
  return habitats.filter((habitat) => ![...everyday, ...languages].includes(habitat));
}
