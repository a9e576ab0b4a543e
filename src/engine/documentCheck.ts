import { recoveryPacketSchema } from '../contracts/recoveryPacket';
import type { DocumentName } from '../contracts/schemas';
import type { Finding } from '../core/plan/finding';
import { packetFindings } from '../core/recovery/packetRules';

/** Documents other than plans that `mission check` takes, by the word used there. */
export const checkedDocuments = {
  header: 'execution-header',
  'task-evidence': 'task-evidence',
  'recovery-packet': 'recovery-packet',
  result: 'result',
} as const satisfies Readonly<Record<string, DocumentName>>;
export type CheckedDocument = keyof typeof checkedDocuments;

/** A document as text and value, and the judge of its shape. */
export interface DocumentText {
  readonly value: unknown;
  readonly findings: readonly Finding[];
  locate(findings: readonly Finding[]): readonly Finding[];
}

export interface DocumentCheck {
  readonly valid: boolean;
  /** `OK`, or the code of the first error in document order. */
  readonly code: string;
  readonly findings: readonly Finding[];
}

/** Everything that is wrong with a document: its text, its shape, and the rules beyond the shape. Never throws. */
export function checkDocument(
  kind: CheckedDocument,
  text: DocumentText,
  checkShape: (name: DocumentName, value: unknown) => readonly Finding[],
): DocumentCheck {
  const content =
    text.value === undefined ? [] : [...checkShape(checkedDocuments[kind], text.value), ...rules(kind, text.value)];
  const findings = [...text.locate([...text.findings, ...content])].sort(
    (left, right) => (left.offset ?? 0) - (right.offset ?? 0),
  );
  const primary = findings.find(({ severity }) => severity === 'error');
  return { valid: primary === undefined, code: primary?.code ?? 'OK', findings };
}

function rules(kind: CheckedDocument, value: unknown): readonly Finding[] {
  if (kind !== 'recovery-packet') return [];
  const packet = recoveryPacketSchema.safeParse(value);
  return packet.success ? packetFindings(packet.data, null) : [];
}
