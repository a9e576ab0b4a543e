import type { AgentName } from '../../contracts/vocabulary/workers';
import { defaultModelId, type CapabilityProfile, type ModelPolicy, type PolicyModel } from './policy';

/** Far above what a task uses: they end what runs away. */
const high: CapabilityProfile = { max_calls_per_task: 40, max_retries: 10, max_tokens: 50_000_000 };
const light: CapabilityProfile = { max_calls_per_task: 10, max_retries: 3, max_tokens: 5_000_000 };

const model = (
  worker: AgentName,
  id: string,
  tier: PolicyModel['tier'],
  profile: string,
  names: readonly string[],
): PolicyModel => ({ id, worker, names, tier, profile });

/** The CLI's own choice: `names` are its words for that. */
const ownChoice = (worker: AgentName, ...names: readonly string[]): PolicyModel =>
  model(worker, defaultModelId(worker), 'A', defaultModelId(worker), names);

/**
 * The defaults. Names are patterns of families, so that a model of next month needs no new version.
 * The routes are those of seed 004, with A beside B, because A has every authority of B there. A is
 * also what a CLI's own choice counts as.
 */
export const shippedPolicy: ModelPolicy = {
  models: [
    ownChoice('claude', 'default', 'opusplan'),
    model('claude', 'claude-opus', 'A', 'claude_high', ['opus', 'opus[1m]', '*claude-opus-*', '*claude-*-opus*']),
    model('claude', 'claude-fable', 'A', 'claude_high', ['fable', '*claude-fable-*']),
    model('claude', 'claude-sonnet', 'A', 'claude_high', [
      'sonnet',
      'sonnet[1m]',
      '*claude-sonnet-*',
      '*claude-*-sonnet*',
    ]),
    model('claude', 'claude-haiku', 'B', 'claude_mid', ['haiku', '*claude-haiku-*', '*claude-*-haiku*']),
    ownChoice('codex'),
    model('codex', 'gpt-small', 'B', 'codex_mid', [
      'gpt-5.4-mini',
      'gpt-*mini*',
      'gpt-*nano*',
      'gpt-4o*',
      'codex-mini*',
      'o3-mini*',
      'o4-mini*',
    ]),
    model('codex', 'gpt', 'A', 'codex_high', ['gpt-6.1-sol', 'gpt-*', 'codex-*', 'o3*', 'o4*']),
    ownChoice('gemini', 'auto', 'auto-*'),
    model('gemini', 'gemini-preview', 'C', 'preview_readonly', ['gemini-3-pro-preview', 'gemini-*preview*']),
    model('gemini', 'gemini-flash', 'B', 'gemini_mid', ['gemini-2.5-flash', 'flash', 'flash-lite', 'gemini-*flash*']),
    model('gemini', 'gemini-pro', 'A', 'gemini_high', ['gemini-2.5-pro', 'pro', 'gemini-*pro*']),
    ownChoice('opencode'),
    model('opencode', 'opencode-free', 'D', 'free_assistive', ['opencode/big-pickle', 'opencode/*-free', '*:free']),
    model('opencode', 'opencode-preview', 'C', 'preview_readonly', ['*/*gemini-*preview*']),
    model('opencode', 'opencode-small', 'B', 'opencode_mid', [
      'anthropic/claude-haiku-4-5',
      '*/*haiku*',
      '*/*flash*',
      '*/gpt-*mini*',
      '*/gpt-*nano*',
      '*/codex-mini*',
      '*/o3-mini*',
      '*/o4-mini*',
    ]),
    // Its providers, local ones among them, are configured by the person, who names them.
    model('opencode', 'opencode-configured', 'A', 'opencode_high', ['*/*']),
  ],
  profiles: {
    claude_default: high,
    claude_high: high,
    claude_mid: high,
    codex_default: high,
    codex_high: high,
    codex_mid: high,
    gemini_default: high,
    gemini_high: high,
    gemini_mid: high,
    opencode_default: high,
    opencode_high: high,
    opencode_mid: high,
    preview_readonly: light,
    free_assistive: light,
  },
  routing: {
    generate_context: { tiers: ['A', 'B'] },
    refactor: { tiers: ['A'] },
    architecture: { tiers: ['A'] },
    domain: { tiers: ['A'] },
    code_generation: { tiers: ['A'] },
    code_review: { tiers: ['A'] },
    debugging: { tiers: ['A', 'B'] },
    planning: { tiers: ['A', 'B'] },
    research: { tiers: ['A', 'B'] },
    summarize: { tiers: ['A', 'B', 'D'] },
    classify: { tiers: ['A', 'B', 'C'] },
    chat: { tiers: ['A', 'B', 'D'] },
  },
  refuse: [],
};
