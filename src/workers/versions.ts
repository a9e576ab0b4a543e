/** A CLI's version as numbers. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** How a detected version relates to the range an adapter was run against. */
export type VersionStanding = 'tested' | 'older' | 'newer' | 'unknown';

/**
 * The first `major.minor.patch` in what `--version` printed, or null. Seen: `2.1.328 (Claude Code)`,
 * `codex-cli 0.169.0`, `0.61.0`. Only the first 4096 characters are read.
 */
export function parseVersion(output: string): string | null {
  const found = /(?:^|[^\d.])(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(output.slice(0, 4096));
  return found === null ? null : `${Number(found[1])}.${Number(found[2])}.${Number(found[3])}`;
}

/** Negative when `left` is older than `right`, 0 when equal; null when either is no version. */
export function compareVersions(left: string, right: string): number | null {
  const a = numbersOf(left);
  const b = numbersOf(right);
  if (a === null || b === null) return null;
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

/** Outside the closed range the product warns; it does not refuse. */
export function versionStanding(
  version: string | null,
  tested: { readonly from: string; readonly to: string },
): VersionStanding {
  if (version === null) return 'unknown';
  const fromOrder = compareVersions(version, tested.from);
  const toOrder = compareVersions(version, tested.to);
  if (fromOrder === null || toOrder === null) return 'unknown';
  if (fromOrder < 0) return 'older';
  return toOrder > 0 ? 'newer' : 'tested';
}

function numbersOf(version: string): Version | null {
  const found = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(version);
  return found === null ? null : { major: Number(found[1]), minor: Number(found[2]), patch: Number(found[3]) };
}
