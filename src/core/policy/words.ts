import type { ModelSelection } from '../../contracts/taskEvidence';
import type { PolicySource } from './policy';

export function selectionWords({
  logical_id,
  resolved_id,
  tier,
  capability_profile,
}: Omit<ModelSelection, 'policy_sha256'>): string {
  const model = resolved_id === null ? 'the model that the CLI chooses' : `model ${resolved_id} (${logical_id})`;
  const weight = tier === 'D' ? ', its result is not authoritative' : '';
  return `${model}: tier ${tier}, profile ${capability_profile}${weight}`;
}

export function sourcesWords(sources: readonly PolicySource[]): string {
  return sources.map(({ kind, path }) => (path === null ? kind : `${kind} ${path}`)).join(', ');
}
