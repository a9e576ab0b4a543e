import type { Mission, TaskRow } from '../../core/model/state';
import { taskOutcome } from '../../core/view/taskOutcome';
import type { EnginePorts } from '../ports/engine';

/**
 * Writes what became of a task into the run directory of its last worker, whose terminal waits for it. Part of the
 * effect that records the task's end, so it is journalled by then and written again after a crash.
 */
export async function writeOutcome(mission: Mission, row: TaskRow, ports: EnginePorts): Promise<void> {
  const told = taskOutcome(row);
  if (told)
    await ports.launches.leaveOutcome(ports.paths.runDir(mission.mission_id, told.launch.run_dir), told.outcome);
}
