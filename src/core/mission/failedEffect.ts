import { pendingEffects, type Effect } from './effects';
import type { Mission, Trouble } from '../model/state';

/** In place of an effect: a mistake of ours stopped the owner, until the next one takes the mission over. */
export const ownMistake = 'decide';

/** The failed effect that still has to be done before the mission continues; null: none. */
export function troubleOf(mission: Mission): Trouble | null {
  const { trouble } = mission;
  if (trouble?.effect === ownMistake) return trouble;
  return trouble !== null && pendingEffects(mission).some(({ key }) => key === trouble.effect) ? trouble : null;
}

/**
 * The failed effect, and how it may be tried before a command is accepted. `counts`: it writes a record, which stays.
 * `repeats`: it only reads or prepares, and runs again when the mission continues. Null: nothing failed, or trying it
 * would run a worker or wait for one.
 */
export function effectInTrouble(mission: Mission): { readonly effect: Effect; readonly trial: Trial } | null {
  const trouble = troubleOf(mission);
  const effect = pendingEffects(mission).find(({ key }) => key === trouble?.effect);
  const trial = effect ? trialOf(effect.kind) : null;
  return effect && trial ? { effect, trial } : null;
}

type Trial = 'counts' | 'repeats';

function trialOf(kind: Effect['kind']): Trial | null {
  switch (kind) {
    case 'writeHeader':
    case 'writeTaskEvidence':
    case 'writePacket':
    case 'writeHandoff':
    case 'writeReport':
    case 'writeIntervention':
    case 'saveMemory':
      return 'counts';
    case 'checkPlanHash':
    case 'takeBaseline':
    case 'prepareLaunch':
    case 'observeChanges':
    case 'proveTreeGone':
    case 'readMemory':
    case 'prepareOrchestrator':
    case 'readTree':
      return 'repeats';
    case 'startWorker':
    case 'awaitWorker':
    case 'stopWorker':
    case 'startOrchestrator':
    case 'awaitOrchestrator':
    case 'stopOrchestrator':
    case 'awaitLimit':
      return null;
  }
}
