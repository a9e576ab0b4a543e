import type { RawChange } from '../../core/observation/change';
import type { MakerSign } from '../../core/observation/likelyMakers';

/** Signs of who may have made changes: other worktrees, editors, processes. */
export interface Makers {
  /** Never throws. Finds no signs where this machine shows none, and looks for a bounded time only. */
  signsOf(changes: readonly Pick<RawChange, 'path' | 'kind'>[]): Promise<readonly MakerSign[]>;
}
