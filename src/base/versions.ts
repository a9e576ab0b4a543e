/** Negative when `left` is older than `right`, 0 when equal; null when either is no `major.minor.patch`. */
export function compareVersions(left: string, right: string): number | null {
  const a = numbersOf(left);
  const b = numbersOf(right);
  if (a === null || b === null) return null;
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

function numbersOf(version: string): Version | null {
  const found = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(version);
  return found === null ? null : { major: Number(found[1]), minor: Number(found[2]), patch: Number(found[3]) };
}
