import { codeOfCategory } from '../../contracts/vocabulary/codes/codes';
import { unprovenLaunch, type Attempt } from '../model/attempt';
import type { MissionEvent } from '../model/events';
import type { AttemptFailure } from '../model/facts';

/** The pause by which a person is asked about an attempt that has ended. */
export function pausedBy(attempt: Attempt, failure: AttemptFailure | null): MissionEvent {
  const over = failure?.kind === 'recoverable' && failure.human_only === 'budget_exceeded' ? attempt.over_budget : null;
  const asked = over && { code: codeOfCategory.budget_exceeded, budgets: over.budgets };
  return { type: 'MissionPaused', reason: pauseReason(attempt, failure), ...asked };
}

function pauseReason(attempt: Attempt, failure: AttemptFailure | null): string {
  const reason = failure?.reason ?? '';
  const survivors = unprovenLaunch(attempt)?.end?.survivors;
  if (!survivors || (failure?.kind === 'recoverable' && failure.human_only === 'tree_not_gone')) return reason;
  return `${reason} Its processes also could not be proven gone${survivors.length > 0 ? ` (${survivors.join(', ')})` : ''}: nothing goes on before they are.`;
}
