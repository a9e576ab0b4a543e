import type { DoctorPorts } from '../engine/ports/doctorPorts';
import { machineChecks } from './doctorMachine';
import { supervisorCheck, supervisorNotTried } from './doctorSupervisor';
import { workspaceChecks } from './doctorWorkspace';
import type { JournalPlace } from './nodePorts';
import type { InstalledSupervisor } from './supervisorCopy';

/** @param journal where state stores are read */
export function createDoctorPorts(installation: InstalledSupervisor, journal: JournalPlace): DoctorPorts {
  return {
    machine: () => machineChecks(installation),
    workspace: async (workspaceDir, missions, trusted) => [
      ...(await workspaceChecks(workspaceDir, journal, missions)),
      trusted ? await supervisorCheck(workspaceDir, installation) : supervisorNotTried(),
    ],
  };
}
