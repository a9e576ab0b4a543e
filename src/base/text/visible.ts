/**
 * One line in which every character can be seen: what moves the cursor, hides, turns the direction of writing or joins
 * invisibly stands as `\n`, `\r`, `\t`, `\x1b`, `\u202e` or `\u{e0041}`. A backslash is doubled where it would read as
 * one of these, so that the exact text can be told from what is shown. Never drops anything.
 */
export function visible(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(hiddenOrBackslash, (match) => (keptEmoji.test(match) ? match : escaped(match)));
}

/**
 * An argument vector as one line that can be read in one way only: an argument that is more than letters, digits and
 * harmless punctuation stands in quotes, with `\"` and `\\` inside. Nothing is shortened.
 */
export function quotedArguments(argv: readonly string[]): string {
  return argv
    .map((argument) => (plainArgument.test(argument) ? argument : `"${argument.replace(hiddenOrQuote, escaped)}"`))
    .join(' ');
}

/**
 * JSON text whose strings hold nothing that a terminal acts on; the values are the same. `JSON.stringify` escapes the
 * first 32 characters only.
 */
export function visibleJson(json: string): string {
  return json.replace(hiddenInJson, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

function escaped(character: string): string {
  const short = shorts[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
}

const shorts: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\', '"': '\\"' };
/** What nearly every text is made of: nothing in it has to be looked up. */
const plain = /^[ -[\]-~]*$/;
const plainArgument = /^[\p{L}\p{N}_@%+=:./-]+$/u;

/** Spaces that pass for U+0020 are hidden too; the ideographic space is wide, and ordinary in its scripts. */
const unseen = String.raw`\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800`;
/** The colour of an emoji, right behind it: the one invisible character that people write every day. */
const emoji = String.raw`\p{Extended_Pictographic}\ufe0f`;
const keptEmoji = new RegExp(`^${emoji}$`, 'u');
const backslash = String.raw`\\(?=[\\nrt]|x[\da-f]{2}|u[\da-f]{4}|u\{|[\p{Cc}${unseen}]|$)`;
const hiddenOrBackslash = new RegExp(String.raw`${emoji}|${backslash}|[\p{Cc}${unseen}]`, 'gu');
const hiddenOrQuote = new RegExp(String.raw`["\\\p{Cc}${unseen}]`, 'gu');
/** Line feeds of the layout stay: inside a string they are escaped already. */
const hiddenInJson = new RegExp(String.raw`[\u007f-\u009f${unseen}]`, 'gu');
