import type { Context } from 'mocha';

/** Read by scripts/mocha-reporter.mjs on a test or on any suite around it. */
interface Skippable {
  skipReason?: string;
}

/**
 * Reports the running test as skipped, with the reason that `npm test` lists. In a `before` hook it skips the
 * whole suite. A test skipped in any other way counts as failed: nothing is left out silently.
 */
export function skipWithReason(context: Context, reason: string): never {
  const running = context.test;
  const wholeSuite = running?.title.startsWith('"before all"') === true;
  const target = wholeSuite ? running.parent : (context.currentTest ?? running);
  if (target !== undefined) (target as Skippable).skipReason = reason;
  return context.skip();
}
