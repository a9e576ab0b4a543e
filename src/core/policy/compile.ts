import type { ModelPolicyDocument } from '../../contracts/modelPolicy';
import { intents, tiers, type Intent, type Tier } from '../../contracts/vocabulary/intents';
import { profileNamed, type CapabilityProfile, type ModelPolicy, type Route } from './policy';

export interface PolicyProblem {
  readonly code: 'POLICY_INVALID' | 'POLICY_WIDENED';
  /** JSON pointer. */
  readonly pointer: string;
  readonly message: string;
}

export type Compiled =
  | { readonly ok: true; readonly policy: ModelPolicy }
  | { readonly ok: false; readonly problems: readonly PolicyProblem[] };

/** Routes that no policy can open. Source: seed 004. */
const forbidden: readonly { readonly tier: Tier; readonly intents: readonly Intent[] }[] = [
  { tier: 'D', intents: ['code_review', 'code_generation', 'refactor', 'architecture', 'domain', 'generate_context'] },
  { tier: 'B', intents: ['refactor'] },
  { tier: 'C', intents: ['refactor', 'code_generation', 'architecture', 'domain', 'generate_context'] },
];

export function isForbidden(tier: Tier, intent: Intent): boolean {
  return forbidden.some((route) => route.tier === tier && route.intents.includes(intent));
}

/** The document of a machine over what is shipped: what it does not name stays. */
export function compilePolicy(base: ModelPolicy, document: ModelPolicyDocument): Compiled {
  const policy = overlaid(base, document);
  const problems = [...unknownNames(policy, document), ...forbiddenRoutes(document)];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, policy };
}

/** The document of a repository over the policy of the machine: it may only narrow that. */
export function narrowPolicy(base: ModelPolicy, document: ModelPolicyDocument): Compiled {
  const compiled = compilePolicy(base, document);
  if (!compiled.ok) return compiled;
  const problems = [...widenedModels(document), ...widenedProfiles(base, document), ...widenedRoutes(base, document)];
  return problems.length > 0 ? { ok: false, problems } : compiled;
}

function overlaid(
  base: ModelPolicy,
  { models = [], profiles = {}, routing = {}, refuse = [] }: ModelPolicyDocument,
): ModelPolicy {
  const own = new Set(models.map(({ id }) => id));
  return {
    models: [...models, ...base.models.filter(({ id }) => !own.has(id))],
    profiles: {
      ...base.profiles,
      ...Object.fromEntries(
        Object.entries(profiles).map(([name, given]) => [name, over(profileNamed(base, name) ?? unlimited, given)]),
      ),
    },
    routing: { ...base.routing, ...routesOver(base.routing, routing) },
    refuse: [...new Set([...base.refuse, ...refuse])],
  };
}

function over(
  known: CapabilityProfile,
  given: NonNullable<ModelPolicyDocument['profiles']>[string],
): CapabilityProfile {
  return {
    max_calls_per_task: given.max_calls_per_task ?? known.max_calls_per_task,
    max_retries: given.max_retries ?? known.max_retries,
    max_tokens: given.max_tokens ?? known.max_tokens,
  };
}

function routesOver(
  base: ModelPolicy['routing'],
  given: NonNullable<ModelPolicyDocument['routing']>,
): Partial<Record<Intent, Route>> {
  return Object.fromEntries(
    intents.flatMap((intent) => {
      const route = given[intent];
      if (!route) return [];
      const models = route.models ?? base[intent].models;
      return [[intent, { tiers: route.tiers ?? base[intent].tiers, ...(models && { models }) }]];
    }),
  );
}

/** The start of a profile that a machine names first: what it leaves out has no limit. */
const unlimited: CapabilityProfile = {
  max_calls_per_task: 1_000_000_000,
  max_retries: 1_000_000_000,
  max_tokens: 1_000_000_000,
};

function unknownNames(
  policy: ModelPolicy,
  { models = [], routing = {} }: ModelPolicyDocument,
): readonly PolicyProblem[] {
  const ids = new Set(policy.models.map(({ id }) => id));
  const profiles = Object.keys(policy.profiles).join(', ');
  const twice = models.filter(({ id }, index) => models.findIndex((other) => other.id === id) < index);
  return [
    ...twice.map(({ id }) => invalid('/models', `Model ${id} stands twice.`)),
    ...models.flatMap(({ id, profile }, index) =>
      profileNamed(policy, profile)
        ? []
        : [
            invalid(
              `/models/${index}/profile`,
              `Model ${id} names profile ${profile}. The profiles are ${profiles}; a file may add others.`,
            ),
          ],
    ),
    ...intents.flatMap((intent) =>
      (routing[intent]?.models ?? []).flatMap((id, index) =>
        ids.has(id) ? [] : [invalid(`/routing/${intent}/models/${index}`, `There is no model ${id}.`)],
      ),
    ),
  ];
}

function forbiddenRoutes({ routing = {} }: ModelPolicyDocument): readonly PolicyProblem[] {
  return intents.flatMap((intent) =>
    tiers.flatMap((tier) =>
      routing[intent]?.tiers?.includes(tier) === true && isForbidden(tier, intent)
        ? [invalid(`/routing/${intent}/tiers`, `No policy can let tier ${tier} perform ${intent}.`)]
        : [],
    ),
  );
}

/** Fewer names or another order would let a name fall to an entry of another tier. */
function widenedModels({ models = [] }: ModelPolicyDocument): readonly PolicyProblem[] {
  return models.map(({ id }, index) =>
    widened(
      `/models/${index}`,
      `The file of a repository cannot add or change the model ${id}; only that of a machine can.`,
    ),
  );
}

function widenedProfiles(base: ModelPolicy, { profiles = {} }: ModelPolicyDocument): readonly PolicyProblem[] {
  const limits = ['max_calls_per_task', 'max_retries', 'max_tokens'] as const;
  return Object.entries(profiles).flatMap(([name, given]) => {
    const known = profileNamed(base, name);
    return limits.flatMap((limit) => {
      const value = given[limit];
      if (value === undefined || (known !== undefined && value <= known[limit])) return [];
      const most = known === undefined ? 'has no such profile' : `allows ${known[limit]}`;
      return [widened(`/profiles/${name}/${limit}`, `${name} asks for ${limit} ${value}; this machine ${most}.`)];
    });
  });
}

function widenedRoutes(base: ModelPolicy, { routing = {} }: ModelPolicyDocument): readonly PolicyProblem[] {
  return intents.flatMap((intent) => {
    const given = routing[intent];
    const known = base.routing[intent];
    const more = (given?.tiers ?? []).filter((tier) => !known.tiers.includes(tier));
    const others = (given?.models ?? []).filter((id) => known.models?.includes(id) === false);
    return [
      ...more.map((tier) =>
        widened(
          `/routing/${intent}/tiers`,
          `Tier ${tier} for ${intent} is more than this machine allows (${known.tiers.join(', ') || 'none'}).`,
        ),
      ),
      ...others.map((id) =>
        widened(`/routing/${intent}/models`, `Model ${id} for ${intent} is more than this machine allows.`),
      ),
    ];
  });
}

function invalid(pointer: string, message: string): PolicyProblem {
  return { code: 'POLICY_INVALID', pointer, message };
}

function widened(pointer: string, message: string): PolicyProblem {
  return { code: 'POLICY_WIDENED', pointer, message };
}
