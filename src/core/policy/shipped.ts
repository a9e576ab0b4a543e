import { agentNames } from '../../contracts/vocabulary/workers';
import { agentWorkers } from '../../workers/registry';
import { defaultModelId, type CapabilityProfile, type ModelPolicy, type PolicyModel } from './policy';

/** Far above what a task uses: they end what runs away. */
const high: CapabilityProfile = { max_calls_per_task: 40, max_retries: 10, max_tokens: 50_000_000 };
const light: CapabilityProfile = { max_calls_per_task: 10, max_retries: 3, max_tokens: 5_000_000 };

/**
 * The defaults. Names are patterns of families, so that a model of next month needs no new version.
 * The routes are those of seed 004, with A beside B, because A has every authority of B there. A is
 * also what a CLI's own choice counts as.
 */
export const shippedPolicy: ModelPolicy = {
  models: agentNames.flatMap((worker): readonly PolicyModel[] => {
    const { ownChoice, models } = agentWorkers[worker];
    const own = defaultModelId(worker);
    return [
      { id: own, worker, names: ownChoice, tier: 'A', profile: own },
      ...models.map(({ id, names, tier, profile }) => {
        const named = profile === 'high' || profile === 'mid' ? `${worker}_${profile}` : profile;
        return { id, worker, names, tier, profile: named };
      }),
    ];
  }),
  profiles: {
    ...Object.fromEntries(
      agentNames.flatMap((worker) => ['default', 'high', 'mid'].map((level) => [`${worker}_${level}`, high])),
    ),
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
