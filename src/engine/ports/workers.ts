import type { Outcome } from '../../base/outcome';
import type { AgentName } from '../../contracts/vocabulary/workers';
import type { Surface } from '../../base/text/surface';

/** Finds a worker CLI and its version (cached for each executable file, also where it did not answer in time). */
export interface WorkerCatalog {
  /** Whose option names refusals use; default: the terminal's. */
  readonly surface?: Surface;
  /** True where `resolve` finds it; starts nothing, because it leaves the version out. */
  isHere(worker: AgentName): Promise<boolean>;
  /** @param asked `again`: a CLI that did not answer in time is asked once more, because a machine is busy for a while */
  resolve(worker: string, asked?: 'again'): Promise<Outcome<ResolvedWorker>>;
}

export interface ResolvedWorker {
  readonly executable: string;
  readonly version: string | null;
  readonly extra_args: readonly string[];
  readonly env_names: readonly string[];
  readonly default_model: string | null;
  /**
   * Further hosts that it may reach, `HOST:PORT` each, in addition to those of its provider: configured, or of a base
   * URL.
   */
  readonly hosts?: readonly string[];
  /** Where its launches lead; absent: a command of the plan. */
  readonly provider?: ProviderFacts;
}

/** Where the launches of a CLI lead, and what carries that over. */
export interface ProviderFacts {
  /** `HOST:PORT` each. */
  readonly hosts: readonly string[];
  /** `default`, or the file and key, or the variable, that says so. */
  readonly from: string;
  readonly args: readonly string[];
  /** Names of variables that the CLI needs for it. */
  readonly variables: readonly string[];
  /** Nothing else is to be reached. */
  readonly alone: boolean;
  /** Variables that another provider would need, which are set here and not passed. */
  readonly not_passed: readonly string[];
}
