import {
  formatHint,
  lineEndsHint,
  mergeHint,
  pointerHint,
  sealFormatHint,
  evidenceNames,
} from '../../contracts/vocabulary/files/evidenceFiles';
import { pullStep, sideStep } from '../../contracts/vocabulary/codes/evidenceFindings';
import { parseJsonText, jsonLimits } from '../documents/json';
import { holdsInAnotherForm, sealHolds, sha256Of } from '../files/bytes/sha256';
import { canonicalText, documentText } from '../../base/json';
import { executionHeaderSchema } from '../../contracts/record/header';
import { milestoneEvidenceSchema } from '../../contracts/milestoneEvidence';
import { taskEvidenceSchema } from '../../contracts/taskEvidence';

/** Explains why a file of the evidence has another digest; null: the digest does not prove its content. */
export function explainedDigest(name: string, bytes: Uint8Array, digest: string): string | null {
  const text = Buffer.from(bytes).toString('latin1');
  if (lfsPointer.exec(text)?.[1]?.toUpperCase() === digest.toUpperCase()) return pointerHint;
  if (conflict.test(text)) return mergeHint;
  return explained(name, bytes, (form) => sha256Of(form) === digest.toUpperCase(), formatHint);
}

/** Returns what brings a file back that is no JSON, because git left something else there; null: git did not. */
export function gitStep(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes).toString('latin1');
  return lfsPointer.test(text) ? pullStep : conflict.test(text) ? sideStep : null;
}

const conflict = /^<{7} [^]*^={7}\r?$[^]*^>{7} /m;

/** Source: git-lfs, docs/spec.md. */
const lfsPointer = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)?oid sha256:([0-9a-f]{64})\n/;

/** Explains a header whose seal does not hold; null: no form of the header holds it. */
export function explainedSeal(name: string, bytes: Uint8Array): string | null {
  return explained(name, bytes, (form) => sealHolds(form) === true, sealFormatHint);
}

/** Explains an approved plan with other bytes, also by the recorded digest of its content, or by a copy. */
export function explainedPlan(
  name: string,
  bytes: Uint8Array,
  digest: string,
  recorded: { readonly copies: readonly Uint8Array[]; readonly canonical_sha256: string | null },
): string | null {
  const known = explainedDigest(name, bytes, digest);
  if (known !== null) return known;
  const { canonical_sha256 } = parseJsonText(bytes);
  if (canonical_sha256 === null) return null;
  if (recorded.canonical_sha256?.toUpperCase() === canonical_sha256) return formatHint;
  return recorded.copies
    .filter((copy) => sha256Of(copy) === digest.toUpperCase())
    .some((copy) => parseJsonText(copy).canonical_sha256 === canonical_sha256)
    ? formatHint
    : null;
}

function explained(
  name: string,
  bytes: Uint8Array,
  holds: (form: Uint8Array) => boolean,
  onlyFormat: string,
): string | null {
  if (holdsInAnotherForm(bytes, holds)) return lineEndsHint;
  return ownForms(name, bytes).some(holds) ? onlyFormat : null;
}

/** Returns the bytes that our writers make of a file's content; several where the file does not show which. */
function ownForms(name: string, bytes: Uint8Array): readonly Uint8Array[] {
  if (name.endsWith('.md')) return bytes.byteLength > jsonLimits.bytes ? [] : trimmedMarkdown(bytes);
  if (!name.endsWith('.json')) return [];
  const { value, canonical_sha256 } = parseJsonText(bytes);
  // Without a canonical digest the value has less than the text, so it could hide a difference.
  if (canonical_sha256 === null) return [];
  const inOrder = documentText(value);
  const ordered = inOrderOfContract(name, value);
  // An approved plan comes from a person or a tool, and often has no newline at its end.
  const texts = name === evidenceNames.lockedPlan ? [inOrder, inOrder.trimEnd()] : [inOrder, ordered];
  return texts.flatMap((text) => (text === null ? [] : [Buffer.from(text)]));
}

/** The text with its keys in the order of the contract; null: the document has no contract. */
function inOrderOfContract(name: string, value: unknown): string | null {
  const parsed = schemaOf(name)?.safeParse(value);
  // Refuses a value from which the schema dropped fields, because its text says less than the file.
  return parsed?.success === true && canonicalText(parsed.data) === canonicalText(value)
    ? documentText(parsed.data)
    : null;
}

function schemaOf(
  name: string,
): typeof executionHeaderSchema | typeof taskEvidenceSchema | typeof milestoneEvidenceSchema | null {
  if (name === evidenceNames.header) return executionHeaderSchema;
  if (/^TASK_.+\.json$/.test(name)) return taskEvidenceSchema;
  return /^MILESTONE_.+\.json$/.test(name) ? milestoneEvidenceSchema : null;
}

/**
 * Our own forms of a Markdown text: no blanks at line ends, one newline at the end, table cells without padding; the
 * second form keeps the blanks in lines of code.
 */
function trimmedMarkdown(bytes: Uint8Array): readonly Uint8Array[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const lines = (text.startsWith(mark) ? text.slice(mark.length) : text).replaceAll('\r\n', '\n').split('\n');
  return [trimmed(lines, withoutBlanksAtEnd), trimmed(lines, (line) => line)];
}

const mark = '\u00ef\u00bb\u00bf';

/** @param inCode makes the new line of each line between two fences */
function trimmed(lines: readonly string[], inCode: (line: string) => string): Uint8Array {
  const written: string[] = [];
  let fence: string | null = null;
  for (const line of lines) {
    const short = withoutBlanksAtEnd(line);
    if (fence === null) {
      fence = /^`{3,}/.exec(short)?.[0] ?? null;
      written.push(withoutPadding(short));
    } else if (short === fence) {
      fence = null;
      written.push(short);
    } else written.push(inCode(line));
  }
  while (written.at(-1) === '') written.pop();
  return Buffer.from(`${written.join('\n')}\n`, 'latin1');
}

/** Returns a row of a table as our writer makes it, because a formatter pads cells to their column's width. */
function withoutPadding(line: string): string {
  if (!line.startsWith('|') || !line.endsWith('|') || line.length < 2) return line;
  const cells = line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => withoutBlanksAtEnd(cell.replace(/^[ \t]+/, '')));
  const ruled = cells.every((cell) => /^-+$/.test(cell));
  return `| ${(ruled ? cells.map(() => '---') : cells).join(' | ')} |`;
}

// A loop, because `/[ \t]+$/` takes quadratic time on a long run of blanks inside a line.
function withoutBlanksAtEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
