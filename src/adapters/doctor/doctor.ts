import type { DoctorPorts } from '../../engine/ports/doctor';
import { machineChecks } from './machine';
import { sandboxChecks } from './sandbox';
import { startsCheck } from './starts';
import { supervisorCheck, supervisorNotTried } from './supervisor';
import { workspaceChecks } from './workspace';
import type { JournalPlace } from '../nodeViewer';
import type { InstalledSupervisor } from '../user/supervisorCopy';

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
