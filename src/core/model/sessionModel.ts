import type { WantedModel } from '../policy/selectModel';
import type { OrchestratorChoice } from './sessionFacts';

/** A session finds out why a task is blocked, and writes nothing. */
export const sessionIntent = 'debugging';

/** @param configured what this machine's settings name for the CLI; null: nothing */
export function modelOfSession({ worker, model }: OrchestratorChoice, configured: string | null): WantedModel {
  return { worker, intent: sessionIntent, tier: null, model, configured };
}
