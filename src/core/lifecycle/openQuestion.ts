import type { Step } from '../../contracts/vocabulary/steps';
import type { Attempt } from '../model/attempt';
import { waitsForIntervention, waitsForMemory } from '../model/lanes';
import type { Tasks } from '../model/state';
import { interventionWords } from './intervention';
import { memoryWords } from './memory';

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
