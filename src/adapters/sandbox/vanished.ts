import { existsSync } from 'node:fs';

/** How many arguments follow the options of bubblewrap that cover a socket, or empty a folder of sockets. */
const covers: Readonly<Record<string, number>> = { '--ro-bind': 2, '--tmpfs': 1 };

/**
 * Leaves out the covers of sockets that are gone by now: they come and go, and bubblewrap ends when it has nothing to
 * cover. Call it right before the start, and again when that failed: the line is shorter if one vanished meanwhile.
 */
export function withoutVanished(argv: readonly string[], exists: (path: string) => boolean = existsSync): string[] {
  const kept: string[] = [];
  for (let at = 0; at < argv.length;) {
    const word = argv[at] ?? '';
    const values = argv.slice(at + 1, at + 1 + (covers[word] ?? 0));
    const place = values.at(-1);
    const isCover = word === '--tmpfs' || values[0] === '/dev/null';
    if (!(isCover && place !== undefined && !exists(place))) kept.push(word, ...values);
    at += 1 + values.length;
  }
  return kept;
}
