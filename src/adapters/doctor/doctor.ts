import type { DoctorPorts, DoctorCheck } from '../../engine/ports/doctor';
import { machineChecks } from './machine';
import { sandboxChecks } from './sandbox';
import { supervisorCheck, supervisorNotTried } from './supervisor';
import { workspaceChecks } from './workspace';
import type { JournalPlace } from '../nodeViewer';
import type { InstalledSupervisor } from '../user/supervisorCopy';
import { startsHeld } from '../user/machineHold';

/** @param journal the process or thread that reads state stores */
export function createDoctorPorts(installation: InstalledSupervisor, journal: JournalPlace): DoctorPorts {
  return {
    machine: async () => [...(await machineChecks(installation)), await startsCheck()],
    sandbox: (workspaceDir, clis) => sandboxChecks(workspaceDir === null ? [] : [workspaceDir], clis),
    workspace: async (workspaceDir, missions, trusted) => [
      ...(await workspaceChecks(workspaceDir, journal, missions)),
      trusted ? await supervisorCheck(workspaceDir, installation) : supervisorNotTried(),
    ],
  };
}

/** Says whether a person stopped everything of this user on this machine, because every start is refused then. */
async function startsCheck(): Promise<DoctorCheck> {
  const check = { id: 'starts', required: true } as const;
  const hold = await startsHeld();
  if (hold === null) return { ...check, ok: true, detail: 'Missions may start.', fix: '' };
  return { ...check, ok: false, detail: hold.reason, fix: hold.next[0] ?? '' };
}
