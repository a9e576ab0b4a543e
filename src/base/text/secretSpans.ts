import type { SecretPattern } from '../../contracts/vocabulary/files/secretPatterns';

export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/**
 * Finds where secrets stand in a text: sorted; overlapping spans are merged and keep the kind of the first. Colours,
 * NUL and invisible characters inside or beside a key do not hide it: the function tries the patterns on the text as it
 * is, without them, and with spaces in their place. Linear in the length of the text.
 */
export function secretSpans(text: string, patterns: readonly SecretPattern[]): readonly SecretSpan[] {
  const found: SecretSpan[] = [];
  const add = (start: number, end: number, kind: string): void => void found.push({ start, end, kind });
  search(text, patterns, add);
  if (!plain.test(text)) {
    const spaced = text.replace(between, spaces);
    if (spaced !== text) search(spaced, patterns, add);
    const joined = without(text);
    if (joined !== null)
      search(joined.text, patterns, (start, end, kind) =>
        found.push({ start: joined.at(start), end: joined.at(end - 1) + 1, kind }),
      );
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: SecretSpan[] = [];
  for (const span of found) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) merged.push(span);
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end };
  }
  return merged;
}

function search(
  text: string,
  patterns: readonly SecretPattern[],
  add: (start: number, end: number, kind: string) => void,
): void {
  for (const { kind, pattern, value, needs } of patterns) {
    if (needs !== undefined && !text.includes(needs)) continue;
    for (const match of text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const start = value === true ? end - (match.at(-1)?.length ?? 0) : match.index;
      if (end > start) add(start, end, kind);
    }
  }
}

/** The text without invisible characters, and where each character of it stands in the original. */
function without(text: string): { readonly text: string; at(index: number): number } | null {
  const starts: number[] = [];
  const gaps: number[] = [];
  let kept = '';
  let from = 0;
  let gone = 0;
  for (const match of text.matchAll(unseen)) {
    kept += text.slice(from, match.index);
    from = match.index + match[0].length;
    gone += match[0].length;
    starts.push(kept.length);
    gaps.push(gone);
  }
  if (gone === 0) return null;
  return {
    text: kept + text.slice(from),
    at(index) {
      let low = 0;
      let high = starts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= index) low = middle + 1;
        else high = middle;
      }
      return index + (gaps[low - 1] ?? 0);
    },
  };
}

/** An escape character, raw or as JSON spells it; `sequence` adds what a terminal reads along with it. */
const escape = String.raw`(?:\u001b|\\u001[bB]|\\x1[bB]|\\033)`;
const sequence = String.raw`(?:${escape}\[|\u009b)[0-?]{0,32}[ -/]{0,4}[@-~]|${escape}[\]PX^_][^\u0007\u001b\n"]{0,300}?(?:\u0007|\\u0007|${escape}\\{1,2})|${escape}[ #%()*+./-][0-[\]-~]`;
/** Unusual spaces count as invisible; line feed, tab and the plain space separate words. */
const characters = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\p{Cf}\p{Default_Ignorable_Code_Point}]`;
const spelled = String.raw`\\r|\\u(?:000[0-8b-fB-F]|001[0-9a-fA-F]|00[89][0-9a-fA-F]|00[aA][0dD]|1680|200[0-9a-fA-F]|202[89a-fA-F]|205[fF]|206[0-9a-fA-F]|2800|[fF][eE]0[0-9a-fA-F]|[fF][eE][fF][fF])`;
/** Printable ASCII without a backslash, as most output is: it holds nothing invisible. */
const plain = /^[\t\n -[\]-~]*$/;
/** A run counts as one: a text may be nothing but blanks of this kind. Bounded, as is what the matcher remembers. */
const unseen = new RegExp(`(?:${sequence}|${characters}|${spelled}){1,256}`, 'gu');
/** Line ends and tabs as JSON spells them separate words too. */
const between = new RegExp(String.raw`(?:${sequence}|${characters}|${spelled}|\\t){1,256}|\\n`, 'gu');

function spaces(match: string): string {
  return match === String.raw`\n` ? '\n ' : ' '.repeat(match.length);
}
