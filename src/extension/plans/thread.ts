import { planFiles } from '../../adapters/documents/planFiles';
import { serveCalls } from '../../adapters/system/threads';
import type { MachineConfinement } from '../../core/plan/approvalSummary';
import type { ApprovalDecision } from '../../core/plan/approve';
import type { Finding } from '../../core/documents/finding';
import { editorFindings } from '../../core/view/plan/editorFindings';
import { plannedFile, type PlannedFile } from '../../engine/mission/approvePlan';
import { checkEditedPlan, checkPlan, type PlanCheckOptions } from '../../engine/plans/check';

// Entry point of the worker thread that judges plans, bundled to dist/planThread.js.

/** A call about a plan; `path` is absolute. */
export type PlanCall =
  /** Asks for findings in the form of an editor: of `text`, or of the file. */
  | {
      readonly kind: 'findings';
      readonly path: string;
      readonly text: string | null;
      readonly options: PlanCheckOptions;
    }
  | { readonly kind: 'check'; readonly path: string; readonly options: PlanCheckOptions }
  | { readonly kind: 'asksRecovery'; readonly path: string }
  | {
      readonly kind: 'approval';
      readonly path: string;
      readonly decision: ApprovalDecision;
      readonly options: PlanCheckOptions;
      readonly machine: MachineConfinement;
    };

export interface PlanAnswers {
  readonly findings: readonly Finding[];
  readonly check: JudgedFile;
  /** A person is asked which corrections need no further question. */
  readonly asksRecovery: boolean;
  readonly approval: PlannedFile;
}

/** A `JudgedText` as data. */
export interface JudgedFile {
  /** Null: the file could not be read. */
  readonly bytes: Uint8Array | null;
  readonly sha256: string | null;
  readonly has_value: boolean;
  /** Findings about the text itself. */
  readonly text_findings: readonly Finding[];
  readonly findings: readonly Finding[];
}

serveCalls(() => async (call: PlanCall): Promise<PlanAnswers[PlanCall['kind']]> => {
  switch (call.kind) {
    case 'findings':
      return findings(call);
    case 'check':
      return check(call.path, call.options);
    case 'asksRecovery':
      return asksRecovery((await planFiles.read(call.path)).value);
    case 'approval':
      return plannedFile(planFiles, call.path, call, call.options);
  }
});

async function findings({
  path,
  text,
  options,
}: PlanCall & { readonly kind: 'findings' }): Promise<readonly Finding[]> {
  const judged =
    text === null ? await checkPlan(planFiles, path, options) : await checkEditedPlan(planFiles, text, path, options);
  return editorFindings(judged.text.value, judged.findings);
}

async function check(path: string, options: PlanCheckOptions): Promise<JudgedFile> {
  const { text, findings } = await checkPlan(planFiles, path, options);
  const { bytes, sha256, value, findings: text_findings } = text;
  return { bytes, sha256, has_value: value !== undefined, text_findings, findings };
}

/** True for unapproved plans that have agents and do not say which corrections are allowed. */
function asksRecovery(value: unknown): boolean {
  const plan = value as
    | {
        readonly status?: unknown;
        readonly execution?: { readonly recovery?: { readonly allow?: unknown } };
        readonly tasks?: readonly { readonly worker?: unknown }[];
      }
    | null
    | undefined;
  if (plan?.status === 'APPROVED' || plan?.execution?.recovery?.allow !== undefined) return false;
  return (
    Array.isArray(plan?.tasks) &&
    !plan.tasks.every((task) => (task as { readonly worker?: unknown } | null)?.worker === 'command')
  );
}
