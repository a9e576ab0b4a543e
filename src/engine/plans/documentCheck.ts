import type { DocumentName } from '../../contracts/schemas';
import { assignmentFindings, orchestratorOutputFindings } from '../../core/freshContext/assignment';
import { judgeDocument, contractCode, type ShapedDocument } from '../../core/documents/verdict';
import { handoffFindings } from '../../core/freshContext/handoff';
import { resultFindings } from '../../core/freshContext/result';
import { ledgerFindings } from '../../core/ledger/reconcile';
import { lockFindings } from '../../core/locks/validateLocks';
import type { Finding } from '../../core/documents/finding';
import { gatherFloods } from '../../core/plan/floods';
import { isObject } from '../../base/json';
import { sourceReportFindings, workerHandoffFindings } from '../../core/documents/sourceReports';
import { packetFindings } from '../../core/packets/rules';
import type { ModelPolicyDocument } from '../../contracts/modelPolicy';
import { compilePolicy } from '../../core/policy/compile';
import { shippedPolicy } from '../../core/policy/shipped';
import { judgeProject, type DecisionRecord } from '../../core/project/judge';
import { errorWords } from '../../base/outcome';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import type { ProjectReading } from '../../core/context/judgeContext';
import type { DriverProject, ProjectFiles, ProjectText } from '../ports/project';

/** Documents other than plans, by their name in `mission check`. */
export const checkedDocuments = {
  header: 'execution-header',
  'task-evidence': 'task-evidence',
  milestone: 'milestone-evidence',
  'recovery-packet': 'recovery-packet',
  'worker-handoff': 'worker-handoff',
  'validation-report': 'validation-report',
  result: 'result',
  assignment: 'assignment',
  handoff: 'handoff',
  ledger: 'ledger',
  locks: 'locks',
  'ai-project': 'ai-project',
  'model-policy': 'model-policy',
  'orchestrator-output': 'orchestrator-output',
  'task-event': 'task-event',
  'launch-ticket': 'launch-ticket',
  'inbox-command': 'inbox-command',
  'inbox-answer': 'inbox-answer',
  'exit-record': 'exit-record',
} as const satisfies Readonly<Record<string, DocumentName>>;
export type CheckedDocument = keyof typeof checkedDocuments;

/** Kinds of Fresh Context; one judge checks shape and rules, and answers with one of its 14 codes. */
const freshContext: { readonly [K in CheckedDocument]?: (document: ShapedDocument) => readonly Finding[] } = {
  result: resultFindings,
  assignment: assignmentFindings,
  handoff: handoffFindings,
  ledger: ledgerFindings,
  locks: lockFindings,
  'orchestrator-output': orchestratorOutputFindings,
  'task-event': (document) => judgeDocument(document, () => undefined),
};

/** A document as text and value. */
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

/** The files around the document; absent: the caller did not look. */
export interface DocumentSurroundings {
  readonly records?: readonly DecisionRecord[];
}

/** All findings about a document: its text, its shape, and the rules beyond. Never throws. */
export function checkDocument(
  kind: CheckedDocument,
  text: DocumentText,
  checkShape: CheckShape,
  around: DocumentSurroundings = {},
): DocumentCheck {
  try {
    return judge(kind, text, checkShape, around);
  } catch (error) {
    const code = freshContext[kind] === undefined ? 'CHECK_FAILED' : 'MISSING_VALIDATOR';
    return { valid: false, code, findings: [checkFailed(error)] };
  }
}

function judge(
  kind: CheckedDocument,
  text: DocumentText,
  checkShape: CheckShape,
  around: DocumentSurroundings,
): DocumentCheck {
  const content = text.value === undefined ? [] : contentFindings(kind, text.value, checkShape, around);
  const located = text.locate([...text.findings, ...content]);
  const findings = gatherFloods([...located].sort((left, right) => (left.offset ?? 0) - (right.offset ?? 0)));
  const primary = findings.find(({ severity }) => severity === 'error');
  if (primary === undefined) return { valid: true, code: 'OK', findings };
  const code = freshContext[kind] === undefined ? primary.code : contractCode(primary.code);
  return { valid: false, code, findings };
}

function contentFindings(
  kind: CheckedDocument,
  value: unknown,
  checkShape: CheckShape,
  { records }: DocumentSurroundings,
): readonly Finding[] {
  const judge = freshContext[kind];
  const shape = checkShape(checkedDocuments[kind], value);
  if (judge !== undefined) return judge({ value, shape });
  const rules =
    kind === 'recovery-packet' && isObject(value)
      ? packetFindings(value, null)
      : kind === 'worker-handoff' && isObject(value)
        ? workerHandoffFindings(value)
        : kind === 'validation-report' && isObject(value)
          ? sourceReportFindings(value)
          : kind === 'ai-project'
            ? judgeProject(value, records ?? null)
            : kind === 'model-policy' && shape.length === 0
              ? policyFindings(value)
              : [];
  // A rule's error about a value replaces the schema's error, because it says more.
  const spoken = new Set(rules.map(({ pointer }) => pointer));
  return [...shape.filter(({ code, pointer }) => code === 'MISSING_REQUIRED_INPUT' || !spoken.has(pointer)), ...rules];
}

/** Judges a policy as that of a machine, because only its reader knows whether it is a repository's that widens. */
function policyFindings(value: unknown): readonly Finding[] {
  // The cast holds, because the schema accepted the value, and schema and type have one source.
  const compiled = compilePolicy(shippedPolicy, value as ModelPolicyDocument);
  return compiled.ok ? [] : compiled.problems.map((problem) => ({ ...problem, severity: 'error' }));
}

/** The finding when the check itself fails on a document; other documents are not affected. */
export function checkFailed(error: unknown): Finding {
  const why = errorWords(error);
  return {
    code: 'CHECK_FAILED' satisfies FindingCode,
    severity: 'error',
    pointer: '',
    message: `The check itself failed (${why.slice(0, 200)}), so this document counts as not valid; please report it together with the file.`,
  };
}

/** Judges the content of ai.project.json, with the decision records beside it. */
export async function judgedProject(
  read: ProjectText,
  files: Pick<ProjectFiles | DriverProject, 'records' | 'checkShape'>,
): Promise<ProjectReading> {
  if (read.kind !== 'read') return read;
  const { text } = read;
  const records = await files.records();
  const { findings } = checkDocument('ai-project', text, (_name, value) => files.checkShape(value), { records });
  return { kind: 'read', sha256: text.sha256, text: text.text ?? '', document: text.value, findings };
}
