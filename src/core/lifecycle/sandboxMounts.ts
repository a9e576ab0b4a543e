/** Words of bubblewrap that put something in a place, with the number of their arguments; the last one is the place. */
const mounts: Readonly<Record<string, { readonly arguments: number; readonly writable: boolean }>> = {
  '--bind': { arguments: 2, writable: true },
  '--tmpfs': { arguments: 1, writable: true },
  '--dev': { arguments: 1, writable: true },
  '--ro-bind': { arguments: 2, writable: false },
  '--ro-bind-try': { arguments: 2, writable: false },
  '--dev-bind': { arguments: 2, writable: true },
  '--proc': { arguments: 1, writable: false },
  '--overlay': { arguments: 3, writable: true },
  '--remount-ro': { arguments: 1, writable: false },
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
    if (place === undefined) continue;
    if (covers) found.push(place);
    // A state folder of ours, in which no program looks for anything.
    if (word === '--remount-ro') found.splice(0, found.length, ...found.filter((one) => one !== place));
  }
  return [...new Set(found)].filter((place) => !place.startsWith('/proc/'));
}

/**
 * Returns whether bubblewrap's command line keeps a place read-only; false where it says nothing of it. The deepest
 * counts.
 */
export function isReadOnlyIn(argv: readonly string[], absolute: string): boolean {
  const found = deepestIn(argv, absolute);
  return found !== null && !found.writable;
}

/**
 * Says how bubblewrap's command line hides what the machine has in a place: it covers the place itself, as it does a
 * socket, or shows something else around it. Null: it hides nothing there.
 */
export function hiddenIn(argv: readonly string[], absolute: string): 'covered' | 'around' | null {
  const found = deepestIn(argv, absolute);
  if (found === null || found.from === found.at) return null;
  return found.at === absolute && found.from === '/dev/null' ? 'covered' : 'around';
}

/** Returns what bubblewrap mounts nearest around a place; of several there the last counts. */
function deepestIn(argv: readonly string[], absolute: string): Found | null {
  let deepest: Found | null = null;
  for (let index = 0; index < argv.length && argv[index] !== '--'; index += 1) {
    const mount = mounts[argv[index] ?? ''];
    if (!mount) continue;
    const from = mount.arguments === 2 ? (argv[index + 1] ?? null) : null;
    index += mount.arguments;
    const at = argv[index];
    if (at === undefined || !`${absolute}/`.startsWith(at === '/' ? '/' : `${at}/`)) continue;
    const depth = at === '/' ? 0 : at.split('/').length;
    if (deepest === null || depth >= deepest.depth) deepest = { at, from, depth, writable: mount.writable };
  }
  return deepest;
}

interface Found {
  readonly at: string;
  /** Where it lies outside; null: nowhere. */
  readonly from: string | null;
  readonly depth: number;
  readonly writable: boolean;
}
