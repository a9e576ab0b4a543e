import type { Place } from './facts';

/**
 * Replaces absolute paths of the machine by names, longest first, because evidence is committed. Leaves a path alone
 * that follows a name already (`<workspace>/tmp`).
 */
export function placed(text: string, places: readonly Place[]): string {
  const longestFirst = [...places].filter((place) => place.path !== '').sort((a, b) => b.path.length - a.path.length);
  return longestFirst.reduce((result, { path, name }) => {
    const found = new RegExp(`(?<!<[^<>\\s]+>[^\\s"'=,:;<>]*)${path.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`, 'g');
    return result.replaceAll(found, () => name);
  }, text);
}
