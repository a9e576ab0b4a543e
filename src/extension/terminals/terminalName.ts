import { limited } from '../../base/text/oneLine';
import { ui, type UiText } from '../../base/text/ui';
import type { WorkerName } from '../../contracts/vocabulary/workers';

/** One launch, as the name of its terminal tells it. */
export interface NamedLaunch {
  readonly planId: string;
  readonly taskId: string;
  readonly worker: WorkerName;
  readonly purpose: 'worker' | 'verify' | 'orchestrator' | 'draft';
  readonly attempt: number;
  /** Counts the launches of the worker in this attempt. */
  readonly launch: number;
}

/**
 * `T1 · claude (Mission P)`, `#2 T1 · claude · attempt 2 (Mission P)`, `T1 · verify (Mission P)`: tabs cut names at
 * their end, so what tells one terminal from another comes first.
 */
export function terminalName({ planId, taskId, worker, purpose, attempt, launch }: NamedLaunch): UiText {
  if (purpose === 'draft') return ui`Draft of a plan · ${worker}${launch > 1 ? ui` · ${launch}` : ui``}`;
  const again = attempt > 1 ? ui`#${attempt} ` : ui``;
  const doer = purpose === 'verify' ? 'verify' : purpose === 'orchestrator' ? ui`orchestrator ${worker}` : worker;
  const counted = attempt > 1 ? ui` · attempt ${attempt}` : ui``;
  const further = purpose === 'worker' && launch > 1 ? ui` · launch ${launch}` : ui``;
  return ui`${again}${taskId} · ${doer}${counted}${further} (Mission ${limited(planId, 30)})`;
}
