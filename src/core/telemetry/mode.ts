import type { TelemetryMode } from '../../contracts/vocabulary/execution';
import type { ExecutionEnvironment, Intent, Tier } from '../../contracts/vocabulary/intents';

/** What the rules look at: declared in the approved plan or policy, so known before phase 0. Null: not declared. */
export interface TelemetryFacts {
  readonly intent: Intent | null;
  readonly tier: Tier | null;
  readonly environment: ExecutionEnvironment | null;
  /** SAVE or RESTORE is permitted or required. */
  readonly memory: boolean;
  /** Policy allows a higher tier after a failure. */
  readonly escalation: boolean;
  /** A durable backend on this machine takes the records. */
  readonly backend: boolean;
}

type Condition = {
  readonly [Fact in keyof TelemetryFacts]: { readonly fact: Fact; readonly in: readonly TelemetryFacts[Fact][] };
}[keyof TelemetryFacts];

interface Rule {
  readonly rule: 1 | 2 | 3;
  readonly mode: TelemetryMode;
  readonly when: 'any' | 'all';
  readonly of: readonly Condition[];
}

/** What DEGRADED is bound to for the whole task. */
const light: readonly Condition[] = [
  { fact: 'intent', in: ['chat', 'summarize', 'classify'] },
  { fact: 'tier', in: ['D'] },
  { fact: 'memory', in: [false] },
  { fact: 'escalation', in: [false] },
  { fact: 'backend', in: [true] },
];

/** Source: seed 004, telemetry mode selection. The first rule that matches decides. */
const rules: readonly Rule[] = [
  {
    rule: 1,
    mode: 'ENFORCED',
    when: 'any',
    of: [
      { fact: 'intent', in: ['architecture', 'domain', 'refactor', 'code_generation', 'code_review'] },
      { fact: 'tier', in: ['A', 'B'] },
      { fact: 'memory', in: [true] },
      { fact: 'escalation', in: [true] },
      { fact: 'environment', in: ['ci', 'production'] },
    ],
  },
  { rule: 2, mode: 'DEGRADED', when: 'all', of: [...light, { fact: 'environment', in: ['local', 'dev'] }] },
  { rule: 3, mode: 'ENFORCED', when: 'all', of: [] },
];

export function selectTelemetryMode(facts: TelemetryFacts): Pick<Rule, 'mode' | 'rule'> {
  for (const { mode, rule, when, of } of rules) {
    const holding = of.filter((condition) => holds(condition, facts)).length;
    if (when === 'any' ? holding > 0 : holding === of.length) return { mode, rule };
  }
  throw new Error('Broken invariant: no rule selects a telemetry mode.');
}

/** The guardrail: what DEGRADED does not allow of what was resolved or attempted; null: nothing. No mode is changed. */
export function telemetryBreach(mode: TelemetryMode, facts: TelemetryFacts): string | null {
  if (mode === 'ENFORCED') return null;
  const broken = light.find((condition) => !holds(condition, facts));
  return broken ? `telemetry is DEGRADED, and ${broken.fact} is ${String(facts[broken.fact])}` : null;
}

function holds(condition: Condition, facts: TelemetryFacts): boolean {
  const allowed: readonly unknown[] = condition.in;
  return allowed.includes(facts[condition.fact]);
}
