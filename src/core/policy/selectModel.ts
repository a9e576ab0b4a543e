import type { ModelSelection } from '../../contracts/taskEvidence';
import { type Intent, type Tier, roleOfIntent } from '../../contracts/vocabulary/intents';
import { machinePolicyName, type JudgedReport } from '../../contracts/vocabulary/models';
import type { AgentName } from '../../contracts/vocabulary/workers';
import {
  defaultModelId,
  isRefused,
  modelNamed,
  type EffectivePolicy,
  type ModelPolicy,
  type PolicyModel,
} from './policy';

export interface WantedModel {
  readonly worker: AgentName;
  readonly intent: Intent;
  /** The declared tier; null: any. */
  readonly tier: Tier | null;
  /** The model of the plan; null: it names none. */
  readonly model: string | null;
  /** The model that this machine's settings name for the CLI; null: none. */
  readonly configured?: string | null;
}

export type Selected =
  | { readonly ok: true; readonly selection: ModelSelection }
  | { readonly ok: false; readonly reason: string };

/** The plan's name binds, else that of the settings: policy only refuses it. Else the CLI's own choice comes first. */
export function selectModel({ policy, sha256 }: EffectivePolicy, wanted: WantedModel): Selected {
  const { worker, model: asked } = wanted;
  if (asked !== null && !modelNamed(policy, worker, asked))
    return { ok: false, reason: `The model policy lists no model ${asked} of ${worker}.` };
  const candidates = candidatesOf(policy, wanted);
  const reasons = new Set<string>();
  for (const { model, resolved_id } of candidates) {
    const reason = modelRefusal(policy, wanted, model, resolved_id);
    if (reason !== null) reasons.add(reason);
    else
      return {
        ok: true,
        selection: {
          logical_id: model.id,
          resolved_id,
          tier: model.tier,
          capability_profile: model.profile,
          role: roleOfIntent[wanted.intent],
          policy_sha256: sha256,
        },
      };
  }
  const [first] = reasons;
  if (first !== undefined && candidates.length === 1) return { ok: false, reason: first };
  const why = first ?? `No model of ${wanted.worker} is listed for ${wanted.intent}.`;
  const others = candidates.length > 1 ? ` No other model of ${wanted.worker} is eligible either.` : '';
  return { ok: false, reason: `${why}${others}` };
}

/** Says why policy lets this model not perform the task; null: it does. `name`: as the CLI takes or reports it. */
export function modelRefusal(
  policy: ModelPolicy,
  { intent, tier }: Pick<WantedModel, 'intent' | 'tier'>,
  model: PolicyModel,
  name: string | null,
): string | null {
  const route = policy.routing[intent];
  const who = name === null ? model.id : `${name} (${model.id})`;
  if (name !== null && isRefused(policy, name)) return `The model policy refuses ${name}.`;
  if (tier !== null && tier !== model.tier)
    return `${who} is of tier ${model.tier}, and the task declares tier ${tier}.`;
  if (!route.tiers.includes(model.tier))
    return `${who} is of tier ${model.tier}; ${intent} is for ${route.tiers.map((one) => `tier ${one}`).join(' or ') || 'no tier'}.`;
  if (route.models && !route.models.includes(model.id)) return `${who} is not among the models for ${intent}.`;
  return null;
}

export function policyStep({ policy }: EffectivePolicy, wanted: WantedModel): string {
  const { worker, model, configured = null } = wanted;
  const place = model === null && configured !== null ? 'in the settings or with --cli-model' : 'in the plan';
  return `Name another model ${place}, or ${remedy(policy, worker, model ?? configured)} (\`mission doctor\` says where).`;
}

function remedy(policy: ModelPolicy, worker: AgentName, name: string | null): string {
  if (name === null) return `list a model of ${worker} in this machine's ${machinePolicyName}`;
  if (isRefused(policy, name)) return `take ${name} out of \`refuse\` in the model policy`;
  return modelNamed(policy, worker, name)
    ? `let a tier or a route of this machine's ${machinePolicyName} allow ${name}`
    : `list ${name} in this machine's ${machinePolicyName}`;
}

interface Candidate {
  readonly model: PolicyModel;
  readonly resolved_id: string | null;
}

function candidatesOf(policy: ModelPolicy, wanted: WantedModel): readonly Candidate[] {
  const { worker, intent } = wanted;
  const named = wanted.model ?? wanted.configured ?? null;
  const own = policy.models.find(({ id }) => id === defaultModelId(worker));
  if (named !== null) {
    // A name of the settings that no policy lists stands for what the CLI would choose by itself.
    const model = modelNamed(policy, worker, named) ?? own;
    return model ? [{ model, resolved_id: named }] : [];
  }
  const { models: order } = policy.routing[intent];
  const of = policy.models.filter((model) => model.worker === worker);
  const ordered = order ? order.flatMap((id) => of.filter((model) => model.id === id)) : [...(own ? [own] : []), ...of];
  return ordered.flatMap((model): readonly Candidate[] => {
    if (model === own) return [{ model, resolved_id: null }];
    const [first] = model.names;
    return first === undefined || first.includes('*') ? [] : [{ model, resolved_id: first }];
  });
}

export type ReportedModel =
  | { readonly kind: Exclude<JudgedReport, 'refused'> }
  | { readonly kind: 'refused'; readonly reason: string };

/** Judges whether policy allows the model that ran. A CLI reports other names for its models than it is given. */
export function judgeReported(
  policy: ModelPolicy,
  wanted: Pick<WantedModel, 'worker' | 'intent' | 'tier'>,
  selection: ModelSelection,
  reported: string | null,
): ReportedModel {
  if (reported === null) return { kind: 'not_reported' };
  const ran = `The CLI reports ${reported}`;
  if (isRefused(policy, reported)) return { kind: 'refused', reason: `${ran}, which the model policy refuses.` };
  const { logical_id, resolved_id, tier } = selection;
  const model = modelNamed(policy, wanted.worker, reported);
  const chosenByCli = logical_id === defaultModelId(wanted.worker);
  if (reported === resolved_id || model?.id === logical_id) return { kind: 'as_selected' };
  if (!model)
    return chosenByCli
      ? { kind: 'unlisted' }
      : { kind: 'refused', reason: `${ran}, which the model policy does not list; ${logical_id} was selected.` };
  // What a CLI chooses by itself counts as tier A only until it says what it is.
  if (!chosenByCli && model.tier !== tier)
    return {
      kind: 'refused',
      reason: `${ran} (${model.id}), of tier ${model.tier}; ${logical_id} of tier ${tier} was selected.`,
    };
  const refusal = modelRefusal(policy, wanted, model, reported);
  return refusal === null ? { kind: 'allowed' } : { kind: 'refused', reason: `${ran}. ${refusal}` };
}
