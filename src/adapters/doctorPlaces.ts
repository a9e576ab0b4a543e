import type { DoctorPorts } from '../engine/ports/doctorPorts';
import { machineChecks, type Installation } from './doctorMachine';
import { workspaceChecks } from './doctorWorkspace';
import type { JournalPlace } from './nodePorts';

/** @param journal where state stores are read */
export function createDoctorPorts(installation: Installation, journal: JournalPlace): DoctorPorts {
  return {
    machine: () => machineChecks(installation),
    workspace: (workspaceDir, missions) => workspaceChecks(workspaceDir, journal, missions),
  };
}
