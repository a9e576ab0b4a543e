/**
 * Returns whether a text is nothing but a placeholder. Text after a mark makes it one only where the mark is written as
 * marks are: `TODO: run it`, and not `Todo: the list renders`. Source: seed 004, "no placeholders".
 */
export function isPlaceholder(text: string | null | undefined): boolean {
  const whole = (text ?? '').trim();
  return /^(?:TODO|FIXME|todo|fixme):/.test(whole) || forms.test(whole);
}

const forms = /^(?:\.{3}|…|todo|fixme|tbd|tba|xxx+|lorem ipsum.*|placeholder|<[a-z _-]{1,60}>)[.!]?$/i;
