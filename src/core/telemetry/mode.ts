import type { TelemetryMode } from '../../contracts/vocabulary/execution';
import type { ExecutionEnvironment, Intent, Tier } from '../../contracts/vocabulary/intents';

/**
 * Selects the telemetry mode of one attempt from what is declared, before phase 0. The first matching
 * rule of seed 004 applies; anything undeclared means ENFORCED. SAVE, RESTORE and escalation are never
 * permitted by this version, and the local durable backend is the journal itself.
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
