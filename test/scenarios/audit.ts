import assert from 'node:assert/strict';
import { auditLogOf, checkLaunches } from '../../src/core/audit/log';
import { verifyAudit } from '../../src/core/audit/verify';
import type { MissionEvent } from '../../src/core/model/events';
import type { JournalEntry } from '../../src/core/model/journalEntry';

/**
 * Every ended attempt is sealed and closed, and each launch of an agent whose end is known has exactly one record, as
 * each session of the orchestrator has.
 */
export function assertAudited(entries: readonly JournalEntry<MissionEvent>[]): void {
  const log = auditLogOf(entries);
  assert.ok(log);
  const findings = [...verifyAudit({ ...log.head, records: log.records }), ...checkLaunches(entries)];
  assert.deepEqual(
    findings.filter(({ code }) => code !== 'AUDIT_OPEN'),
    [],
  );
  const events = entries.map(({ event }) => event);
  const [received] = events;
  const agents =
    received?.type === 'MissionReceived' ? received.plan.tasks.filter(({ worker }) => worker !== 'command') : [];
  const recorded = new Map<string, number>();
  for (const event of events)
    if (event.type === 'InvocationRecorded') recorded.set(event.launch_id, (recorded.get(event.launch_id) ?? 0) + 1);
  const over = new Set(
    events.flatMap((event) => (event.type === 'AttemptEnded' ? [`${event.attempt}#${event.task_id}`] : [])),
  );
  const ended = events.flatMap((event) =>
    event.type === 'OrchestratorEnded' || event.type === 'OrchestratorUnavailable' ? [event.launch_id] : [],
  );
  const sessions = events.flatMap((event) => (event.type === 'SessionRecorded' ? [event.launch_id] : []));
  assert.deepEqual(sessions, ended, 'each session of the orchestrator has one record, in the order of their ends');
  for (const event of events) {
    if (event.type === 'PhaseCompleted' && event.phase === 8) assert.ok(event.seal, `${event.task_id} is not sealed`);
    if (event.type !== 'LaunchRequested') continue;
    const invokes = event.purpose.kind === 'worker' && agents.some(({ task_id }) => task_id === event.task_id);
    const count = recorded.get(event.launch_id) ?? 0;
    assert.ok(count <= (invokes ? 1 : 0), `${event.launch_id} has ${count} records`);
    if (invokes && over.has(`${event.attempt}#${event.task_id}`))
      assert.equal(count, 1, `${event.launch_id} has no record`);
  }
}
