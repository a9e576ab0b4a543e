import { recoverable } from '../parts/recoverable';
import { stoppedBy } from '../../../base/text/words';
import type { AttemptFailure } from '../../model/facts';
import { failedBeside } from '../../model/lanes';
import { unattributedLines } from './judgeChanges';
import type { Judged } from './rules';
import { workerLaunch } from '../parts/workerLaunch';

/** Reasons that end an attempt before its worker does: a failed lane, a stop by a person, a spent budget. */
export function judgeEarly(facts: Judged): AttemptFailure | null {
  return judgeAbandoned(facts) ?? judgeStop(facts) ?? judgeBudgetStop(facts);
}

export function judgeStop({ mission, attempt }: Judged): AttemptFailure | null {
  const stop = attempt.stop_requested;
  if (!stop) return null;
  const reason = `${stoppedBy}${stop.actor.name}: ${stop.reason}`;
  return recoverable('awaiting_user', reason, unattributedLines(mission, attempt), { human_only: 'stopped_by_human' });
}

/** A worker that finished, or ended by itself, before the request reached it is judged by its work. */
export function judgeBudgetStop({ mission, attempt }: Judged): AttemptFailure | null {
  const { over_budget } = attempt;
  const end = workerLaunch(attempt)?.end;
  if (!over_budget || end?.reason !== 'stop_requested' || end.did_not_exit) return null;
  const human_only = 'budget_exceeded';
  return recoverable(human_only, over_budget.reason, unattributedLines(mission, attempt), { human_only });
}

/** Once another lane failed the mission, only writes that intent or scope of this lane forbids are still judged. */
export function judgeAbandoned({ mission, attempt }: Judged): AttemptFailure | null {
  const failed = failedBeside(mission, attempt.task_id);
  if (!failed) return null;
  return {
    kind: 'abandoned',
    reason: `Stopped: task ${failed.task.task_id} failed, and the mission with it.`,
    details: unattributedLines(mission, attempt),
  };
}
