import type { Plan } from '../../contracts/plan';
import type { FindingCode } from '../../contracts/vocabulary/findings';
import { defaultAgent, type WorkerName } from '../../contracts/vocabulary/workers';
import type { Finding } from '../../core/documents/finding';
import { gatherFloods } from '../../core/plan/floods';
import { judgePlan } from '../../core/plan/judgePlan';
import { checkFailed } from './checkFailed';
import type { PlanCheckOptions, PlanFiles, PlanText } from '../ports/plans';

export type { PlanCheckOptions };

export interface PlanCheck {
  readonly valid: boolean;
  /** `OK`, or the code of the first error in document order. */
  readonly code: FindingCode | 'OK';
  /** With positions, in document order. */
  readonly findings: readonly Finding[];
  /** Upper-case hex; null when the file could not be read. */
  readonly plan_sha256: string | null;
  /** Computed when asked for; null without a value. */
  readonly canonical_sha256: string | null;
  /** The bytes that were hashed and parsed. */
  readonly bytes: Uint8Array | null;
  /** Only when valid. */
  readonly plan: Plan | null;
  /** What was read, for whoever goes on with it (approval). */
  readonly text: PlanText;
}

export const defaultWorkerOfPlans: WorkerName = defaultAgent;
const listedFindings = 1000;

/** The one validation of a plan file: editor, CLI and engine all call this. One read, never throws. `path` is absolute. */
export async function checkPlan(files: PlanFiles, path: string, options: PlanCheckOptions = {}): Promise<PlanCheck> {
  const judged = (await files.judged?.(path, options)) ?? null;
  return judged === null
    ? judge(files, await files.read(path), path, options)
    : new JudgedPlan(judged.text, judged.findings);
}

/** The same for the text of an editor. `path`: where it is, or null for text that is in no file. */
export function checkPlanText(
  files: PlanFiles,
  content: Uint8Array | string,
  path: string | null,
  options: PlanCheckOptions = {},
): PlanCheck {
  return judge(files, files.parse(content), path, options);
}

function judge(files: PlanFiles, text: PlanText, path: string | null, options: PlanCheckOptions): PlanCheck {
  return new JudgedPlan(text, findingsOf(files, text, path, options));
}

function findingsOf(
  files: PlanFiles,
  text: PlanText,
  path: string | null,
  options: PlanCheckOptions,
): readonly Finding[] {
  try {
    return text.value === undefined ? text.findings : arrange(text, contentFindings(files, text.value, path, options));
  } catch (error) {
    return [checkFailed(error)];
  }
}

/** A class, for its getters: an object literal with one would keep every plan until the next full collection. */
class JudgedPlan implements PlanCheck {
  readonly valid: boolean;
  readonly code: PlanCheck['code'];
  readonly bytes: Uint8Array | null;

  constructor(
    readonly text: PlanText,
    readonly findings: readonly Finding[],
  ) {
    const primary = findings.find(({ severity }) => severity === 'error');
    this.valid = primary === undefined;
    this.code = primary === undefined ? 'OK' : (primary.code as FindingCode);
    this.bytes = text.bytes;
  }

  get plan_sha256(): string | null {
    return this.text.sha256;
  }

  get plan(): Plan | null {
    // The schema has accepted the value, and the type is inferred from what the schema was generated from.
    return this.valid ? (this.text.value as Plan) : null;
  }

  get canonical_sha256(): string | null {
    return this.text.canonical_sha256;
  }
}

function contentFindings(
  files: PlanFiles,
  value: unknown,
  path: string | null,
  options: PlanCheckOptions,
): readonly Finding[] {
  const rules = judgePlan(value, {
    defaultWorker: options.defaultWorker ?? defaultWorkerOfPlans,
    path: path === null ? null : posix(path),
    workspaceDir: options.workspaceDir === undefined ? null : posix(options.workspaceDir),
    ...(files.now === undefined ? {} : { now: files.now() }),
  });
  // Where a rule has spoken about a value, the schema's own sentence about it adds nothing.
  const spoken = new Set(rules.flatMap(({ severity, pointer }) => (severity === 'error' ? [pointer] : [])));
  const shape = files
    .checkShape(value)
    .filter(({ code, pointer }) => code === 'MISSING_REQUIRED_INPUT' || !spoken.has(pointer));
  return [...shape, ...rules];
}

/** Positions, document order, and an end: a document can have more findings than anybody reads. */
function arrange(text: PlanText, content: readonly Finding[]): readonly Finding[] {
  const located = gatherFloods(
    [...text.locate([...text.findings, ...content])].sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0)),
  );
  if (located.length <= listedFindings) return located;
  const listed = located.slice(0, listedFindings);
  // The first error decides the code, so it is listed wherever it stands.
  const firstError = located.find(({ severity }) => severity === 'error');
  if (firstError !== undefined && !listed.includes(firstError)) listed.push(firstError);
  const truncated: Finding = {
    code: 'FINDINGS_TRUNCATED' satisfies FindingCode,
    severity: 'info',
    pointer: '',
    message: `There are ${located.length - listed.length} more findings; correct these first.`,
  };
  return [...listed, truncated];
}

function posix(path: string): string {
  return /^[A-Za-z]:[\\/]|^\\\\/.test(path) ? path.replaceAll('\\', '/') : path;
}
