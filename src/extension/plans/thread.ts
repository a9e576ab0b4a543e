import { planFiles } from '../../adapters/documents/planFiles';
import { serveCalls } from '../../adapters/system/threads';
import type { MachineConfinement } from '../../core/plan/approvalSummary';
import type { ApprovalDecision } from '../../core/plan/approve';
import type { Finding } from '../../core/documents/finding';
import { editorFindings } from '../../core/view/plan/editorFindings';
import { plannedFile } from '../../engine/mission/approvePlan';
import { checkEditedPlan, checkPlan, type PlanCheckOptions } from '../../engine/plans/check';

// Entry point of the worker thread that judges plans, bundled to dist/planThread.js.

/** A `JudgedText` as data. */
export interface JudgedFile {
  /** Null: the file could not be read. */
  readonly bytes: Uint8Array | null;
  readonly sha256: string | null;
  readonly has_value: boolean;
  readonly text_findings: readonly Finding[];
  readonly findings: readonly Finding[];
}

export type PlanService = typeof service;

/** Every `path` is absolute. */
const service = {
  /** In the form of an editor: of `text`, or of the file. */
  async findings(path: string, text: string | null, options: PlanCheckOptions): Promise<readonly Finding[]> {
    const judged =
      text === null ? await checkPlan(planFiles, path, options) : await checkEditedPlan(planFiles, text, path, options);
    return editorFindings(judged.text.value, judged.findings);
  },
  check,
  /** Whether a person is asked which corrections need no further question. */
  asksRecovery: async (path: string) => asksRecovery((await planFiles.read(path)).value),
  approval: (
    path: string,
    approval: { readonly decision: ApprovalDecision; readonly machine: MachineConfinement },
    options: PlanCheckOptions,
  ) => plannedFile(planFiles, path, approval, options),
};

serveCalls(() => service);

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
