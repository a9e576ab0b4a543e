import { fold } from '../../src/core/mission/evolve';
import type { Mission } from '../../src/core/model/state';
import type { Played } from './play';

/** The mission before each entry that is asked for, in the order of the journal: no entry is folded twice. */
export function statesBefore(entries: Played['entries']): (index: number) => Mission | null {
  let folded = 0;
  let mission: Mission | null = null;
  return (index) => {
    mission = fold(entries.slice(folded, index), mission);
    folded = index;
    return mission;
  };
}
