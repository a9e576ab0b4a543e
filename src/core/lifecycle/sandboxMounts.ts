/** Words of bubblewrap that put something in a place, with the number of their arguments; the last one is the place. */
const mounts: Readonly<Record<string, { readonly arguments: number; readonly writable: boolean }>> = {
  '--bind': { arguments: 2, writable: true },
  '--tmpfs': { arguments: 1, writable: true },
  '--dev': { arguments: 1, writable: true },
  '--ro-bind': { arguments: 2, writable: false },
  '--ro-bind-try': { arguments: 2, writable: false },
  '--proc': { arguments: 1, writable: false },
};

/** The places that bubblewrap's command line shows empty or covers, in its order; not those that every process gets. */
export function hiddenPlacesIn(argv: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let index = 0; index < argv.length && argv[index] !== '--'; index += 1) {
    const word = argv[index] ?? '';
    const mount = mounts[word];
    if (!mount) continue;
    const covers = word === '--tmpfs' || (word === '--ro-bind' && argv[index + 1] === '/dev/null');
    index += mount.arguments;
    const place = argv[index];
    if (covers && place !== undefined) found.push(place);
  }
  return [...new Set(found)];
}

/**
 * Returns whether bubblewrap's command line keeps a place read-only; false where it says nothing of it. The deepest
 * counts.
 */
export function isReadOnlyIn(argv: readonly string[], absolute: string): boolean {
  let deepest = -1;
  let readOnly = false;
  for (let index = 0; index < argv.length && argv[index] !== '--'; index += 1) {
    const mount = mounts[argv[index] ?? ''];
    if (!mount) continue;
    index += mount.arguments;
    const place = argv[index];
    if (place === undefined || !`${absolute}/`.startsWith(place === '/' ? '/' : `${place}/`)) continue;
    const depth = place === '/' ? 0 : place.split('/').length;
    if (depth >= deepest) [deepest, readOnly] = [depth, !mount.writable];
  }
  return readOnly;
}
