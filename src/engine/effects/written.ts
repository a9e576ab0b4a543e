import type { MovedObstacle } from '../../core/model/facts';
import type { Report } from '../../core/model/inputs';
import type { Mission } from '../../core/model/state';
import type { Outcome, Refusal } from '../../base/outcome';
import type { WrittenFile } from '../ports/evidence';
import type { EnginePorts } from '../ports/engine';

/** Why something that the mission needs could not be done; a person can mend it. */
export class EffectRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super(`${refusal.code}: ${refusal.reason}`);
  }
}

/** A write that the evidence needs: when it is refused, the engine HALTs, says why, and tries again at the next start. */
export function written<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new EffectRefused(outcome.refusal);
}

export type Tell = (report: Report) => void;

/** Moves aside what stands where the mission writes, and says so: a folder made there must not wedge it. */
export async function clearWay(
  path: string,
  mission: Mission,
  ports: EnginePorts,
  tell: Tell,
): Promise<readonly MovedObstacle[]> {
  const moved = written(await ports.evidence.clear(path, mission.mission_id));
  for (const obstacle of moved) tell({ type: 'ObstacleWasMoved', ...obstacle });
  return moved;
}

/** Writes a file of the evidence or of the mission folder, whatever stands in its place. */
export async function put(
  path: string,
  content: string | Uint8Array,
  mission: Mission,
  ports: EnginePorts,
  tell: Tell,
): Promise<WrittenFile> {
  await clearWay(path, mission, ports, tell);
  return written(await ports.evidence.write(path, content));
}
