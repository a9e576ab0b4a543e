import type { WantedModel } from '../policy/selectModel';
import type { OrchestratorChoice } from './sessionFacts';

/** A session finds out why a task is blocked, and writes nothing. */
export const sessionIntent = 'debugging';

export function modelOfSession({ worker, model }: OrchestratorChoice, configured: string | null): WantedModel {
  return { worker, intent: sessionIntent, tier: null, model, configured };
}
