/**
 * For the environment of programs that tests start: what V8 made of the built files, where `npm test` keeps it for one
 * run (scripts/side-by-side.mjs). Node reads it by the digest of the file, so that it changes the time of a start and
 * nothing else.
 */
export const compileCache: Readonly<Record<string, string>> =
  process.env['NODE_COMPILE_CACHE'] === undefined ? {} : { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };
