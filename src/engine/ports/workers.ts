import type { Outcome } from '../../base/outcome';
import type { Surface } from '../../base/text/surface';

/** Finds a worker CLI and asks it for its version (cached per executable file). */
export interface WorkerCatalog {
  /** Whose words a refusal uses; default: the terminal's. */
  readonly surface?: Surface;
  resolve(worker: string): Promise<Outcome<ResolvedWorker>>;
}

export interface ResolvedWorker {
  readonly executable: string;
  readonly version: string | null;
  readonly extra_args: readonly string[];
  readonly env_names: readonly string[];
  readonly default_model: string | null;
}
