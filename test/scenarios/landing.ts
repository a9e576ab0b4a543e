import type { LaunchLayers } from '../../src/contracts/launch';
import type { Effect } from '../../src/core/mission/effects';
import type { Attempt } from '../../src/core/model/attempt';
import type { Report } from '../../src/core/model/inputs';
import type { AttemptScript } from './scenario';

const tree = { at: '/ws', up: '/l/up', seen_by: [], seen_at: '/l/at' };

/** The layers of a launch whose script has some. */
export function layersOf({ layered, landing }: AttemptScript): { readonly layers?: LaunchLayers } {
  if (!layered && !landing) return {};
  const waits = landing && ({ waits: true } as const);
  return { layers: { folder: '/l', kept: '/k', home: null, caches: [], tree: { ...tree, ...waits } } };
}

/** Says what becomes of the work that waits. */
export function landed(
  { task_id, attempt }: Extract<Effect, { readonly kind: 'landWork' }>,
  lane: Attempt | undefined,
  { landing }: AttemptScript,
): Report {
  const launch_id = lane?.stage.at === 'landing' ? lane.stage.launch_id : '';
  const unit = { task_id, attempt, launch_id };
  if (landing === 'lands') return { type: 'WorkHasLanded', ...unit };
  const changed = landing === 'changed' ? ['src/a.ts'] : [];
  return { type: 'WorkCouldNotLand', ...unit, changed, reason: 'It cannot be put there.' };
}
