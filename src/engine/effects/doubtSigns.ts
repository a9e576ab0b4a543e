import { attributeChanges } from '../../core/lifecycle/attributeChanges';
import type { Attempt } from '../../core/model/attempt';
import type { Mission } from '../../core/model/state';
import type { RawChange } from '../../core/observation/change';
import type { MakerSign } from '../../core/observation/makerSigns';
import type { EnginePorts } from '../ports/engine';

/** Finds signs of who may have made the changes that only their time links to the worker. */
export async function signsOfDoubts(
  mission: Mission,
  lane: Attempt,
  found: readonly RawChange[],
  { makers, paths }: Pick<EnginePorts, 'makers' | 'paths'>,
): Promise<readonly MakerSign[]> {
  if (!makers || found.length === 0) return [];
  const { changes } = attributeChanges(mission, lane, found, paths.scope.comparison);
  const doubts = changes.filter(({ doubt }) => doubt !== undefined);
  return doubts.length === 0 ? [] : makers.signsOf(doubts);
}
