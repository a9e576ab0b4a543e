import type { Plan } from '../../contracts/plan';
import type { FindingCode } from '../../contracts/vocabulary/codes/findings';
import { defaultAgent, type WorkerName } from '../../contracts/vocabulary/workers';
import type { Finding } from '../../core/documents/finding';
import { gatherFloods } from '../../core/plan/floods';
import { editorFindings } from '../../core/view/plan/editorFindings';
import { judgePlan, type DiskAnswers } from '../../core/plan/judgePlan';
import { checkFailed } from './documentCheck';
import { askDisk } from './disk';
import type { PlanCheckOptions, PlanFiles, PlanText } from '../ports/plans';

export type { PlanCheckOptions };

/** A class, because V8 would keep the plan of an object literal with a getter until its next full collection. */
export class PlanCheck {
  readonly valid: boolean;
  /** `OK`, or the code of the first error in document order. */
  readonly code: FindingCode | 'OK';

  constructor(
    /** The text that was read, for later steps (approval). */
    readonly text: PlanText,
    /** With positions, in document order. */
    readonly findings: readonly Finding[],
    /** The answers of the disk, for later steps. */
    readonly disk: DiskAnswers,
  ) {
    const primary = findings.find(({ severity }) => severity === 'error');
    this.valid = primary === undefined;
    this.code = primary === undefined ? 'OK' : (primary.code as FindingCode);
  }

  /** The bytes that were hashed and parsed. */
  get bytes(): Uint8Array | null {
    return this.text.bytes;
  }

  /** Upper-case hex; null when the file could not be read. */
  get plan_sha256(): string | null {
    return this.text.sha256;
  }

  /** Computed on first use; null without a value. */
  get canonical_sha256(): string | null {
    return this.text.canonical_sha256;
  }

  /** Only when valid. */
  get plan(): Plan | null {
    // The cast holds, because the schema accepted the value, and schema and type have one source.
    return this.valid ? (this.text.value as Plan) : null;
  }
}

export const defaultWorkerOfPlans: WorkerName = defaultAgent;
const listedFindings = 1000;

/** Validates a plan file for editor, CLI and engine. Reads it once, never throws. `path` is absolute. */
export async function checkPlan(files: PlanFiles, path: string, options: PlanCheckOptions = {}): Promise<PlanCheck> {
  const text = await files.read(path);
  return judge(files, text, path, { ...options, ...(await askDisk(files, text.value, path, options)) });
}

/** The same for an editor's text. `path` null: it has no file. `options`: with the answers of the disk. */
export function checkPlanText(
  files: PlanFiles,
  content: Uint8Array | string,
  path: string | null,
  options: PlanCheckOptions & DiskAnswers = {},
): PlanCheck {
  return judge(files, files.parse(content), path, options);
}

/** The same, but also asks the disk about the approved paths. */
export async function checkEditedPlan(
  files: PlanFiles,
  content: Uint8Array | string,
  path: string | null,
  options: PlanCheckOptions = {},
): Promise<PlanCheck> {
  const text = files.parse(content);
  const disk = await askDisk(files, text.value, path, { ...options, edited: true });
  return judge(files, text, path, { ...options, ...disk });
}

/** The findings as an editor shows them: of its text, or of the file. */
export async function findingsInEditor(
  files: PlanFiles,
  path: string,
  content: string | null,
  options: PlanCheckOptions,
): Promise<readonly Finding[]> {
  const { text, findings } = await (content === null
    ? checkPlan(files, path, options)
    : checkEditedPlan(files, content, path, options));
  return editorFindings(text.value, findings);
}

function judge(
  files: PlanFiles,
  text: PlanText,
  path: string | null,
  options: PlanCheckOptions & DiskAnswers,
): PlanCheck {
  let { findings } = text;
  try {
    if (text.value !== undefined) findings = arrange(text, contentFindings(files, text.value, path, options));
  } catch (error) {
    findings = [checkFailed(error)];
  }
  return new PlanCheck(text, findings, options);
}

function contentFindings(
  files: PlanFiles,
  value: unknown,
  path: string | null,
  options: PlanCheckOptions & DiskAnswers,
): readonly Finding[] {
  const rules = judgePlan(value, {
    ...options,
    defaultWorker: options.defaultWorker ?? defaultWorkerOfPlans,
    path: path === null ? null : posix(path),
    workspaceDir: options.workspaceDir === undefined ? null : posix(options.workspaceDir),
    now: files.now(),
  });
  // A rule's error about a value replaces the schema's error, because it says more.
  const spoken = new Set(rules.flatMap(({ severity, pointer }) => (severity === 'error' ? [pointer] : [])));
  const shape = files
    .checkShape(value)
    .filter(({ code, pointer }) => code === 'MISSING_REQUIRED_INPUT' || !spoken.has(pointer));
  return [...shape, ...rules];
}

/** Adds positions, sorts by document order, and limits the number. */
function arrange(text: PlanText, content: readonly Finding[]): readonly Finding[] {
  const located = gatherFloods(
    [...text.locate([...text.findings, ...content])].sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0)),
  );
  if (located.length <= listedFindings) return located;
  const listed = located.slice(0, listedFindings);
  // Always lists the first error, because it decides the code.
  const firstError = located.find(({ severity }) => severity === 'error');
  if (firstError !== undefined && !listed.includes(firstError)) listed.push(firstError);
  const truncated: Finding = {
    code: 'FINDINGS_TRUNCATED' satisfies FindingCode,
    severity: 'info',
    pointer: '',
    message: 'There are more findings; correct these first.',
  };
  return [...listed, truncated];
}

function posix(path: string): string {
  return /^[A-Za-z]:[\\/]|^\\\\/.test(path) ? path.replaceAll('\\', '/') : path;
}
