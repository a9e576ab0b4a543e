import type { ConfiguredProvider } from '../../workers/worker';
import type { Outcome } from '../../base/outcome';
import type { AgentName } from '../../contracts/vocabulary/workers';
import type { Surface } from '../../base/text/optionNames';

/** Caches its answers for each executable file, also that it did not answer in time. */
export interface WorkerCatalog {
  /** The surface whose option names refusals use; default: the terminal's. */
  readonly surface?: Surface;
  /** True where `resolve` would find it. Starts nothing, so it does not ask for the version. */
  isHere(worker: AgentName): Promise<boolean>;
  /** @param asked `again`: asks once more a CLI that did not answer in time, because a busy machine recovers */
  resolve(worker: string, asked?: 'again'): Promise<Outcome<ResolvedWorker>>;
}

export interface ResolvedWorker {
  readonly executable: string;
  readonly version: string | null;
  readonly extra_args: readonly string[];
  readonly env_names: readonly string[];
  readonly default_model: string | null;
  /** Hosts beside those of its provider, `HOST:PORT` each: configured, or of a base URL. */
  readonly hosts?: readonly string[];
  /** Where its launches lead; absent: it is a command of the plan. */
  readonly provider?: ProviderFacts;
}

/** `hosts`: `HOST:PORT` each. */
export interface ProviderFacts extends ConfiguredProvider {
  /** Variables that another provider would need, which are set here and not passed. */
  readonly not_passed: readonly string[];
}
