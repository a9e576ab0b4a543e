import type { MovedObstacle } from '../../../core/model/facts';
import type { Report } from '../../../core/model/inputs';
import type { Outcome, Refusal } from '../../../base/outcome';
import type { WrittenFile } from '../../ports/evidence';
import type { EnginePorts } from '../../ports/engine';
import type { Mission, ReceivedPlan, TaskRow } from '../../../core/model/state';
import { taskOutcome } from '../../../core/view/mission/taskOutcome';

/** Why the mission cannot do what it needs; a person can mend it. */
export class EffectRefused extends Error {
  constructor(readonly refusal: Refusal) {
    super(`${refusal.code}: ${refusal.reason}`);
  }
}

/** Unwraps a write that the evidence needs. A refused one HALTs the engine, which tries again at the next start. */
export function written<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new EffectRefused(outcome.refusal);
}

export type SendReport = (report: Report) => unknown;

/** What a step that writes files is given, as a part of its run. */
export interface Writing {
  readonly mission: ReceivedPlan;
  readonly ports: EnginePorts;
  readonly send: SendReport;
}

/** Moves aside what is in the place of a file, because it could block the mission for ever. Reports what it moved. */
export async function clearWay(path: string, { mission, ports, send }: Writing): Promise<readonly MovedObstacle[]> {
  const moved = written(await ports.evidence.clear(path, mission.mission_id));
  for (const obstacle of moved) send({ type: 'ObstacleWasMoved', ...obstacle });
  return moved;
}

/** Writes a file of the evidence or the mission folder; moves aside what is in its place. */
export async function put(path: string, content: string | Uint8Array, run: Writing): Promise<WrittenFile> {
  await clearWay(path, run);
  return written(await run.ports.evidence.write(path, content));
}

/**
 * Writes what became of a task into the run directory of its last worker, because its terminal waits for that. A crash
 * is no loss: the effect runs again, because it follows the journal.
 */
export async function writeOutcome(mission: Mission, row: TaskRow, ports: EnginePorts): Promise<void> {
  const found = taskOutcome(mission, row);
  if (found)
    await ports.launches.leaveOutcome(ports.paths.runDir(mission.mission_id, found.launch.run_dir), found.outcome);
}
