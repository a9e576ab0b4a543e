/** Whether a text only stands where another one belongs, as a whole. Source: facts C6, "no placeholders". */
export function isPlaceholder(text: string | null | undefined): boolean {
  return /^(?:\.{3}|…|(?:todo|fixme)(?::.*)?|tbd|tba|xxx+|lorem ipsum.*|placeholder|<[a-z _-]{1,60}>)[.!]?$/i.test(
    (text ?? '').trim(),
  );
}
