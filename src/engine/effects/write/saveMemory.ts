import type { MemoryRecord } from '../../../contracts/memory';
import { runner } from '../../../contracts/vocabulary/actors';
import { memoryFolder } from '../../../contracts/vocabulary/memory';
import { refused } from '../../../base/outcome';
import { sha256 } from '../../../base/sha256';
import { documentText } from '../../../base/json';
import { memoryFile, noRecord } from '../../../core/memory/chain';
import { memoryName } from '../../../core/memory/rememberedValue';
import type { Effect } from '../../../core/mission/effects';
import type { Attempt } from '../../../core/model/attempt';
import type { SavedMemory } from '../../../core/model/facts';
import { laneOf } from '../../../core/model/lanes';
import type { Report } from '../../../core/model/inputs';
import type { EnginePorts } from '../../ports/engine';
import type { MemoryIndexed } from '../../ports/memory';
import { damageSteps, judgedMemory, whole } from '../launch/readMemory';
import { written } from './written';
import type { EffectRun } from '../run/effectRun';
import type { ReceivedPlan } from '../../../core/model/state';

type Saving = Extract<Effect, { kind: 'saveMemory' }>;

/** SAVE: journals each record before its file. A retry finds its records, and writes the same bytes. */
export async function saveMemory({
  effect,
  mission,
  ports,
  options: { fence },
}: EffectRun<'saveMemory'>): Promise<Report> {
  const { task_id, attempt, intent } = effect;
  const lane = laneOf(mission, task_id);
  if (!lane?.memory?.decided) throw new Error('Broken invariant: what is remembered was not decided.');
  const { index } = written(await ports.memory.read(intent));
  for (const entry of index.filter((one) => isOwn(one, effect, mission)))
    written(await create(effect, recordText(mission, lane, index, entry), entry, ports));
  const reading = written(await ports.memory.read(intent));
  written(whole(judgedMemory(reading)));
  const known = [...reading.index];
  const saved: SavedMemory[] = [];
  for (const name of lane.memory.decided.saves) {
    let entry = known.find((one) => isOwn(one, effect, mission) && memoryName(one) === name);
    if (!entry) {
      entry = nextEntry(effect, mission, lane, name, known);
      const event = { type: 'MemoryRecorded', ...entry } as const;
      const recorded = { run_id: mission.run_id, at: ports.clock.now(), actor: runner, event };
      written(await ports.memory.record(intent, recorded, fence));
      known.push(entry);
      written(await create(effect, recordText(mission, lane, known, entry), entry, ports));
    }
    const { number, version, sha256: digest } = entry;
    saved.push({ name, version, path: `${memoryFolder}/${memoryFile(number)}`, sha256: digest });
  }
  return { type: 'MemoryWasSaved', task_id, attempt, saved };
}

function isOwn(entry: MemoryIndexed, { task_id, attempt }: Saving, { mission_id }: ReceivedPlan): boolean {
  return entry.mission_id === mission_id && entry.task_id === task_id && entry.attempt === attempt;
}

function nextEntry(
  { task_id, attempt }: Saving,
  mission: ReceivedPlan,
  lane: Attempt,
  name: string,
  index: readonly MemoryIndexed[],
): MemoryIndexed {
  const proposed = lane.memory?.entries.find((one) => memoryName(one) === name);
  if (!proposed) throw new Error(`Broken invariant: ${name} was not proposed.`);
  const { domain, key } = proposed;
  const entry = {
    ...{ number: index.length + 1, domain, key, mission_id: mission.mission_id, task_id, attempt },
    version: (index.findLast((one) => memoryName(one) === name)?.version ?? 0) + 1,
  };
  return { ...entry, sha256: sha256(recordText(mission, lane, index, entry)) };
}

/** Returns the same bytes for the same entry and the same entries before it. */
function recordText(
  mission: ReceivedPlan,
  lane: Attempt,
  index: readonly MemoryIndexed[],
  entry: Omit<MemoryIndexed, 'sha256'>,
): string {
  const name = memoryName(entry);
  const proposed = lane.memory?.entries.find((one) => memoryName(one) === name);
  const seal = lane.phases.find(({ phase }) => phase === 8)?.seal;
  const decision = lane.memory?.decided?.decision;
  if (!proposed || !seal || !decision) throw new Error(`Broken invariant: ${name} is not confirmed.`);
  const record: MemoryRecord = {
    schema_version: '1.0.0',
    number: entry.number,
    domain: entry.domain,
    key: entry.key,
    version: entry.version,
    decision: proposed.decision,
    rationale: proposed.rationale,
    supersedes: entry.version === 1 ? null : entry.version - 1,
    plan_id: mission.plan.plan_id,
    mission_id: entry.mission_id,
    task_id: entry.task_id,
    attempt: entry.attempt,
    seal_sha256: seal.sha256,
    confirmed_by: decision.actor.name,
    confirmed_at: decision.at,
    reason: decision.reason,
    previous_sha256: index.find(({ number }) => number === entry.number - 1)?.sha256 ?? noRecord,
  };
  return documentText(record);
}

async function create(
  { intent }: Saving,
  text: string,
  { number, sha256: recorded }: MemoryIndexed,
  { memory }: EnginePorts,
): ReturnType<EnginePorts['memory']['create']> {
  return sha256(text) === recorded
    ? memory.create(intent, memoryFile(number), text)
    : refused('MEMORY_DAMAGED', `${memoryFile(number)} cannot be written as the journal recorded it.`, ...damageSteps);
}
