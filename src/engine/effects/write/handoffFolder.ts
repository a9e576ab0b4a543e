import { handoffNames } from '../../../contracts/vocabulary/handoff';
import type { Mission } from '../../../core/model/state';
import type { EnginePorts } from '../../ports/engine';
import type { HandoffFile } from '../../ports/handoff';

/** Folder inside the mission's folder that keeps the handoff which the mission continues. */
export const keptHandoffFolder = 'resumed-from';

/** No run can continue without these. */
export const requiredHandoffFiles = [
  handoffNames.contracts,
  handoffNames.errorCodes,
  handoffNames.role,
  handoffNames.lockedPlan,
  handoffNames.journal,
] as const;

/** Reads a file of the handoff that this mission continues. @throws when it is gone or cannot be read. */
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
