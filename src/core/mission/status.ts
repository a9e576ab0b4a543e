import type { MissionStatus } from '../../contracts/vocabulary/execution';
import { waitsForPerson, waitsInAttempt } from '../model/lanes';
import type { Progress } from '../model/state';
import { waitsNow } from './resolve/waits';
import { troubleOf } from './effects';
import { hasUnprovenProcesses } from './takeover/takeover';

export function missionStatus(mission: Progress): MissionStatus {
  if (mission.ending) {
    if (mission.ending.cancelled) return 'cancelled';
    return mission.ending.outcome === 'COMPLETED' ? 'completed' : 'failed';
  }
  if (troubleOf(mission)) return 'blocked';
  switch (mission.execution) {
    case 'RECEIVED':
    case 'VALIDATED':
    case 'LOCKED':
      return 'planned';
    case 'EVIDENCED':
    case 'COMPLETED':
    case 'FAILED':
    case 'REPORTED':
      return 'running';
    case 'EXECUTING':
      return executingStatus(mission);
  }
}

/** Shows what a person has to do, even while other lanes still run. */
function executingStatus(mission: Progress): MissionStatus {
  if (hasUnprovenProcesses(mission)) return 'paused';
  if (mission.cancel) return 'running';
  if (mission.hold.kind === 'paused' || mission.lanes.some(waitsInAttempt)) return 'paused';
  const goOn = waitsNow(mission).flatMap(({ goesOn, packet }) => (goesOn ? [packet.task_id] : []));
  return mission.rows.some((row) => waitsForPerson(row) && !goOn.includes(row.task.task_id)) ? 'blocked' : 'running';
}
