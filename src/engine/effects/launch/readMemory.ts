import { done, type Outcome } from '../../../base/outcome';
import { currentOf, standingsOf, type Remembered } from '../../../core/memory/rememberedValue';
import { lockedIntent, type LockedIntent } from '../../../core/context/tier0';
import { laneOf } from '../../../core/model/lanes';
import type { Report } from '../../../core/model/inputs';
import { rowOf, type Mission, type Tasks } from '../../../core/model/state';
import type { EnginePorts } from '../../ports/engine';
import { remembered } from './remembered';
import { written, writeOutcome } from '../write/written';
import type { EffectRun } from '../run/effectRun';

/** Phase 9: reads the memory for the proposed entries; the terminal of the worker shows that a person is asked. */
export async function readMemory({
  effect: { task_id, attempt, intent },
  mission,
  ports,
}: EffectRun<'readMemory'>): Promise<Report> {
  const now = written(await current(intent, ports));
  const row = rowOf(mission, task_id);
  if (row) await writeOutcome(compared(mission, task_id, now), row, ports);
  return { type: 'MemoryWasRead', task_id, attempt, remembered: now };
}

/** The mission as it will be once the journal has the comparison. */
function compared(mission: Mission, taskId: string, now: readonly Remembered[]): Mission {
  const lanes = mission.lanes.map((lane) => {
    const { memory } = lane;
    if (lane.task_id !== taskId || !memory) return lane;
    return { ...lane, memory: { ...memory, standings: standingsOf(memory.entries, now) } };
  });
  return { ...mission, lanes };
}

/** Reads the same for a person's decision before it is judged; changes nothing. */
export async function rememberedNow(
  mission: Tasks,
  taskId: string,
  ports: EnginePorts,
): Promise<Outcome<readonly Remembered[]>> {
  const lane = laneOf(mission, taskId);
  const task = rowOf(mission, taskId)?.task;
  return lane?.memory && task ? current(lockedIntent(lane, task), ports) : done([]);
}

async function current(intent: LockedIntent, ports: EnginePorts): Promise<Outcome<readonly Remembered[]>> {
  const records = await remembered(intent, ports);
  return records.ok
    ? done(
        currentOf(records.value).map(({ domain, key, version, decision, rationale }) => ({
          ...{ domain, key, version, decision, rationale },
        })),
      )
    : records;
}
