/**
 * Returns whether a text of a CLI's own begins with one of its denials. Skips the names of errors
 * that the CLI puts before them. A denial further on may be quoted from a file, a command or the
 * model (`cat: x: Permission denied`), so it does not count.
 *
 * @param denial a pattern that begins with `^`
 */
export function beginsWith(text: string, denial: RegExp): boolean {
  const start = text.slice(0, 10_000);
  return denial.test(start.slice(errorNames.exec(start)?.[0].length ?? 0));
}

const errorNames =
  /^(?:(?:[Ff]atal error|[Ee]rror|[A-Z]\w{0,40}Error|E[A-Z]{3,9}|Error (?!executing )[a-z][^:'"\n]{0,200}|Failed to [^:'"\n]{1,200}|An unexpected critical error occurred): ?){1,4}/;
