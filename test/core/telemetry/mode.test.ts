import assert from 'node:assert/strict';
import { environments, intents, tiers } from '../../../src/contracts/vocabulary/intents';
import { selectTelemetryMode, telemetryBreach, type TelemetryFacts } from '../../../src/core/telemetry/mode';

/** Every combination of what the rules look at, undeclared values among them. */
function* combinations(): Generator<TelemetryFacts> {
  for (const intent of [...intents, null])
    for (const tier of [...tiers, null])
      for (const environment of [...environments, null])
        for (const memory of [false, true])
          for (const escalation of [false, true])
            for (const backend of [false, true]) yield { intent, tier, environment, memory, escalation, backend };
}

/** The seed in other words: what is DEGRADED is one short list, and all else is enforced. */
const degraded = new Set(
  ['chat', 'summarize', 'classify'].flatMap((intent) =>
    ['local', 'dev'].map((environment) => `${intent} D ${environment} no memory, no escalation, backend`),
  ),
);
const asText = ({ intent, tier, environment, memory, escalation, backend }: TelemetryFacts): string =>
  `${intent ?? '-'} ${tier ?? '-'} ${environment ?? '-'} ${memory ? 'memory' : 'no memory'}, ${escalation ? 'escalation' : 'no escalation'}, ${backend ? 'backend' : 'no backend'}`;

/** Returns whether rule 1 of the seed holds, from its text. */
function forced({ intent, tier, environment, memory, escalation }: TelemetryFacts): boolean {
  const authority = tier === null ? -1 : 'DCBA'.indexOf(tier);
  const code = intent?.startsWith('code_') === true;
  const decides = intent === 'architecture' || intent === 'domain' || intent === 'refactor';
  const shared = environment !== null && environment !== 'local' && environment !== 'dev';
  return code || decides || authority >= 'DCBA'.indexOf('B') || memory || escalation || shared;
}

describe('the telemetry mode of a task', () => {
  it('is what the three ordered rules of the seed say, for every combination', () => {
    let all = 0;
    const found: string[] = [];
    for (const facts of combinations()) {
      all += 1;
      const { mode, rule } = selectTelemetryMode(facts);
      if (mode === 'DEGRADED') found.push(asText(facts));
      assert.equal(mode === 'DEGRADED', degraded.has(asText(facts)), asText(facts));
      assert.equal(rule, forced(facts) ? 1 : degraded.has(asText(facts)) ? 2 : 3, asText(facts));
    }
    assert.equal(all, 13 * 5 * 5 * 8);
    assert.equal(found.length, 6);
  });

  it('DEGRADED allows nothing else later, whatever else is resolved or attempted; ENFORCED allows everything', () => {
    for (const facts of combinations()) {
      assert.equal(telemetryBreach('ENFORCED', facts), null, asText(facts));
      // Where the task runs is no part of the guardrail.
      const kept = degraded.has(asText({ ...facts, environment: 'local' }));
      assert.equal(telemetryBreach('DEGRADED', facts) === null, kept, asText(facts));
    }
  });

  it('says what broke it', () => {
    const facts = {
      intent: 'chat',
      tier: 'D',
      environment: 'dev',
      memory: false,
      escalation: false,
      backend: true,
    } as const;
    assert.equal(telemetryBreach('DEGRADED', { ...facts, tier: 'B' }), 'telemetry is DEGRADED, and tier is B');
    assert.equal(
      telemetryBreach('DEGRADED', { ...facts, backend: false }),
      'telemetry is DEGRADED, and backend is false',
    );
  });
});
