import { natures, pendingEffects, type Effect } from './effects';
import type { Mission, Trouble, Progress } from '../model/state';

/** In place of an effect: a mistake of ours stopped the owner, until the next one takes the mission over. */
export const ownMistake = 'decide';

/** The failed effect that still has to be done before the mission continues; null: none. */
export function troubleOf(mission: Progress): Trouble | null {
  const { trouble } = mission;
  if (trouble?.effect === ownMistake) return trouble;
  return trouble !== null && pendingEffects(mission).some(({ key }) => key === trouble.effect) ? trouble : null;
}

/** The failed effect, where it may be tried before a command is accepted: it runs no worker and waits for none. */
export function effectInTrouble(mission: Mission): Effect | null {
  const trouble = troubleOf(mission);
  const effect = pendingEffects(mission).find(({ key }) => key === trouble?.effect);
  return effect && (natures[effect.kind] === 'writes' || natures[effect.kind] === 'looks') ? effect : null;
}
