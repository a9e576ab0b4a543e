import { memoryFolder } from '../../../contracts/vocabulary/memory';
import { decisionStep } from '../../../base/text/steps';
import { refused, type Outcome } from '../../../base/outcome';
import type { LockedIntent } from '../../../core/context/tier0';
import { judgeMemory, type JudgedMemory } from '../../../core/memory/chain';
import type { MemoryRecord } from '../../../contracts/memory';
import type { EnginePorts } from '../../ports/engine';
import type { MemoryReading } from '../../ports/memory';

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
