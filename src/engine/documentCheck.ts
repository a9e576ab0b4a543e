import { recoveryPacketSchema } from '../contracts/recoveryPacket';
import { withoutExtensions } from '../contracts/result';
import type { DocumentName } from '../contracts/schemas';
import { assignmentFindings } from '../core/freshContext/assignment';
import { handoffFindings } from '../core/freshContext/handoff';
import { resultFindings } from '../core/freshContext/result';
import { contractCode, type ShapedDocument } from '../core/freshContext/verdict';
import { ledgerFindings } from '../core/ledger/reconcile';
import { lockFindings } from '../core/locks/validateLocks';
import type { Finding } from '../core/plan/finding';
import { packetFindings } from '../core/recovery/packetRules';
import { checkFailed } from './checkFailed';

/** Documents other than plans that `mission check` takes, by the word used there. */
export const checkedDocuments = {
  header: 'execution-header',
  'task-evidence': 'task-evidence',
  'recovery-packet': 'recovery-packet',
  result: 'result',
  assignment: 'assignment',
  handoff: 'handoff',
  ledger: 'ledger',
  locks: 'locks',
} as const satisfies Readonly<Record<string, DocumentName>>;
export type CheckedDocument = keyof typeof checkedDocuments;

/** Kinds of Fresh Context: shape and rules in one judgement, and a primary code that is one of its 14. */
const freshContext: { readonly [K in CheckedDocument]?: (document: ShapedDocument) => readonly Finding[] } = {
  result: resultFindings,
  assignment: assignmentFindings,
  handoff: handoffFindings,
  ledger: ledgerFindings,
  locks: lockFindings,
};

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

type CheckShape = (name: DocumentName, value: unknown) => readonly Finding[];

/** Everything that is wrong with a document: its text, its shape, and the rules beyond the shape. Never throws. */
export function checkDocument(kind: CheckedDocument, text: DocumentText, checkShape: CheckShape): DocumentCheck {
  try {
    return judge(kind, text, checkShape);
  } catch (error) {
    const code = freshContext[kind] === undefined ? 'CHECK_FAILED' : 'MISSING_VALIDATOR';
    return { valid: false, code, findings: [checkFailed(error)] };
  }
}

function judge(kind: CheckedDocument, text: DocumentText, checkShape: CheckShape): DocumentCheck {
  const content = text.value === undefined ? [] : contentFindings(kind, text.value, checkShape);
  const findings = [...text.locate([...text.findings, ...content])].sort(
    (left, right) => (left.offset ?? 0) - (right.offset ?? 0),
  );
  const primary = findings.find(({ severity }) => severity === 'error');
  if (primary === undefined) return { valid: true, code: 'OK', findings };
  const code = freshContext[kind] === undefined ? primary.code : contractCode(primary.code);
  return { valid: false, code, findings };
}

function contentFindings(kind: CheckedDocument, value: unknown, checkShape: CheckShape): readonly Finding[] {
  const judge = freshContext[kind];
  const shape = checkShape(checkedDocuments[kind], kind === 'result' ? withoutExtensions(value) : value);
  return judge === undefined ? [...shape, ...rules(kind, value)] : judge({ value, shape });
}

function rules(kind: CheckedDocument, value: unknown): readonly Finding[] {
  if (kind !== 'recovery-packet') return [];
  const packet = recoveryPacketSchema.safeParse(value);
  return packet.success ? packetFindings(packet.data, null) : [];
}
