import { auditSteps, type AuditFinding, type AuditFindingCode } from '../../contracts/vocabulary/codes/auditFindings';
import { phaseTitles } from '../../contracts/vocabulary/execution';
import type { AuditEvent } from './seal';

/** What a finding is about. Without an event it is an attempt as a whole, without a task the log. */
export interface About {
  readonly place: number | null;
  readonly task_id?: string | null;
  readonly attempt?: number | null;
  readonly event?: AuditEvent | null;
}

export function auditFinding(code: AuditFindingCode, about: About, message: string): AuditFinding {
  const { place, task_id = null, attempt = null, event } = about;
  const invokes = event?.type === 'InvocationRecorded' || event?.type === 'SessionRecorded';
  const call_index = invokes ? event.record.call_index : null;
  const severity = code === 'AUDIT_OPEN' ? 'info' : 'error';
  const { [code]: next } = auditSteps;
  return { code, severity, record: recordName(about), place, task_id, attempt, call_index, message, next };
}

function recordName({ task_id = null, attempt, event }: About): string {
  if (task_id === null) return '';
  const unit = `Task ${task_id}, attempt ${attempt ?? '?'}`;
  switch (event?.type) {
    case undefined:
      return unit;
    case 'AttemptStarted':
      return `${unit}, its beginning`;
    case 'PhaseCompleted':
      return `${unit}, phase ${event.phase} (${phaseTitles[event.phase]})`;
    case 'InvocationRecorded':
      return `${unit}, invocation with call_index ${event.record.call_index}`;
    case 'SessionRecorded':
      return `${unit}, orchestrator's session with call_index ${event.record.call_index}`;
  }
}
