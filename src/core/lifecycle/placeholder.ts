/**
 * Returns whether a text only stands where another one belongs, as a whole; what follows a mark counts where it is
 * written as one: `TODO: run it`, and not `Todo: the list renders`. Source: seed 004, "no placeholders".
 */
export function isPlaceholder(text: string | null | undefined): boolean {
  const whole = (text ?? '').trim();
  return /^(?:TODO|FIXME|todo|fixme):/.test(whole) || forms.test(whole);
}

const forms = /^(?:\.{3}|…|todo|fixme|tbd|tba|xxx+|lorem ipsum.*|placeholder|<[a-z _-]{1,60}>)[.!]?$/i;
