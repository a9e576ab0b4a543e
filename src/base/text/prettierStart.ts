/** Lines for a `.prettierignore`; its name is relative to the workspace folder, POSIX. */
interface PrettierLines {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Says for which start of Prettier the lines in a file hold, and what another start needs. */
export function otherStart(name: string, other: PrettierLines): string {
  const folder = other.name.replace(/\/?[^/]*$/, '') || 'the workspace folder';
  return `Prettier reads ${name} only where it starts in the folder of that file. For a start in ${folder}, add ${other.lines.join(' and ')} to ${other.name} as well.`;
}
