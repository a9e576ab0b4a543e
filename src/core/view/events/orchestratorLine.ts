import { confinementWords } from '../../../base/text/words';
import type { OrchestratorEvent } from '../../model/orchestratorEvents';
import type { Session } from '../../model/session';
import type { SessionResult } from '../../model/sessionFacts';

export type { OrchestratorChoice } from '../../model/sessionFacts';

/** An event of the runtime orchestrator as a sentence for a person. */
export function orchestratorSentence(event: OrchestratorEvent): string {
  switch (event.type) {
    case 'OrchestratorDispatched':
      return `The orchestrator is asked about ${event.task_id} (packet ${event.packet_id}), in ${event.run_dir}.`;
    case 'OrchestratorPrepared': {
      const { worker, cli_version, confinement } = event.prepared;
      return `Orchestrator prepared: ${worker}${cli_version === null ? '' : ` ${cli_version}`} (confined by ${confinementWords[confinement]}).`;
    }
    case 'OrchestratorStarted':
      return `Orchestrator started as process ${event.process.worker?.pid ?? 'unknown'}.`;
    case 'OrchestratorUsageSeen':
      return `Orchestrator: ${(event.usage.input_tokens ?? 0) + (event.usage.output_tokens ?? 0)} tokens so far.`;
    case 'OrchestratorAsked': {
      const what = event.choice ? `${event.tool} ${event.choice.outcome}` : event.tool;
      return event.accepted
        ? `The orchestrator asked for ${what}, accepted for now: ${event.choice?.reason ?? event.reason}`
        : `The orchestrator asked for ${what}, refused (${event.code}): ${event.reason}`;
    }
    case 'OrchestratorStopRequested':
      return `The orchestrator is ended (${event.code}): ${event.reason}`;
    case 'OrchestratorEnded':
      return sessionResultWords(event.result);
    case 'OrchestratorUnavailable':
      return `No orchestrator for ${event.task_id} (${event.code}): ${event.reason} A person decides.`;
    case 'SessionRecorded': {
      const { call_index, model_logical_id, role, result } = event.record;
      return `Session ${call_index} of the orchestrator about ${event.task_id} is recorded (${model_logical_id}, ${role}): ${result}.`;
    }
  }
}

/**
 * Says what a session makes or made of its packet, for the person who may decide instead.
 *
 * @param left how its process stands, where no owner watches it
 */
export function sessionSentence({ choice, requests, result }: Session, worker: string, left?: string): string {
  const refused = requests.filter(({ accepted }) => !accepted).length;
  const more = refused === 0 ? '' : ` ${refused} of its requests ${refused === 1 ? 'was' : 'were'} refused.`;
  if (result) return `${sessionResultWords(result)}${more}`;
  const chosen = choice ? ` It chose ${choice.outcome}, which counts once it has ended: ${choice.reason}` : '';
  const asked = left === undefined ? 'is asked' : `was asked: ${left}`;
  return `The orchestrator ${worker} ${asked}. What you decide meanwhile counts.${chosen}${more}`;
}

/** Says what became of a session, as a sentence. */
function sessionResultWords(result: SessionResult): string {
  switch (result.kind) {
    case 'applied':
      return `The orchestrator decided: ${result.outcome}.`;
    case 'discarded':
      return `The orchestrator’s decision does not count (${result.code}): ${result.reason}`;
    case 'undecided':
      return `The orchestrator decided nothing (${result.code}): ${result.reason}`;
    case 'unavailable':
      return `There was no orchestrator (${result.code}): ${result.reason}`;
  }
}
