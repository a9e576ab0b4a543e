import type { Intent, Tier } from '../../contracts/vocabulary/intents';
import type { AgentName } from '../../contracts/vocabulary/workers';
import type { ModelSelection } from '../../contracts/taskEvidence';

/** Which model may perform which task: a policy document compiled into tables. Source: seed 004. */
export interface ModelPolicy {
  /** The first whose name fits counts. */
  readonly models: readonly PolicyModel[];
  readonly profiles: Readonly<Record<string, CapabilityProfile>>;
  readonly routing: Readonly<Record<Intent, Route>>;
  /** Names that are never used; `*` stands for any text. */
  readonly refuse: readonly string[];
}

export interface PolicyModel {
  readonly id: string;
  readonly worker: AgentName;
  /** The names that the CLI takes or reports. The first is what the CLI is given where policy chooses. */
  readonly names: readonly string[];
  readonly tier: Tier;
  /** A key of `profiles`. */
  readonly profile: string;
}

/** What one task may use before a person decides anew. */
export interface CapabilityProfile {
  readonly max_calls_per_task: number;
  readonly max_retries: number;
  readonly max_tokens: number;
}

export interface Route {
  readonly tiers: readonly Tier[];
  /** Absent: every model of these tiers, in the order of `models`. */
  readonly models?: readonly string[];
}

export interface EffectivePolicy {
  readonly policy: ModelPolicy;
  /** Digest of its canonical text; upper-case hex. */
  readonly sha256: string;
  readonly sources: readonly PolicySource[];
}

/** The policy that missions of a workspace get, or the file that cannot be followed, as a person finds it. */
export type PolicyReading =
  | { readonly ok: true; readonly policy: EffectivePolicy }
  | {
      readonly ok: false;
      readonly code: 'POLICY_INVALID' | 'POLICY_WIDENED';
      readonly file: string;
      readonly problems: readonly string[];
    };

/** `path`: absolute for a machine's, relative to the workspace for a repository's; null for what is shipped. */
export interface PolicySource {
  readonly kind: 'shipped' | 'machine' | 'repository';
  readonly path: string | null;
}

/** The entry of a CLI whose model no plan and no setting names. */
export function defaultModelId(worker: AgentName): string {
  return `${worker}_default`;
}

export function modelNamed(policy: ModelPolicy, worker: AgentName, name: string): PolicyModel | undefined {
  return policy.models.find((model) => model.worker === worker && model.names.some((pattern) => fits(pattern, name)));
}

/** A file may give a profile any name, also one that every object has. */
export function profileNamed(policy: Pick<ModelPolicy, 'profiles'>, name: string): CapabilityProfile | undefined {
  return Object.hasOwn(policy.profiles, name) ? policy.profiles[name] : undefined;
}

export function isRefused(policy: ModelPolicy, name: string): boolean {
  return policy.refuse.some((pattern) => fits(pattern, name));
}

/** Whatever the case, as some CLIs take a name. Linear in both texts: a pattern of a file may be anything. */
export function fits(pattern: string, name: string): boolean {
  const text = name.toLowerCase();
  const [first = '', ...parts] = pattern.toLowerCase().split('*');
  const last = parts.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}

/** A selection in words, for the record of phase 3 and for who approves. */
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
