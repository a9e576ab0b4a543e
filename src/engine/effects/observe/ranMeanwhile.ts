import { ranInOthers } from '../../../core/lifecycle/changes/ownChanges';
import { fold } from '../../../core/mission/evolve';
import type { Attempt } from '../../../core/model/attempt';
import type { Mission } from '../../../core/model/state';
import type { RanBeside } from '../../../core/observation/assignChangesToLanes';
import type { EnginePorts } from '../../ports/engine';
import { isMissionStream } from '../../ports/workspaceEvents';

/**
 * Reads what other missions of the workspace recorded since an attempt began. They may run while a person completes its
 * result. A mission whose journal is damaged answers for no change.
 */
export async function ranMeanwhile(
  { mission_id }: Pick<Mission, 'mission_id'>,
  { started_at }: Attempt,
  { journal }: Pick<EnginePorts, 'journal'>,
): Promise<RanBeside> {
  const others: Mission[] = [];
  for (const { stream } of await journal.streams()) {
    if (stream === mission_id || !isMissionStream(stream)) continue;
    try {
      let other: Mission | null = null;
      for await (const page of journal.pages(stream)) other = fold(page, other);
      if (other) others.push(other);
    } catch {
      // Its changes block the task then, and verification names the damage.
    }
  }
  return ranInOthers(others, started_at);
}
