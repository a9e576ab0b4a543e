import type { Mission, TaskRow } from '../../../core/model/state';
import { taskOutcome } from '../../../core/view/mission/taskOutcome';
import type { EnginePorts } from '../../ports/engine';

/**
 * Writes what became of a task into the run directory of its last worker, because its terminal waits for that. A crash
 * is no loss: the effect runs again, because it follows the journal.
 */
export async function writeOutcome(mission: Mission, row: TaskRow, ports: EnginePorts): Promise<void> {
  const found = taskOutcome(mission, row);
  if (found)
    await ports.launches.leaveOutcome(ports.paths.runDir(mission.mission_id, found.launch.run_dir), found.outcome);
}
