import { evidenceFinding, type EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import type { MissionEvent } from '../model/events';
import type { SavedMemory } from '../model/facts';
import type { EvidenceFacts } from './facts';

/**
 * Checks each attempt's evidence: it names exactly what the journal says was saved, and who decided
 * it.
 */
export function checkMemory({ tasks }: EvidenceFacts, events: readonly MissionEvent[]): EvidenceFinding[] {
  const saved = new Map<string, readonly SavedMemory[]>();
  const deciders = new Map<string, string>();
  const here = new Set<string>();
  for (const event of events) {
    if (event.type === 'AttemptStarted') here.add(`${event.task_id}#${event.attempt}`);
    if (event.type === 'MemorySaved') saved.set(`${event.task_id}#${event.attempt}`, event.saved);
    if (event.type === 'MemoryDecided') deciders.set(`${event.task_id}#${event.attempt}`, event.decision.actor.name);
  }
  return [...tasks].flatMap(([taskId, { evidence }]) =>
    (evidence?.attempts ?? []).flatMap(({ attempt, memory }, index) => {
      const unit = `${taskId}#${attempt}`;
      const listed = (memory?.entries ?? []).flatMap(({ name, outcome, version, sha256 }) =>
        outcome === 'saved' ? [`${name} ${version ?? ''} ${sha256 ?? ''}`.toUpperCase()] : [],
      );
      const known = (saved.get(unit) ?? []).map(({ name, version, sha256 }) =>
        `${name} ${version} ${sha256}`.toUpperCase(),
      );
      const same = listed.toSorted().join() === known.toSorted().join();
      // Attempts that a handoff brought are journalled in the clone that they come from.
      if (!here.has(unit) || (same && memory?.decided_by?.name === deciders.get(unit))) return [];
      const message = `The file and the journal differ in what attempt ${attempt} remembered, or in who decided it.`;
      return [evidenceFinding('JOURNAL_DISAGREES', `TASK_${taskId}.json`, message, `/attempts/${index}/memory`)];
    }),
  );
}
