import { limited } from '../../base/text/oneLine';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { WorkerName } from '../../contracts/vocabulary/workers';

export interface NamedLaunch {
  readonly planId: string;
  readonly taskId: string;
  readonly worker: WorkerName;
  readonly purpose: 'worker' | 'verify' | 'orchestrator' | 'draft';
  readonly attempt: number;
  /** Counts the launches of the worker in this attempt. */
  readonly launch: number;
}

/** `#2 T1 · AGENT · attempt 2 (Mission P)`. The distinguishing part comes first, because tabs cut names at their end. */
export function terminalName({ planId, taskId, worker, purpose, attempt, launch }: NamedLaunch): UiText {
  if (purpose === 'draft') return ui`Draft of a plan · ${worker}${launch > 1 ? ui` · ${launch}` : ui``}`;
  const again = attempt > 1 ? ui`#${attempt} ` : ui``;
  const doer = purpose === 'verify' ? 'verify' : purpose === 'orchestrator' ? ui`orchestrator ${worker}` : worker;
  const counted = attempt > 1 ? ui` · attempt ${attempt}` : ui``;
  const further = purpose === 'worker' && launch > 1 ? ui` · launch ${launch}` : ui``;
  return ui`${again}${taskId} · ${doer}${counted}${further} (Mission ${limited(planId, 30)})`;
}
