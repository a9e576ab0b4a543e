import { plainFileSystem } from '../locks/lockPath';
import type { MissionEvent } from './events';
import type { JournalEntry } from './journalEntry';
import type { Mission } from './state';

/** A mission as it begins. */
export function receivedMission(
  entry: JournalEntry<MissionEvent>,
  event: Extract<MissionEvent, { type: 'MissionReceived' }>,
): Mission {
  return {
    mission_id: event.mission_id,
    run_id: entry.run_id,
    plan: event.plan,
    plan_path: event.plan_path,
    plan_sha256: event.plan_sha256,
    approval_source: event.approval_source,
    approved_here: event.approved_here ?? null,
    started_by: event.started_by,
    received_at: entry.at,
    tool_version: event.tool_version,
    warnings: [],
    execution: 'RECEIVED',
    execution_history: [{ state: 'RECEIVED', at: entry.at }],
    header_written: false,
    archived: null,
    rows: event.plan.tasks.map((task) => ({
      task,
      scope: { paths: task.paths, forbidden_paths: task.forbidden_paths },
      status: 'todo',
      code: null,
      reason: '',
      version: 0,
      lock: 'none',
      unproven: null,
      carried: null,
      attempts: [],
      retry: null,
      validates: null,
      started_at: null,
      ended_at: null,
      ended_seq: null,
      evidence: null,
      outstanding: [],
    })),
    lanes: [],
    launches: 0,
    file_system: plainFileSystem,
    packets: [],
    handoffs: [],
    handoff_due: null,
    moved: null,
    resumed_from: null,
    hold: { kind: 'none' },
    cancel: null,
    criteria: null,
    ending: null,
    acknowledged: null,
    answers: {},
    last_seq: entry.seq,
    last_hash: entry.hash,
    last_at: entry.at,
  };
}
