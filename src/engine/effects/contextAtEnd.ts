import { errorLines } from '../../core/context/judgeContext';
import { needsOf } from '../../core/context/needs';
import { lockedIntent } from '../../core/context/tier0';
import type { Attempt } from '../../core/model/attempt';
import type { ProjectAtEnd } from '../../core/model/facts';
import { rowOf, type Mission } from '../../core/model/state';
import { judgedProject } from '../plans/projectReading';
import type { EnginePorts } from '../ports/engine';

/** Reads ai.project.json again, where the context holds it or the task had to make it; null: the task needs no look. */
export async function projectAtEnd(mission: Mission, lane: Attempt, ports: EnginePorts): Promise<ProjectAtEnd | null> {
  const task = rowOf(mission, lane.task_id)?.task;
  if (!task) return null;
  const intent = lockedIntent(lane, task);
  const { bootstrap } = needsOf(intent);
  if (!bootstrap && !lane.context?.project_sha256) return null;
  const reading = await judgedProject(await ports.project.read(intent), ports.project);
  if (reading.kind === 'read') return { sha256: reading.sha256, problems: errorLines(reading.findings) };
  return { sha256: null, problems: [reading.kind === 'absent' ? 'it is not there' : reading.reason] };
}
