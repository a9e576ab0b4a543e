import type { Step } from '../../contracts/vocabulary/steps';
import { failedBeside, waitsForIntervention, waitsForMemory } from '../model/lanes';
import type { Attempt, Intervention } from '../model/attempt';
import type { EventOf, MissionEvent } from '../model/events';
import type { AttemptFailure } from '../model/facts';
import type { Progress, ReceivedPlan, Tasks } from '../model/state';
import type { Change } from '../observation/change';
import { placeKey } from '../observation/outstanding';
import { isOfPlan } from './parts/planWait';
import { passedPhase } from './phases';
import { memoryWords } from './memory';

type ChangesObserved = EventOf<'ChangesObserved'>;

/** Returns whether a person completes the result (phase 7): once, and not where something else ends the attempt. */
export function asksIntervention(mission: Progress, attempt: Attempt, failure: AttemptFailure): boolean {
  if (failure.kind !== 'recoverable' || failure.outcome !== 'INTERVENTION_REQUIRED') return false;
  if (mission.cancel ?? attempt.stop_requested ?? failedBeside(mission, attempt.task_id)) return false;
  return !attempt.phases.some(({ phase }) => phase === 7);
}

/** Turns a failure that asks for a person into a HALT, where no person can be asked. */
export function withoutIntervention(failure: AttemptFailure): AttemptFailure {
  if (failure.kind !== 'recoverable' || failure.outcome !== 'INTERVENTION_REQUIRED') return failure;
  const { outcome: _asked, ...halt } = failure;
  return halt;
}

/**
 * Judges what the workspace looks like when the person is done, from the same baseline. In the approved paths the
 * person may have written. Any other change since the first look has no known maker, because the worker was proven gone
 * then. Phase 7 does not pass with it: it blocks until a person undoes it or accepts it by name.
 */
export function interventionEnd(
  mission: ReceivedPlan,
  attempt: Attempt,
  seen: ChangesObserved,
): readonly MissionEvent[] {
  const { intervention } = attempt;
  const known = new Map((attempt.observed?.changes ?? []).map((change) => [placeKey(change), change.after_sha256]));
  const changes = seen.observed.changes.map((change): Change =>
    isKnown(change, known) || isOfPlan(mission, change)
      ? change
      : { ...change, attribution: 'unattributed', violation: null },
  );
  const observed: ChangesObserved = { ...seen, observed: { ...seen.observed, changes }, after: 'intervention' };
  const strays = changes.some(({ attribution, scratch }) => attribution === 'unattributed' && !scratch);
  if (!intervention?.decision || strays) return [observed];
  const { actor, reason } = intervention.decision;
  return [observed, passedPhase(attempt, 7, `completed by ${actor.name}: ${reason}`)];
}

export function interventionWords(
  mission: ReceivedPlan,
  { task_id }: Pick<Attempt, 'task_id'>,
  { missing, path }: Intervention,
): { readonly reason: string; readonly why: string; readonly next: readonly Step[] } {
  const of = { mission: mission.mission_id };
  const where =
    path === null
      ? 'The packet is being written.'
      : `Complete it in ${path}, or the files in its approved paths; any other change meanwhile (a commit, another branch) blocks the task.`;
  const more = missing.length > 3 ? `; ${missing.length - 3} more, which mission status lists` : '';
  const why = `its result packet is incomplete (${missing.slice(0, 3).join('; ')}${more}). ${where}`;
  return {
    reason: `Task ${task_id} waits for a person: ${why}`,
    why,
    next: [
      ...(path === null ? [] : [{ command: 'intervene', args: { ...of, task: task_id } } as const]),
      { command: 'stop', args: { ...of, task: task_id } },
      { command: 'cancel', args: of },
    ],
  };
}

function isKnown(change: Change, known: ReadonlyMap<string, string | null>): boolean {
  const key = placeKey(change);
  return change.in_scope || change.scratch === true || (known.has(key) && known.get(key) === change.after_sha256);
}

/** What a person is asked in an attempt that waits for one. */
export interface Asked {
  readonly lane: Attempt;
  readonly what: 'intervention' | 'memory';
  readonly reason: string;
  readonly next: readonly Step[];
}

/** The first attempt that waits for a person in phase 7 or 9; null: none does. */
export function askedInAttempt(mission: Tasks): Asked | null {
  for (const lane of mission.lanes) {
    const { intervention, memory } = lane;
    if (intervention && waitsForIntervention(lane))
      return { lane, what: 'intervention', ...interventionWords(mission, lane, intervention) };
    if (memory && waitsForMemory(lane)) return { lane, what: 'memory', ...memoryWords(mission, lane, memory) };
  }
  return null;
}
