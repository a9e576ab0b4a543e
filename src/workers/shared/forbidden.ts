import type { ForbiddenArguments } from '../worker';

/**
 * The arguments that would switch a CLI's safety off (decision 9), by the rules of all CLIs; empty when the line may be
 * used. Matching is broad on purpose: a harmless argument that contains one of the words is refused as well.
 */
export function forbiddenAmong(args: readonly string[], rules: readonly ForbiddenArguments[]): string[] {
  return args.filter((arg, index) => {
    const lower = arg.toLowerCase();
    const previous = index > 0 ? (args[index - 1] ?? '') : '';
    return rules.some((rule) => isForbidden(lower, previous, rule));
  });
}

function isForbidden(lower: string, previous: string, rule: ForbiddenArguments): boolean {
  const squeezed = squeeze(lower);
  const before = squeeze(previous.toLowerCase());
  return (
    (rule.fragments ?? []).some((word) => squeezed.includes(word)) ||
    (rule.options ?? []).some((option) => isOption(lower, option)) ||
    (rule.modes ?? []).some(
      ({ option, value }) =>
        squeezed === value || squeezed.endsWith(`=${value}`) || (before === option && squeezed.includes(value)),
    ) ||
    (rule.configKeys ?? []).some((key) => isConfig(lower, previous, key))
  );
}

/**
 * With one dash or two, with or without a value. The parsers of most CLIs read `--no-yolo` and `--yolo.x=1` as values
 * of `yolo`, too. A single letter also among others and with its value attached: `-dy`, `-y/x`.
 */
function isOption(lower: string, option: string): boolean {
  const name = /^--?(?:no-)?([^=.]*)/.exec(lower)?.[1];
  if (name === option) return true;
  return option.length === 1 && new RegExp(`^-[a-z]{0,3}${option}(?:[a-z]{0,3}|[^a-z].*)$`, 's').test(lower);
}

function isConfig(lower: string, previous: string, forbidden: string): boolean {
  const attached = /^(?:-c=?|--config=)(.+)$/s.exec(lower);
  const assignment = attached?.[1] ?? (previous === '-c' || previous === '--config' ? lower : null);
  if (assignment === null) return false;
  const key = (assignment.split('=', 1)[0] ?? '').replaceAll(/["'\s]/g, '');
  return key.split('.').includes(forbidden);
}

/** Leaves out dashes, underscores, blanks, quotes and colons, so that they hide no word. */
function squeeze(text: string): string {
  return text.replaceAll(/[-_\s"':]/g, '');
}
