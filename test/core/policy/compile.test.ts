import assert from 'node:assert/strict';
import type { ModelPolicyDocument } from '../../../src/contracts/modelPolicy';
import { compilePolicy, narrowPolicy, type Compiled } from '../../../src/core/policy/compile';
import { fits } from '../../../src/core/policy/policy';
import { shippedPolicy } from '../../../src/core/policy/shipped';

type Document = Omit<ModelPolicyDocument, 'schema_version'>;
type Model = NonNullable<Document['models']>[number];
const machine = (given: Document): Compiled => compilePolicy(shippedPolicy, { schema_version: '1.0.0', ...given });
const repository = (given: Document): Compiled => narrowPolicy(shippedPolicy, { schema_version: '1.0.0', ...given });
const problems = (compiled: Compiled): readonly string[] =>
  compiled.ok ? [] : compiled.problems.map(({ code, pointer }) => `${code} ${pointer}`);

const opus: Model = { id: 'claude-opus', worker: 'claude', names: ['opus'], tier: 'A', profile: 'claude_high' };

describe('a policy document', () => {
  it('of a machine adds and changes; what it does not name stays', () => {
    const house: Model = { id: 'house', worker: 'claude', names: ['house-*'], tier: 'B', profile: 'house' };
    const compiled = machine({
      models: [house],
      profiles: { house: { max_tokens: 1000 }, claude_high: { max_retries: 0 } },
      routing: { code_generation: { tiers: ['A', 'B'] } },
      refuse: ['gpt-4o*'],
    });
    assert.ok(compiled.ok);
    const { policy } = compiled;
    assert.deepEqual(policy.models, [house, ...shippedPolicy.models]);
    assert.deepEqual(policy.profiles['claude_high'], { ...shippedPolicy.profiles['claude_high'], max_retries: 0 });
    assert.equal(policy.profiles['house']?.max_tokens, 1000);
    assert.deepEqual(policy.routing, { ...shippedPolicy.routing, code_generation: { tiers: ['A', 'B'] } });
    assert.deepEqual(policy.refuse, ['gpt-4o*']);
  });

  it('that names what is not there is invalid', () => {
    const unknown = machine({ models: [{ ...opus, profile: 'claude_hgh' }] });
    assert.ok(!unknown.ok);
    assert.match(unknown.problems[0]?.message ?? '', /^Model claude-opus names profile claude_hgh\. .*\bclaude_high\b/);
    assert.deepEqual(problems(machine({ models: [{ ...opus, profile: 'constructor' }] })), [
      'POLICY_INVALID /models/0/profile',
    ]);
    assert.deepEqual(problems(machine({ models: [opus, opus] })), ['POLICY_INVALID /models']);
    assert.deepEqual(problems(machine({ routing: { chat: { models: ['nobody'] } } })), [
      'POLICY_INVALID /routing/chat/models/0',
    ]);
  });

  it('of a repository may narrow: tiers, models, profiles, refused names', () => {
    const compiled = repository({
      routing: { chat: { tiers: ['A'] }, refactor: { models: ['claude-opus'] } },
      profiles: { claude_default: { max_tokens: 10 } },
      refuse: ['*'],
    });
    assert.deepEqual(problems(compiled), []);
    assert.ok(compiled.ok);
    assert.deepEqual(compiled.policy.routing.chat, { tiers: ['A'] });
    assert.equal(compiled.policy.profiles['claude_default']?.max_tokens, 10);
  });

  for (const [what, given, pointer] of [
    ['a tier more', { routing: { code_generation: { tiers: ['A', 'B'] } } }, '/routing/code_generation/tiers'],
    [
      'more tokens',
      { profiles: { claude_default: { max_tokens: 900_000_000 } } },
      '/profiles/claude_default/max_tokens',
    ],
    ['a profile of its own', { profiles: { mine: { max_retries: 3 } } }, '/profiles/mine/max_retries'],
    ['another tier for a model', { models: [{ ...opus, id: 'claude-haiku', names: ['haiku'] }] }, '/models/0'],
    // The first name that fits counts, so an entry that is moved or made smaller opens another one.
    [
      'fewer names of a model',
      { models: [{ ...opus, id: 'gpt-small', worker: 'codex', tier: 'B', names: [] }] },
      '/models/0',
    ],
  ] as const)
    it(`of a repository that asks for ${what} widens`, () => {
      assert.deepEqual(problems(repository(given as unknown as Document)), [`POLICY_WIDENED ${pointer}`]);
      assert.deepEqual(problems(machine(given as unknown as Document)), [], 'a machine may');
    });

  it('of a repository may not bring back what this machine took out of a list', () => {
    const narrowed = machine({ routing: { refactor: { models: ['claude-opus'] } } });
    assert.ok(narrowed.ok);
    const given: Document = { routing: { refactor: { models: ['claude-sonnet'] } } };
    assert.deepEqual(problems(narrowPolicy(narrowed.policy, { schema_version: '1.0.0', ...given })), [
      'POLICY_WIDENED /routing/refactor/models',
    ]);
    const kept = narrowPolicy(narrowed.policy, { schema_version: '1.0.0', routing: { refactor: { tiers: ['A'] } } });
    assert.ok(kept.ok);
    assert.deepEqual(kept.policy.routing.refactor.models, ['claude-opus'], 'a route that is named keeps its list');
  });

  it('matches names from end to end, and a star any text', () => {
    for (const [pattern, text, expected] of [
      ['opus', 'opus', true],
      ['opus', 'opus-2', false],
      ['claude-*', 'claude-', true],
      ['claude-*', 'xclaude-1', false],
      ['*-free', 'opencode/kimi-free', true],
      ['a*b*c', 'aXbYc', true],
      ['a*b*c', 'acb', false],
      ['ab*ba', 'aba', false],
      ['gpt-*mini*', 'gpt-5-mini', true],
      ['*', '', true],
      ['opus[1m]', 'opus1', false],
      ['*:free', 'openrouter/x/y:FREE', true],
      ['Opus*', 'opus', true],
    ] as const)
      assert.equal(fits(pattern, text), expected, `${pattern} ${text}`);
  });

  it('takes a pattern of stars and a long name in its stride', () => {
    assert.equal(fits(`${'*a'.repeat(90)}b`, 'a'.repeat(200)), false);
  });
});
