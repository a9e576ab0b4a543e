import { done, type Outcome, refused } from '../../../base/outcome';
import { currentOf, standingsOf, type Remembered } from '../../../core/memory/rememberedValue';
import { lockedIntent, type LockedIntent } from '../../../core/context/tier0';
import { laneOf } from '../../../core/model/lanes';
import type { Report } from '../../../core/model/inputs';
import { rowOf, type Mission, type Tasks } from '../../../core/model/state';
import type { EnginePorts } from '../../ports/engine';
import { written, writeOutcome } from '../write/written';
import type { EffectRun } from '../run/effectRun';
import { memoryFolder } from '../../../contracts/vocabulary/memory';
import { decisionStep } from '../../../base/text/steps';
import { judgeMemory, type JudgedMemory } from '../../../core/memory/chain';
import type { MemoryRecord } from '../../../contracts/memory';
import type { MemoryReading } from '../../ports/memory';

/** Phase 9: reads the memory for the proposed entries; the terminal of the worker shows that a person is asked. */
export async function readMemory({
  effect: { task_id, attempt, intent },
  mission,
  ports,
}: EffectRun<'readMemory'>): Promise<Report> {
  const now = written(await current(intent, ports));
  await writeOutcome(compared(mission, task_id, now), rowOf(mission, task_id), ports);
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
  return lane?.memory ? current(lockedIntent(lane, rowOf(mission, taskId).task), ports) : done([]);
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

/** Every record of the memory, or why none of it is used. */
export async function remembered(
  intent: LockedIntent,
  { memory }: Pick<EnginePorts, 'memory'>,
): Promise<Outcome<readonly MemoryRecord[]>> {
  const reading = await memory.read(intent);
  return reading.ok ? whole(judgedMemory(reading.value)) : reading;
}

export function judgedMemory({ files, index }: MemoryReading): JudgedMemory {
  return judgeMemory(files, index);
}

export function whole(verdict: JudgedMemory): Outcome<readonly MemoryRecord[]> {
  if (verdict.ok) return { ok: true, value: verdict.records };
  const [first] = verdict.findings;
  const more = verdict.findings.length > 1 ? ` (${verdict.findings.length} findings in all)` : '';
  const what = first
    ? `${first.code} at ${first.file}, line ${first.line}: ${first.message}`
    : 'The memory is damaged.';
  return refused('MEMORY_DAMAGED', `${what}${more}`, ...damageSteps);
}

export const damageSteps: readonly string[] = [
  'mission memory verify',
  `Bring the files of ${memoryFolder} back as they were saved, or begin a new memory: ${decisionStep('memory set-aside')}`,
];
