/**
 * Finds the file in what a file tool of a CLI written for Node.js says when the system refuses: `EROFS: read-only file
 * system, open 'F'`. Leaves out the name of a temporary file that would have taken its place.
 *
 * Only at the end of a text of one line: a text that goes on may quote a file or the model. A read-only mount of our
 * sandbox says EROFS. A file that is read-only among writable ones says EBUSY when another is renamed to its name. A
 * folder that cannot be made says ENOENT, where all folders above it were to be made.
 */
export function refusedFile(text: string): string | null {
  if (text.length > 20_000 || text.includes('\n')) return null;
  const found =
    /\b(?:(?:EROFS|EACCES|EPERM): [^,']{1,80}, [a-z]{1,20}|EBUSY: [^,']{1,80}, (?:rename|unlink|rmdir)|ENOENT: [^,']{1,80}, mkdir) '(.+)'(?: \([A-Z]{3,10}\))?$/.exec(
      text,
    );
  if (found === null) return null;
  const names = (found[1] ?? '').split("' -> '");
  return (names.at(-1) ?? '').replace(/\.tmp\.\d{1,10}\.[0-9a-f]{1,64}$/, '');
}
