import type { Step } from '../../contracts/vocabulary/steps';
import { fewNamed } from '../../base/text/firstNamed';
import { needsOf, declaredIntent } from '../context/tier0';
import type { ProposedMemory } from '../../contracts/memory';
import type { PlannedTask } from '../plan/approvedPlan';
import { memoryName, standingsOf, type Remembered } from '../memory/rememberedValue';
import type { Attempt, AttemptRecord, MemoryWait } from '../model/attempt';
import type { MissionEvent } from '../model/events';
import type { ReceivedPlan } from '../model/state';

/** Returns whether the worker may propose something to remember: an agent whose declared intent allows SAVE. */
export function mayRemember(task: PlannedTask): boolean {
  return needsOf({ declared: declaredIntent(task) }).restore;
}

export function proposedBy({ claim }: Pick<AttemptRecord, 'claim'>): readonly ProposedMemory[] {
  return claim.kind === 'valid' && claim.memory?.kind === 'proposed' ? claim.memory.entries : [];
}

export function compared(attempt: Attempt, remembered: readonly Remembered[]): readonly MissionEvent[] {
  const { stage, memory, task_id } = attempt;
  if (stage.at !== 'memory' || !memory || memory.standings !== null) return [];
  const standings = standingsOf(memory.entries, remembered);
  return [{ type: 'MemoryCompared', task_id, attempt: attempt.attempt, standings }];
}

/** Returns whether nothing of it is left to be asked or written. */
export function isRemembered({ standings, decided, saved }: MemoryWait): boolean {
  if (standings === null) return false;
  if (decided === null) return standings.every(({ state }) => state === 'known');
  return decided.saves.length === 0 || saved !== null;
}

/** Returns whether a person has decided and what they kept is not written yet. */
export function isBeingSaved({ decided, saved }: MemoryWait): boolean {
  return decided !== null && decided.saves.length > 0 && saved === null;
}

export function memoryNote(attempt: Pick<AttemptRecord, 'claim' | 'memory'>): string {
  const { claim, memory } = attempt;
  if (claim.kind === 'valid' && claim.memory?.kind === 'ignored')
    return `nothing is remembered: ${claim.memory.reason}`;
  if (!memory) return 'nothing to remember';
  const known = (memory.standings ?? []).filter(({ state }) => state === 'known').length;
  const parts = [
    ...(memory.saved ?? []).map(({ name, version }) => `${name} saved as version ${version}`),
    ...(memory.decided?.discards.length ? [`${memory.decided.discards.length} discarded`] : []),
    ...(known > 0 ? [`${known} known already`] : []),
  ];
  const by = memory.decided ? `; a person was asked: ${memory.decided.decision.actor.name}` : '';
  return `${parts.join(', ') || 'nothing was saved'}${by}`;
}

export function memoryWords(
  mission: ReceivedPlan,
  { task_id }: Pick<Attempt, 'task_id'>,
  { entries, standings }: MemoryWait,
): { readonly reason: string; readonly why: string; readonly next: readonly Step[] } {
  const open = (standings ?? []).filter(({ state }) => state !== 'known');
  const conflicts = open.filter(({ state }) => state === 'conflict');
  const conflictLines = conflicts.map(({ name, current }) => {
    const entry = entries.find((one) => memoryName(one) === name);
    const was = current
      ? `version ${current.version} says "${current.decision}"`
      : 'there is no version that it replaces';
    return ` ${name} contradicts what is remembered: ${was}, proposed is "${entry?.decision ?? ''}".`;
  });
  const of = { mission: mission.mission_id, task: task_id };
  const named = conflicts.map(({ name }) => name);
  const step = (rest: 'keep' | 'discard', names = {}): Step => ({
    command: 'memory confirm',
    args: { ...of, rest, ...names },
  });
  const what = `decides what of it is remembered: ${fewNamed(open.map(({ name }) => name))}.${conflictLines.join('')}`;
  return {
    reason: `Task ${task_id} is verified and waits for a person, who ${what}`,
    why: `it is verified, and a person ${what}`,
    next: [
      ...(conflicts.length === 0
        ? [step('keep')]
        : [step('keep', { replace: named }), step('keep', { keep_old: named })]),
      step('discard'),
      { command: 'stop', args: of },
      { command: 'cancel', args: { mission: of.mission } },
    ],
  };
}
