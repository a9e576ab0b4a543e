import { handoffNames } from '../../contracts/vocabulary/handoff';
import type { Mission } from '../../core/model/state';
import type { EnginePorts } from '../ports/engine';
import type { HandoffFile } from '../ports/handoff';

/** Where a mission keeps what it was resumed from, inside its own folder. */
export const keptHandoffFolder = 'resumed-from';

/** Without these nobody can go on. */
export const requiredHandoffFiles = [
  handoffNames.contracts,
  handoffNames.errorCodes,
  handoffNames.role,
  handoffNames.lockedPlan,
] as const;

/** A file of the handoff that this mission goes on from. @throws when it is gone. */
export async function keptHandoffFile(mission: Mission, file: string, ports: EnginePorts): Promise<HandoffFile> {
  const folder = mission.resumed_from?.kept_in ?? keptHandoffFolder;
  const kept = await ports.handoffs.read(
    ports.paths.absolute(ports.paths.missionFile(mission.mission_id, folder)),
    file,
  );
  if (!kept.ok) throw new Error(`${kept.refusal.code}: ${kept.refusal.reason}`);
  if (!kept.value) throw new Error(`${file} of the handoff this mission goes on from is gone.`);
  return kept.value;
}
