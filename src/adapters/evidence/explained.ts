import { formatHint, lineEndsHint, sealFormatHint } from '../../contracts/vocabulary/evidenceFiles';
import { parseJsonText } from '../documents/json';
import { holdsInAnotherForm } from '../files/lineEnds';
import { sealHolds } from '../files/seal';
import { sha256Of } from '../files/sha256';
import { ownForms } from './ownForms';

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
