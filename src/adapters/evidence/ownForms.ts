import { canonicalText } from '../../base/canonicalText';
import { documentText } from '../../base/json';
import { executionHeaderSchema } from '../../contracts/header';
import { milestoneEvidenceSchema } from '../../contracts/milestoneEvidence';
import { taskEvidenceSchema } from '../../contracts/taskEvidence';
import { evidenceNames } from '../../contracts/vocabulary/evidenceFiles';
import { jsonLimits, parseJsonText } from '../documents/json';
import { trimmedMarkdown } from './trimmedMarkdown';

/** Returns the bytes that our writers make of a file's content; several where the file does not show which. */
export function ownForms(name: string, bytes: Uint8Array): readonly Uint8Array[] {
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
