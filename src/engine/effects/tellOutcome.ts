import type { Mission, TaskRow } from '../../core/model/state';
import { taskOutcome } from '../../core/view/taskOutcome';
import type { EnginePorts } from '../ports/engine';

/**
 * Leaves what became of a task beside its last worker, whose terminal waits for it. Part of the effect that records
 * the end of the task (evidence, or the packet of a block), so it is in the journal by then, and told again after a crash.
 */
export async function tellOutcome(mission: Mission, row: TaskRow, ports: EnginePorts): Promise<void> {
  const told = taskOutcome(row);
  if (told)
    await ports.launches.leaveOutcome(ports.paths.runDir(mission.mission_id, told.launch.run_dir), told.outcome);
}
