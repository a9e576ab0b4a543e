import { formatHint, lineEndsHint, sealFormatHint, evidenceNames } from '../../contracts/vocabulary/evidenceFiles';
import { parseJsonText, jsonLimits } from '../documents/json';
import { holdsInAnotherForm } from '../files/lineEnds';
import { sealHolds } from '../files/seal';
import { sha256Of } from '../files/sha256';
import { canonicalText } from '../../base/canonicalText';
import { documentText } from '../../base/json';
import { executionHeaderSchema } from '../../contracts/header';
import { milestoneEvidenceSchema } from '../../contracts/milestoneEvidence';
import { taskEvidenceSchema } from '../../contracts/taskEvidence';
import { trimmedMarkdown } from './trimmedMarkdown';

/** Explains why a file of the evidence has another digest; null: the digest does not prove its content. */
export function explainedDigest(name: string, bytes: Uint8Array, digest: string): string | null {
  return explained(name, bytes, (form) => sha256Of(form) === digest.toUpperCase(), formatHint);
}

/** Explains a header whose seal does not hold; null: no form of the header holds it. */
export function explainedSeal(name: string, bytes: Uint8Array): string | null {
  return explained(name, bytes, (form) => sealHolds(form) === true, sealFormatHint);
}

/**
 * Explains an approved plan with other bytes. The recorded digest of its content proves it as well, and so does a copy
 * with the recorded digest.
 */
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

/**
 * The text with its keys in the order of the contract, as our writers order them; null: the document has no contract.
 */
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
