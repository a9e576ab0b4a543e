import { compareVersions } from '../base/versions';

/** How a detected version compares with the range that was tested. */
export type VersionStanding = 'tested' | 'older' | 'newer' | 'unknown';

/**
 * The first `major.minor.patch` in what `--version` printed, or null. Seen: `2.1.328 (Claude Code)`,
 * `codex-cli 0.169.0`, `0.61.0`. Only the first 4096 characters are read.
 */
export function parseVersion(output: string): string | null {
  const found = /(?:^|[^\d.])(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])/.exec(output.slice(0, 4096));
  return found === null ? null : `${Number(found[1])}.${Number(found[2])}.${Number(found[3])}`;
}

/** Outside the closed range `tested` a person is warned; nothing is refused. */
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
