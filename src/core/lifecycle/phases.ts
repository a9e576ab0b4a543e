import { phaseTitles, type DriverOutcome, type Phase } from '../../contracts/vocabulary/execution';
import type { CompletedPhase } from '../model/attempt';
import { appended } from '../model/draft';
import type { EventOf } from '../model/events';
import type { OfAttempt } from '../model/facts';

/** What follows a PASS. Source: seed 004, high-level control loop. */
const afterPass: Readonly<Record<Phase, Phase | null>> = {
  0: 1,
  1: 2,
  2: 3,
  '2a': 3,
  3: 4,
  4: 5,
  5: 6,
  6: 8,
  7: 6,
  8: 9,
  9: 10,
  10: null,
};

const endings: readonly Phase[] = [8, 9, 10];

interface Bootstrapping {
  /** Its intent is generate_context: phase 2a follows 2. */
  readonly bootstraps?: boolean;
}

/** The only phase that may follow; null: over. Termination (8 to 10) always runs; the way back, 7 to 6, goes once. */
export function phaseAfter(
  done: readonly Pick<CompletedPhase, 'phase' | 'outcome'>[],
  { bootstraps }: Bootstrapping = {},
): Phase | null {
  const last = done.at(-1);
  if (last === undefined) return 0;
  if (bootstraps === true && last.phase === 2 && last.outcome === 'PASS') return '2a';
  const intervened = done.some(({ phase }) => phase === 7);
  if (last.phase === 6 && last.outcome === 'INTERVENTION_REQUIRED' && !intervened) return 7;
  if (endings.every((phase) => phase !== last.phase) && last.outcome !== 'PASS') return 8;
  return afterPass[last.phase];
}

export function completedPhase(
  { task_id, attempt }: OfAttempt,
  phase: Phase,
  outcome: DriverOutcome,
  note: string,
): EventOf<'PhaseCompleted'> {
  return { type: 'PhaseCompleted', task_id, attempt, phase, outcome, note };
}

export function passedPhase(of: OfAttempt, phase: Phase, note: string): EventOf<'PhaseCompleted'> {
  return completedPhase(of, phase, 'PASS', note);
}

/**
 * Adds a phase that was completed.
 *
 * @param attempt whether phase 2a belongs to it
 * @throws for a phase out of its order, which is a broken invariant and no refusal: the engine halts
 */
export function withPhase(
  done: readonly CompletedPhase[],
  event: EventOf<'PhaseCompleted'>,
  at: string,
  attempt: Bootstrapping = {},
): readonly CompletedPhase[] {
  const { type, task_id, attempt: _attempt, context, bootstraps, follows_sha256, ...completed } = event;
  const { phase } = completed;
  const due = phaseAfter(done, attempt);
  if (due !== phase) {
    const instead = due === null ? 'the attempt is over' : `${wordsOfPhase(due)} is due`;
    throw new Error(`Broken invariant: phase ${wordsOfPhase(phase)} is out of order; ${instead}.`);
  }
  return appended(done, { ...completed, at });
}

/** `phase 5 (execution)`: where a live attempt is. */
export function phaseWords(attempt: Bootstrapping & { readonly phases: readonly CompletedPhase[] }): string {
  const due = phaseAfter(attempt.phases, attempt);
  return due === null ? 'over' : `phase ${wordsOfPhase(due)}`;
}

function wordsOfPhase(phase: Phase): string {
  return `${phase} (${phaseTitles[phase]})`;
}
