import assert from 'node:assert/strict';
import { intents, tiers, type Intent, type Tier } from '../../../src/contracts/vocabulary/intents';
import { agentNames, type AgentName } from '../../../src/contracts/vocabulary/workers';
import { compilePolicy, isForbidden } from '../../../src/core/policy/compile';
import type { EffectivePolicy, ModelPolicy } from '../../../src/core/policy/policy';
import { policyStep, selectModel, type WantedModel } from '../../../src/core/policy/selectModel';
import { shippedPolicy } from '../../../src/core/policy/shipped';

const effective = (policy: ModelPolicy): EffectivePolicy => ({ policy, sha256: 'A'.repeat(64), sources: [] });
const wanted = (given: Partial<WantedModel>): WantedModel => ({
  worker: 'claude',
  intent: 'code_generation',
  tier: null,
  model: null,
  ...given,
});
const selected = (given: Partial<WantedModel>, policy: ModelPolicy = shippedPolicy): string => {
  const found = selectModel(effective(policy), wanted(given));
  if (!found.ok) return found.reason;
  const { logical_id, resolved_id, tier, role } = found.selection;
  return `${logical_id} ${resolved_id ?? 'its own'} ${tier} ${role}`;
};

/** One model of each tier. */
const models: Readonly<Record<Tier, { readonly worker: AgentName; readonly model: string }>> = {
  A: { worker: 'claude', model: 'opus' },
  B: { worker: 'claude', model: 'haiku' },
  C: { worker: 'gemini', model: 'gemini-3-pro-preview' },
  D: { worker: 'opencode', model: 'opencode/big-pickle' },
};

/** The routes of seed 004 in other words, and A wherever B is. */
const allowed: Readonly<Record<Intent, string>> = {
  generate_context: 'AB',
  refactor: 'A',
  architecture: 'A',
  domain: 'A',
  code_generation: 'A',
  code_review: 'A',
  debugging: 'AB',
  planning: 'AB',
  research: 'AB',
  summarize: 'ABD',
  classify: 'ABC',
  chat: 'ABD',
};

describe('which model performs which task', () => {
  for (const intent of intents)
    it(`${intent}: ${allowed[intent].split('').join(', ')} as shipped`, () => {
      for (const tier of tiers) {
        const found = selectModel(effective(shippedPolicy), wanted({ intent, ...models[tier] }));
        assert.equal(found.ok, allowed[intent].includes(tier), `${intent} by tier ${tier}`);
        if (found.ok) assert.equal(found.selection.tier, tier);
        else assert.match(found.reason, new RegExp(`of tier ${tier}; ${intent} is for tier`));
      }
    });

  it('no route that is forbidden for ever is shipped, and no file opens one', () => {
    for (const intent of intents)
      for (const tier of tiers) {
        if (!isForbidden(tier, intent)) continue;
        assert.ok(!shippedPolicy.routing[intent].tiers.includes(tier), `${tier} ${intent}`);
        const compiled = compilePolicy(shippedPolicy, {
          schema_version: '1.0.0',
          routing: { [intent]: { tiers: [tier] } },
        });
        assert.ok(!compiled.ok && compiled.problems[0]?.code === 'POLICY_INVALID', `${tier} ${intent}`);
      }
  });

  it('every CLI performs every intent with the model that it chooses itself: no plan of before stops', () => {
    for (const worker of agentNames)
      for (const intent of intents)
        assert.match(selected({ worker, intent }), new RegExp(`^${worker}_default its own A `), `${worker} ${intent}`);
  });

  it('aliases, full names and names of another cloud are the same model', () => {
    const names = ['opus', 'claude-opus-5-5', 'claude-3-opus-20240229', 'us.anthropic.claude-opus-4-1-20250805-v1:0'];
    for (const model of names) assert.equal(selected({ model }), `claude-opus ${model} A executor`);
    assert.equal(selected({ worker: 'codex', model: 'gpt-6.1-sol' }), 'gpt gpt-6.1-sol A executor');
    assert.equal(
      selected({ worker: 'opencode', model: 'ollama/qwen3' }),
      'opencode-configured ollama/qwen3 A executor',
    );
  });

  it('a small model of a family is not the family', () => {
    for (const [worker, model] of [
      ['codex', 'gpt-5.4-mini'],
      ['gemini', 'gemini-3.5-flash-lite'],
      ['claude', 'claude-haiku-4-5'],
      ['opencode', 'anthropic/claude-haiku-4-5'],
      ['opencode', 'openrouter/deepseek-coder:free'],
      ['codex', 'o4-mini'],
      ['codex', 'codex-mini-latest'],
      ['opencode', 'openai/o3-mini-high'],
      ['claude', 'Haiku'],
    ] as const)
      assert.match(selected({ worker, model }), /is of tier [BD]; code_generation is for tier A\./, model);
  });

  it('a refusal says what helps: a list of names only where the name is on none', () => {
    const step = (given: Partial<WantedModel>, policy: ModelPolicy = shippedPolicy): string =>
      policyStep(effective(policy), wanted(given));
    const lists = /list house-7 in this machine's model-policy\.json/;
    assert.match(step({ model: 'house-7' }), lists);
    assert.doesNotMatch(step({ model: 'haiku' }), /list haiku/);
    assert.match(step({ model: 'haiku' }), /^Name another model in the plan, or let a tier or a route .* allow haiku/);
    const refuses = { ...shippedPolicy, refuse: ['opus'] };
    assert.match(step({ model: 'opus' }, refuses), /^Name another model in the plan, or take opus out of `refuse`/);
    assert.match(step({ configured: 'haiku' }), /^Name another model in the settings or with --cli-model, /);
  });

  it('a preview only reads, whichever CLI is given it', () => {
    for (const [worker, model] of [
      ['gemini', 'gemini-3-pro-preview'],
      ['opencode', 'google/gemini-3-pro-preview'],
      ['opencode', 'openrouter/google/gemini-2.5-flash-preview'],
    ] as const)
      assert.match(selected({ worker, model }), /is of tier C; code_generation is for tier A\./, model);
  });

  it('is the same however a setting spells it: Claude Code takes its aliases in every case', () => {
    assert.match(selected({ configured: 'HAIKU' }), /is of tier B/);
    assert.equal(selected({ model: 'Sonnet' }), 'claude-sonnet Sonnet A executor');
    const refusing = compilePolicy(shippedPolicy, { schema_version: '1.0.0', refuse: ['*opus*'] });
    assert.ok(refusing.ok);
    assert.equal(selected({ configured: 'Opus' }, refusing.policy), 'The model policy refuses Opus.');
  });

  it('what the plan names binds: it is refused, and never exchanged', () => {
    assert.equal(selected({ model: 'claude-next-1' }), 'The model policy lists no model claude-next-1 of claude.');
    assert.equal(
      selected({ model: 'sonnet', tier: 'B', intent: 'planning' }),
      'sonnet (claude-sonnet) is of tier A, and the task declares tier B.',
    );
    assert.equal(
      selected({ model: 'haiku', configured: 'opus' }),
      'haiku (claude-haiku) is of tier B; code_generation is for tier A.',
    );
  });

  it('what the settings name stands where the plan names nothing', () => {
    assert.equal(selected({ configured: 'sonnet' }), 'claude-sonnet sonnet A executor');
    assert.equal(selected({ configured: 'of-our-gateway' }), 'claude_default of-our-gateway A executor');
    assert.match(selected({ configured: 'haiku' }), /is of tier B/);
  });

  it('without a named one, the first that policy allows: of the tier, of the list, not refused', () => {
    assert.equal(selected({ intent: 'planning', tier: 'B' }), 'claude-haiku haiku B assistant');
    assert.equal(
      selected({ worker: 'opencode', intent: 'chat', tier: 'D' }),
      'opencode-free opencode/big-pickle D assistant',
    );
    assert.match(selected({ intent: 'chat', tier: 'D' }), /declares tier D\. No other model of claude is eligible/);
    const narrowed = compilePolicy(shippedPolicy, {
      schema_version: '1.0.0',
      routing: { code_generation: { models: ['claude-sonnet', 'claude-opus'] } },
      refuse: ['sonnet*'],
    });
    assert.ok(narrowed.ok);
    assert.equal(selected({}, narrowed.policy), 'claude-opus opus A executor');
    assert.equal(selected({ model: 'sonnet' }, narrowed.policy), 'The model policy refuses sonnet.');
    assert.match(selected({ worker: 'codex' }, narrowed.policy), /^No model of codex is listed for code_generation\./);
  });

  it('every shipped entry has a profile, an id of its own, and a tier that some intent allows', () => {
    assert.equal(new Set(shippedPolicy.models.map(({ id }) => id)).size, shippedPolicy.models.length);
    for (const { id, tier, profile } of shippedPolicy.models) {
      assert.ok(Object.hasOwn(shippedPolicy.profiles, profile), id);
      assert.ok(
        intents.some((intent) => shippedPolicy.routing[intent].tiers.includes(tier)),
        id,
      );
    }
  });
});
