import type { ModelSelection } from '../../contracts/taskEvidence';
import type { JudgedReport } from '../../contracts/vocabulary/models';
import { defaultModelId, isRefused, modelNamed, type ModelPolicy } from './policy';
import { modelRefusal, type WantedModel } from './selectModel';

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
