import { pendingEffects, type Effect } from './effects';
import type { Mission, Trouble } from '../model/state';

/** What could not be done and still has to be: nothing goes on before it is. Null when there is nothing. */
export function troubleOf(mission: Mission): Trouble | null {
  const { trouble } = mission;
  return trouble !== null && pendingEffects(mission).some(({ key }) => key === trouble.effect) ? trouble : null;
}

/**
 * What failed, and what a trial of it may do. `counts`: it writes a record, which may stay. `repeats`: it looks or
 * prepares and starts nothing; the mission does it once more when it goes on. Null: nothing failed, or a trial would run
 * a worker or wait for one.
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
      return 'counts';
    case 'checkPlanHash':
    case 'takeBaseline':
    case 'prepareLaunch':
    case 'observeChanges':
    case 'proveTreeGone':
      return 'repeats';
    case 'startWorker':
    case 'awaitWorker':
    case 'stopWorker':
      return null;
  }
}
