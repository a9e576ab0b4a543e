import type { AuditHead } from '../../contracts/audit';
import type { AuditFinding } from '../../contracts/vocabulary/codes/auditFindings';
import type { MissionEvent } from '../model/events';
import type { ImportedRow } from '../model/handoffFacts';
import type { JournalEntry } from '../model/journalEntry';
import { type AuditRecord, auditFinding } from './compareRecords';
import { isAuditEvent, noClosing } from './seal';

type Entries = readonly JournalEntry<MissionEvent>[];

/** The audit log of a mission as its journal has it; null: the stream is of no mission. */
export function auditLogOf(
  entries: Entries,
): { readonly head: AuditHead; readonly records: readonly AuditRecord[] } | null {
  const [first] = entries;
  const last = entries.at(-1);
  if (!last || first?.event.type !== 'MissionReceived') return null;
  const { mission_id, plan, plan_sha256 } = first.event;
  const imported = entries.find(({ event }) => event.type === 'HandoffImported')?.event;
  return {
    head: {
      kind: 'audit_log',
      mission_id,
      run_id: first.run_id,
      plan_id: plan.plan_id,
      plan_sha256,
      journal: { events: last.seq, last_hash: last.hash },
      previous_sha256: (imported?.type === 'HandoffImported' && carriedClosing(imported.rows)) || noClosing,
    },
    records: entries.flatMap(({ seq, at, event }) => (isAuditEvent(event) ? [{ place: seq, at, event }] : [])),
  };
}

/** The closing of the attempt that was closed last before a handoff; null: none was closed. */
export function carriedClosing(rows: readonly Pick<ImportedRow, 'evidence'>[]): string | null {
  const sealed = rows.flatMap(({ evidence }) => evidence.attempts?.filter(({ seal }) => seal) ?? []);
  const last = sealed.toSorted((one, other) => ((one.ended_at ?? '') < (other.ended_at ?? '') ? -1 : 1)).at(-1);
  return last?.seal?.closing_sha256 ?? null;
}

/** Checks that each agent launch of a sealed attempt, and each ended session, has exactly one record. */
export function checkLaunches(entries: Entries): readonly AuditFinding[] {
  return [...checkAttempts(entries), ...checkSessions(entries)];
}

function checkSessions(entries: Entries): readonly AuditFinding[] {
  const recorded = entries.filter(({ event }) => event.type === 'SessionRecorded');
  return entries.flatMap(({ seq, event }) => {
    if (event.type !== 'OrchestratorEnded' && event.type !== 'OrchestratorUnavailable') return [];
    const { launch_id } = event;
    const found = recorded.filter(({ event: other }) => 'launch_id' in other && other.launch_id === launch_id);
    if (found.length === 1) return [];
    const message = `Session ${launch_id} has ${found.length} invocation records.`;
    return [auditFinding('AUDIT_CALLS_WRONG', { place: seq }, message)];
  });
}

function checkAttempts(entries: Entries): readonly AuditFinding[] {
  const events = entries.map(({ event }) => event);
  const received = events[0];
  const agents = new Set(
    received?.type === 'MissionReceived'
      ? received.plan.tasks.filter(({ worker }) => worker !== 'command').map(({ task_id }) => task_id)
      : [],
  );
  const sealed = new Set(
    events.flatMap((event) =>
      event.type === 'PhaseCompleted' && event.seal ? [`${event.attempt}#${event.task_id}`] : [],
    ),
  );
  return entries.flatMap(({ seq, event }) => {
    if (event.type !== 'LaunchRequested' || event.purpose.kind !== 'worker' || !agents.has(event.task_id)) return [];
    const { task_id, attempt, launch_id } = event;
    if (!sealed.has(`${attempt}#${task_id}`)) return [];
    const count = events.filter((other) => other.type === 'InvocationRecorded' && other.launch_id === launch_id).length;
    if (count === 1) return [];
    const about = { place: seq, task_id, attempt };
    return [auditFinding('AUDIT_CALLS_WRONG', about, `Launch ${launch_id} has ${count} invocation records.`)];
  });
}
