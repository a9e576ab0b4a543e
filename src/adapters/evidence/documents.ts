import { readdir } from 'node:fs/promises';
import { executionHeaderSchema, type ExecutionHeader } from '../../contracts/record/header';
import { milestoneEvidenceSchema, type MilestoneEvidence } from '../../contracts/milestoneEvidence';
import { taskEvidenceSchema, type TaskEvidence } from '../../contracts/taskEvidence';
import { evidenceNames, executionsDir, keptPlanPath } from '../../contracts/vocabulary/files/evidenceFiles';
import { isTemporaryName } from '../files/atomic';
import { evidenceFinding, withForm, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import type { EvidenceFacts } from '../../core/verify/facts';
import type { Finding } from '../../core/documents/finding';
import { parseJsonText } from '../documents/json';
import { explainedDigest, explainedPlan, explainedSeal, gitStep } from './explained';
import { sealHolds, sha256Of } from '../files/bytes/sha256';
import { errorCode, errorWords } from '../../base/outcome';
import { checkShape } from '../documents/schemas';
import type { DocumentName } from '../../contracts/schemas';
import { readWorkspaceFile, placeInWorkspace } from '../files/place';
import { parsedJson } from '../../base/json';

/**
 * Reads and validates everything of one execution; `facts` is null without a usable header. Ignores `archive/`, but
 * `within` can name a folder in it: `archive/<mission_id>`.
 */
export async function readEvidence(
  workspaceRoot: string,
  planId: string,
  within = '',
): Promise<{ readonly facts: EvidenceFacts | null; readonly findings: readonly EvidenceFinding[] }> {
  const findings: EvidenceFinding[] = [];
  const folder = `${executionsDir}/${planId}${within === '' ? '' : `/${within}`}`;
  const names = await documentNamesIn(workspaceRoot, folder, within === '' ? evidenceNames.archive : null, findings);
  if (names === null) return { facts: null, findings };
  const files = new Map<string, Buffer>();
  for (const name of names) {
    const bytes = await readWorkspaceFile(workspaceRoot, `${folder}/${name}`);
    if (bytes.kind === 'file') files.set(name, bytes.bytes);
    if (bytes.kind === 'refused') findings.push(evidenceFinding('EVIDENCE_LINKED', name, `Not read: ${bytes.reason}.`));
    if (bytes.kind === 'unreadable')
      findings.push(evidenceFinding('EVIDENCE_UNREADABLE', name, `Not readable: ${bytes.reason}.`));
  }
  const header = readHeader(files.get(evidenceNames.header), `${executionsDir}/${planId}`, findings);
  const tasks = new Map<string, { evidence: TaskEvidence | null; sha256: string }>();
  const milestones = new Map<string, { evidence: MilestoneEvidence | null; sha256: string }>();
  for (const [name, bytes] of files) {
    const taskId = /^TASK_(.+)\.json$/.exec(name)?.[1];
    const milestone = /^MILESTONE_(.+)\.json$/.exec(name)?.[1];
    if (taskId !== undefined) {
      const { value: evidence, errors } = readShape(
        'task-evidence',
        bytes,
        (value) => taskEvidenceSchema.safeParse(value).data,
      );
      for (const { pointer, message } of errors)
        findings.push(invalidPart(name, bytes, `This is no task evidence: ${message}`, pointer));
      tasks.set(taskId, { evidence, sha256: sha256Of(bytes) });
      if (evidence && evidence.task_id !== taskId)
        findings.push(invalidPart(name, bytes, 'File name and task_id disagree.', '/task_id'));
      if (evidence && evidence.plan_id !== planId)
        findings.push(invalidPart(name, bytes, 'The evidence is of another plan.', '/plan_id'));
    } else if (milestone !== undefined) {
      const { value: evidence, errors } = readShape(
        'milestone-evidence',
        bytes,
        (value) => milestoneEvidenceSchema.safeParse(value).data,
      );
      for (const { pointer, message } of errors)
        findings.push(invalidPart(name, bytes, `This is no evidence of a milestone: ${message}`, pointer));
      milestones.set(milestone, { evidence, sha256: sha256Of(bytes) });
      if (evidence && evidence.milestone_id !== milestone)
        findings.push(invalidPart(name, bytes, 'File name and milestone_id disagree.', '/milestone_id'));
    } else if (!knownNames.has(name)) {
      const message = 'Nothing of an execution has this name: it is not part of the evidence.';
      findings.push(evidenceFinding('FILE_UNEXPECTED', name, message));
    }
  }
  if (header === null) return { facts: null, findings };
  const { plan_id } = header.header;
  if (plan_id !== planId) {
    const message = `The header is of ${plan_id}: it does not belong into this folder.`;
    findings.push(evidenceFinding('HEADER_INVALID', evidenceNames.header, message, '/plan_id'));
  }
  const lockedPlan = files.get(evidenceNames.lockedPlan);
  const summary = files.get(evidenceNames.summary);
  const canonical_sha256 = recordedContent(header.header, files.get(evidenceNames.header));
  const copies = lockedPlan === undefined ? [] : await otherCopies(workspaceRoot, header.header);
  return {
    facts: {
      ...header,
      lockedPlan: lockedPlan === undefined ? null : parseJsonText(lockedPlan),
      summary_sha256: summary === undefined ? null : sha256Of(summary),
      tasks,
      milestones,
      hintFor: (file, digest) => {
        const bytes = files.get(file);
        if (bytes === undefined) return null;
        return file === evidenceNames.lockedPlan
          ? explainedPlan(file, bytes, digest, { copies, canonical_sha256 })
          : explainedDigest(file, bytes, digest);
      },
    },
    findings,
  };
}

/** The digest of the plan's content; null: no header with a whole seal, or only reformatted, records it. */
function recordedContent({ plan_canonical_sha256 }: ExecutionHeader, bytes: Buffer | undefined): string | null {
  const isWhole =
    bytes !== undefined && (sealHolds(bytes) === true || explainedSeal(evidenceNames.header, bytes) !== null);
  return (isWhole && plan_canonical_sha256) || null;
}

/** Returns the plan file, and the locked plan that the mission keeps with its state. */
async function otherCopies(workspaceRoot: string, header: ExecutionHeader): Promise<readonly Buffer[]> {
  const kept = keptPlanPath(header.mission_id ?? '');
  const read = await Promise.all([header.plan_path, kept].map((one) => readWorkspaceFile(workspaceRoot, one)));
  return read.flatMap((file) => (file.kind === 'file' ? [file.bytes] : []));
}

const knownNames: ReadonlySet<string> = new Set([
  evidenceNames.header,
  evidenceNames.lockedPlan,
  evidenceNames.summary,
]);

async function documentNamesIn(
  workspaceRoot: string,
  folder: string,
  except: string | null,
  findings: EvidenceFinding[],
): Promise<string[] | null> {
  try {
    const place = await placeInWorkspace(workspaceRoot, folder);
    if (place.kind === 'refused') {
      findings.push(evidenceFinding('EVIDENCE_LINKED', '', `The evidence folder is not used: ${place.reason}.`));
      return null;
    }
    const names = await readdir(place.absolute);
    if (names.includes(evidenceNames.header)) {
      return names.filter((name) => name !== except && !isTemporaryName(name)).sort();
    }
    const message = `${folder} has no ${evidenceNames.header}: nothing was executed here, or it was removed.`;
    findings.push(evidenceFinding('EVIDENCE_MISSING', evidenceNames.header, message));
  } catch (error) {
    findings.push(unreadFolder(folder, error));
  }
  return null;
}

/** Says why there is no evidence to verify. A folder that may not be read counts as neither lost nor wrong. */
function unreadFolder(folder: string, error: unknown): EvidenceFinding {
  const code = errorCode(error);
  if (code === 'ENOENT') {
    const message = `There is no folder ${folder}: nothing here shows that the plan has run.`;
    return evidenceFinding('EVIDENCE_NONE', '', message);
  }
  return code === 'EACCES' || code === 'EPERM'
    ? evidenceFinding('EVIDENCE_UNREADABLE', '', `This user has no permission to read ${folder} (${code}).`)
    : evidenceFinding('EVIDENCE_MISSING', '', `There is no evidence to read: ${errorWords(error)}.`);
}

/** Fields that only Mission Control writes. A header that has one but no seal has lost its seal. */
const ourFields = [
  ...['header_sha256', 'mission_id', 'run_id', 'tool', 'locked_plan'],
  ...['executor', 'tasks', 'outcome', 'state_history', 'journal'],
];

function readHeader(
  bytes: Buffer | undefined,
  dir: string,
  findings: EvidenceFinding[],
): Pick<EvidenceFacts, 'header' | 'header_sha256' | 'sealed'> | null {
  if (bytes === undefined) return null; // missing or unreadable: reported before
  const name = evidenceNames.header;
  const seal = sealHolds(bytes);
  if (seal === false) {
    const message = 'The header was changed after it was written: its own digest does not fit.';
    const broken = withGitStep(evidenceFinding('HEADER_SEAL_BROKEN', name, message, '/header_sha256'), bytes);
    findings.push(withForm(broken, explainedSeal(name, bytes), dir));
  }
  const { value: header, errors } = readShape(
    'execution-header',
    bytes,
    (value) => executionHeaderSchema.safeParse(value).data,
  );
  if (header === null) {
    for (const { pointer, message } of errors) {
      const invalid = evidenceFinding('HEADER_INVALID', name, `This is no execution header: ${message}`, pointer);
      findings.push(withGitStep(invalid, bytes));
    }
    return null;
  }
  const ours = ourFields.some((field) => field in header);
  if (!ours) {
    const message = 'Written by another executor without digests: only the plan hash can be checked.';
    findings.push(evidenceFinding('EVIDENCE_UNSEALED', name, message));
  } else if (seal === null) {
    const message = 'The header has lost its digest: it is not as it was written.';
    findings.push(evidenceFinding('HEADER_SEAL_MISSING', name, message, '/header_sha256'));
  }
  return { header, header_sha256: sha256Of(bytes), sealed: ours };
}

/** The value of a document; the errors of its shape where it has another one. */
function readShape<T>(
  document: DocumentName,
  bytes: Buffer,
  parse: (value: unknown) => T | undefined,
): { readonly value: T | null; readonly errors: readonly Pick<Finding, 'pointer' | 'message'>[] } {
  const value = parse(parsedJson(textOf(bytes))) ?? null;
  return { value, errors: value === null ? shapeErrors(document, bytes) : [] };
}

function invalidPart(name: string, bytes: Buffer, message: string, pointer: string): EvidenceFinding {
  return withGitStep(evidenceFinding('TASK_FILE_INVALID', name, message, pointer), bytes);
}

function withGitStep(finding: EvidenceFinding, bytes: Buffer): EvidenceFinding {
  return { ...finding, next: gitStep(bytes) ?? finding.next };
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** The errors of the generated schema; there is at least one, because zod has refused the value. */
function shapeErrors(document: DocumentName, bytes: Buffer): readonly Pick<Finding, 'pointer' | 'message'>[] {
  const value = parsedJson(textOf(bytes));
  if (value === undefined) {
    const why = parseJsonText(bytes).findings[0];
    return [
      { pointer: '', message: `it is no JSON.${why === undefined ? '' : ` Line ${why.line ?? 1}: ${why.message}`}` },
    ];
  }
  const errors = checkShape(document, value).filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? errors : [{ pointer: '', message: 'it is not as the contract wants it.' }];
}
