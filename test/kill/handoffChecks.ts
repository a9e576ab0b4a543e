import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isTemporaryName } from '../../src/adapters/files/atomic';
import { sha256Of } from '../../src/adapters/files/bytes/sha256';
import { createHandoffFiles } from '../../src/adapters/handoff/files';
import { planFiles } from '../../src/adapters/documents/planFiles';
import { stateFolderOf } from '../../src/adapters/state/folder';
import { handoffNames } from '../../src/contracts/vocabulary/handoff';
import { fold } from '../../src/core/mission/evolve';
import type { MissionEvent } from '../../src/core/model/events';
import type { JournalEntry } from '../../src/core/model/journalEntry';
import { HandoffChecks } from '../../src/engine/handoff/checks';
import { readHandoff, type ReadHandoff } from '../../src/engine/handoff/reading';
import type { EnginePorts } from '../../src/engine/ports/engine';

/**
 * A handoff folder as a person would go on from it, judged as `handoff resume` does. Absent while one of the two files
 * that are written last is missing, because no person goes on from that.
 */
export async function handoffIn(folder: string): Promise<ReadHandoff | 'absent' | { readonly fault: string }> {
  const names = namesIn(folder);
  if (!names.includes(handoffNames.bundle) || !names.includes(handoffNames.sums)) return 'absent';
  // All that judging a folder by itself asks of the world.
  const ports = { handoffs: createHandoffFiles(folder), plans: planFiles } as unknown as EnginePorts;
  const read = await readHandoff(folder, ports, new HandoffChecks());
  return read.ok ? read.value : { fault: `${read.refusal.code} ${read.refusal.reason}` };
}

/** At any moment, so also when an owner has just died: every handoff folder is whole or none. */
export async function handoffFaults(workspace: string): Promise<readonly string[]> {
  const found = await Promise.all(
    handoffFolders(workspace).map(async (folder) => ({ folder, read: await handoffIn(folder) })),
  );
  return found.flatMap(({ folder, read }) =>
    typeof read === 'object' && 'fault' in read
      ? [`Handoff ${folderName(folder)} is neither whole nor absent: ${read.fault}`]
      : [],
  );
}

/** When nothing is under way: every handoff of a mission was written once, is whole, and is the one in the journal. */
export async function checkHandoffs(
  workspace: string,
  missionId: string,
  entries: readonly JournalEntry<MissionEvent>[],
): Promise<readonly string[]> {
  const mission = fold(entries);
  const problems: string[] = [];
  const place = path.join(stateFolderOf(workspace).missionsDir, missionId, 'handoff');
  const asked = mission?.handoffs ?? [];
  for (const { n, state } of asked) {
    const of = `Handoff ${n} of ${missionId}`;
    const decided = entries.filter(
      ({ event }) => (event.type === 'HandoffWritten' || event.type === 'HandoffRefused') && event.n === n,
    );
    if (decided.length !== 1) problems.push(`${of} was decided ${decided.length} times.`);
    if (state.kind !== 'written') problems.push(`${of} is ${state.kind}.`);
    if (state.kind !== 'written') continue;
    const folder = path.join(place, String(n));
    const read = await handoffIn(folder);
    if (read === 'absent') problems.push(`${of} is in the journal and not there.`);
    else if ('fault' in read) problems.push(`${of}: ${read.fault}`);
    else {
      if (read.bundle_sha256 !== state.sha256) problems.push(`${of} is not the bundle in the journal.`);
      if (read.given.handoff !== n || read.given.mission_id !== missionId) problems.push(`${of} says it is another.`);
      if (read.bundle.run_id !== mission?.run_id) problems.push(`${of} is of another run.`);
    }
    problems.push(...sumsOf(folder).map((problem) => `${of}: ${problem}`));
  }
  const known = new Set(asked.map(({ n }) => String(n)));
  for (const name of namesIn(place)) if (!known.has(name)) problems.push(`Handoff ${name} was never asked for.`);
  return problems;
}

/** SHA256SUMS names every file beside it with its digest, and nothing else lies there. */
export function sumsOf(folder: string): readonly string[] {
  const names = namesIn(folder).filter((name) => name !== handoffNames.sums);
  const text = namesIn(folder).includes(handoffNames.sums)
    ? readFileSync(path.join(folder, handoffNames.sums), 'utf8')
    : '';
  const sums = new Map(
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  return [
    ...names.filter((name) => isTemporaryName(name)).map(() => 'the half of a file was left'),
    ...names
      .filter((name) => !isTemporaryName(name))
      .filter((name) => sums.get(name) !== sha256Of(readFileSync(path.join(folder, name))).toLowerCase())
      .map((name) => `${name} has no digest or another`),
    ...[...sums.keys()].filter((name) => !names.includes(name)).map((name) => `${name} is missing`),
  ];
}

/** `handoff/<n>` of every mission. */
export function handoffFolders(workspace: string): readonly string[] {
  const { missionsDir } = stateFolderOf(workspace);
  return namesIn(missionsDir).flatMap((mission) => {
    const place = path.join(missionsDir, mission, 'handoff');
    return namesIn(place).map((n) => path.join(place, n));
  });
}

function folderName(folder: string): string {
  return path.basename(folder);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // not made yet
  }
}
