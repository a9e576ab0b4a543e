import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import { evidenceFinding, type EvidenceFinding } from '../../contracts/vocabulary/codes/evidenceFindings';
import type { MissionEvent } from '../model/events';
import { isTerminal } from './consistency';
import type { EvidenceFacts } from './facts';

/** Compares what the header records of the orchestrator's sessions with the journal. */
export function checkOrchestrator({ header }: EvidenceFacts, events: readonly MissionEvent[]): EvidenceFinding[] {
  const received = events.find((event) => event.type === 'MissionReceived');
  const findings: EvidenceFinding[] = [];
  const disagree = (message: string, pointer: string): void => {
    findings.push(evidenceFinding('JOURNAL_DISAGREES', evidenceNames.header, message, `/orchestrator${pointer}`));
  };
  const { orchestrator: recorded } = header;
  const worker = received?.orchestrator?.worker ?? null;
  if ((recorded?.worker ?? null) !== worker) {
    disagree(
      `The header names ${recorded?.worker ?? 'no agent'} as the orchestrator; the journal names ${worker ?? 'no agent'}.`,
      '',
    );
    return findings;
  }
  if (!recorded || !isTerminal(header)) return findings;
  const sessions = sessionsIn(events);
  if (recorded.sessions.length !== sessions.length)
    disagree(
      `The header has ${recorded.sessions.length} sessions of the orchestrator; the journal has ${sessions.length}.`,
      '',
    );
  for (const [index, found] of sessions.entries()) {
    const listed = recorded.sessions[index];
    if (!listed) continue;
    const fields = ['launch_id', 'packet_id', 'task_id', 'model', 'result', 'chose', 'code', 'reason'] as const;
    for (const field of fields)
      if (listed[field] !== found[field])
        disagree(
          `The header says ${listed[field] ?? 'nothing'}; the journal says ${found[field] ?? 'nothing'}.`,
          `/sessions/${index}/${field}`,
        );
  }
  return findings;
}

type SessionFacts = Record<'launch_id' | 'packet_id' | 'task_id', string> &
  Record<'model' | 'result' | 'chose' | 'code' | 'reason', string | null>;

function sessionsIn(events: readonly MissionEvent[]): readonly SessionFacts[] {
  const asked = new Map<string, { readonly packet_id: string; readonly task_id: string }>();
  const chose = new Map<string, string>();
  return events.flatMap((event): readonly SessionFacts[] => {
    if (event.type === 'OrchestratorDispatched') asked.set(event.launch_id, event);
    if (event.type === 'OrchestratorAsked' && event.choice && !chose.has(event.launch_id))
      chose.set(event.launch_id, event.choice.outcome);
    if (event.type !== 'OrchestratorEnded' && event.type !== 'OrchestratorUnavailable') return [];
    const { launch_id } = event;
    const { packet_id, task_id } = asked.get(launch_id) ?? { packet_id: '', task_id: '' };
    const of = { launch_id, packet_id, task_id, chose: chose.get(launch_id) ?? null };
    if (event.type === 'OrchestratorUnavailable')
      return [{ ...of, model: null, result: 'unavailable', code: event.code, reason: event.reason }];
    const { result, end } = event;
    const why = result.kind === 'applied' ? { code: null, reason: null } : { code: result.code, reason: result.reason };
    return [{ ...of, model: end.model ?? null, result: result.kind, ...why }];
  });
}
