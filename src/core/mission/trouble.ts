import { pendingEffects, type Effect } from './effects';
import type { Mission, Trouble } from './state';

/** What could not be done and still has to be: nothing goes on before it is. Null when there is nothing. */
export function troubleOf(mission: Mission): Trouble | null {
  const { trouble } = mission;
  return trouble !== null && pendingEffects(mission).some(({ key }) => key === trouble.effect) ? trouble : null;
}

/** What failed, when it is the writing of a record: that can be tried at any time, and starts nothing. */
export function recordInTrouble(mission: Mission): Effect | null {
  const trouble = troubleOf(mission);
  const effect = pendingEffects(mission).find(({ key }) => key === trouble?.effect);
  return effect !== undefined && records.has(effect.kind) ? effect : null;
}

const records: ReadonlySet<Effect['kind']> = new Set([
  'writeHeader',
  'writeTaskEvidence',
  'writePacket',
  'writeHandoff',
  'writeReport',
]);
