import type { TelemetryMode } from '../../contracts/vocabulary/execution';
import type { ExecutionEnvironment, Intent, Tier } from '../../contracts/vocabulary/intents';

/**
 * The telemetry mode of one attempt, by the first matching rule of seed 004; ENFORCED when something is undeclared.
 * This version permits no SAVE, RESTORE and escalation, and its local durable backend is the journal.
 */
export function telemetryModeOf(declared: {
  readonly intent: Intent | null;
  readonly tier: Tier | null;
  readonly environment: ExecutionEnvironment | null;
}): TelemetryMode {
  const { intent, tier, environment } = declared;
  const light = intent === 'chat' || intent === 'summarize' || intent === 'classify';
  const local = environment === 'local' || environment === 'dev';
  return light && tier === 'D' && local ? 'DEGRADED' : 'ENFORCED';
}
