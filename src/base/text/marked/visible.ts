/**
 * One line in which every character can be seen: characters that move the cursor, are invisible or change the writing
 * direction become `\n`, `\r`, `\t`, `\x1b`, `\u202e` or `\u{e0041}`. A backslash is doubled where it would read as one
 * of these. Reversible: nothing is dropped. In a JSON text in quotes they become escapes of JSON, so that a person can copy it.
 */
export function visible(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(hiddenOrBackslash, (match) => {
    if (match.startsWith('"')) return match.replace(hidden, (one) => shown(one, unicodeEscapes));
    return shown(match, escaped);
  });
}

/**
 * An argument vector as one unambiguous line: an argument with anything but letters, digits and harmless punctuation is
 * quoted, with `\"` and `\\` inside. Many blanks become their count, because a line hides behind them what comes next.
 */
export function quotedArguments(argv: readonly string[]): string {
  return argv
    .map((argument) => (plainArgument.test(argument) ? argument : `"${argument.replace(hiddenOrQuote, escaped)}"`))
    .join(' ');
}

/** The same as `visible`, with many blanks as their count. */
export function visibleWhole(text: string): string {
  return visible(text).replace(blanks, escaped);
}

/** The same JSON for a terminal: `JSON.stringify` escapes the first 32 characters only. */
export function visibleJson(json: string): string {
  return json.replace(hiddenInJson, unicodeEscapes);
}

/**
 * A text of many lines for a model: lines, tabs and backslashes stay; what a person would not see is written out, so
 * that it cannot speak to the model alone.
 */
export function visibleLines(text: string): string {
  return visibleJson(text).replace(/[^\P{Cc}\n\t]/gu, unicodeEscapes);
}

function shown(character: string, escape: (character: string) => string): string {
  return keptEmoji.test(character) ? character : escape(character);
}

/** JSON's own escapes, one for each UTF-16 unit. */
function unicodeEscapes(characters: string): string {
  return [...Array(characters.length).keys()]
    .map((index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}

function escaped(character: string): string {
  if (character.length >= manyBlanks) return `\\{${character.length} blanks}`;
  const short = shorts[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`;
}

const shorts: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\', '"': '\\"' };
/** So many blanks push the rest of a line out of sight. */
const manyBlanks = 21;
/** Fast path for nearly every text: nothing in it needs an escape. */
const plain = /^[ -[\]-~]*$/;
const plainArgument = /^[\p{L}\p{N}_@%+=:./-]+$/u;

/** Includes spaces that look like U+0020. The ideographic space is wide and ordinary in its scripts: not included. */
const unseen = String.raw`\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u{1d159}`;
/** An emoji with the selector for its coloured form, the one invisible character that people write every day. */
const emoji = String.raw`\p{Extended_Pictographic}\ufe0f`;
const keptEmoji = new RegExp(`^${emoji}$`, 'u');
const backslash = String.raw`\\(?=[\\nrt]|x[\da-f]{2}|u[\da-f]{4}|u\{|[\p{Cc}${unseen}]|$)`;
const jsonText = String.raw`"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const hidden = new RegExp(String.raw`${emoji}|[\p{Cc}${unseen}]`, 'gu');
const hiddenOrBackslash = new RegExp(`${jsonText}|${backslash}|${hidden.source}`, 'gu');
const blanks = new RegExp(String.raw`[ \u3000]{${manyBlanks},}`, 'gu');
const hiddenOrQuote = new RegExp(String.raw`[ \u3000]{${manyBlanks},}|["\\\p{Cc}${unseen}]`, 'gu');
/** Without line feeds: those of the layout stay, and those in strings are escaped already. */
const hiddenInJson = new RegExp(String.raw`[\u007f-\u009f${unseen}]`, 'gu');
