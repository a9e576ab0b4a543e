import { memoryIntents, projectIntents, type Intent } from '../../contracts/vocabulary/intents';
import type { LockedIntent } from './tier0';

/** What a declared intent asks for before its task is delegated. Source: decision 64. */
export interface ContextNeeds {
  /** ai.project.json has to be there and valid. */
  readonly project: boolean;
  /** What was decided before is read (RESTORE). */
  readonly restore: boolean;
  /** Phase 2a runs: ai.project.json comes into being, and is never required. */
  readonly bootstrap: boolean;
}

export function needsOf({ declared }: Pick<LockedIntent, 'declared'>): ContextNeeds {
  return {
    project: isOneOf(projectIntents, declared),
    restore: isOneOf(memoryIntents, declared),
    bootstrap: declared === 'generate_context',
  };
}

function isOneOf(intents: readonly Intent[], intent: Intent | null): boolean {
  return intent !== null && intents.includes(intent);
}
