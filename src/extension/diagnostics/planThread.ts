import { planFiles } from '../../adapters/planFiles';
import { serveCalls } from '../../adapters/threadCalls';
import type { Finding } from '../../core/plan/finding';
import { checkPlan, checkPlanText, type PlanCheckOptions } from '../../engine/planCheck';

// Entry point of the worker thread that judges plans while they are written. Bundled to dist/planThread.js.

/** The text of an editor, or the file itself; `path` is absolute. */
export interface PlanCall {
  readonly path: string;
  readonly text: string | null;
  readonly options: PlanCheckOptions;
}

serveCalls(() => async ({ path, text, options }: PlanCall): Promise<readonly Finding[]> => {
  const check =
    text === null ? await checkPlan(planFiles, path, options) : checkPlanText(planFiles, text, path, options);
  return check.findings;
});
