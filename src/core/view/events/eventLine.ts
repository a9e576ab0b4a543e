import { codeWords, signalWords } from '../../../base/text/endWords';
import { withoutEnd } from '../../../base/text/plainLine';
import { phaseTitles } from '../../../contracts/vocabulary/execution';
import type { EventLine } from '../../../contracts/page/missionView';
import type { MissionEvent } from '../../model/events';
import type { LaunchEnd } from '../../model/facts';
import type { JournalEntry } from '../../model/journalEntry';
import { laneLimit, launchNamed, taskOfLaunch } from '../../model/lanes';
import { rowOf, type Mission } from '../../model/state';
import { memoryName } from '../../memory/rememberedValue';
import { nameOfChange } from '../../observation/outstanding';
import { relaunchLimit } from '../../recovery/permission/decideRecovery';
import type { ModeChange } from '../../recovery/permission/record';
import { planName } from '../../mission/revision/supersede';
import { allowedWords, modeLine } from '../../mission/parts/launchChange';
import { revisedWords } from '../../evidence/revisedWords';
import { eventMark, eventTraits } from './eventTraits';
import { launchChangeLinesOf } from './launchChangeLines';
import { orchestratorSentence } from './orchestratorLine';
import {
  confinementWords,
  criterionWords,
  outcomeWords,
  shownCode,
  taskSentence,
  grantWords,
} from '../../../base/text/words';

/** A journal entry as a sentence for a person, which names the task where several run at once. */
export function eventLine({ seq, at, actor, event }: JournalEntry<MissionEvent>, mission: Mission): EventLine {
  const lane = laneLimit(mission) > 1 ? unnamedTask(event, mission) : null;
  const mark = eventMark(event);
  return {
    seq,
    at,
    actor: actor.name,
    type: event.type,
    text: `${lane === null ? '' : `${lane}: `}${sentence(event, mission)}`,
    ...(mark && { mark }),
  };
}

/** The task of an event whose sentence does not name it. */
function unnamedTask(event: MissionEvent, mission: Mission): string | null {
  if (!eventTraits[event.type].ofLane) return null;
  if ('task_id' in event) return event.task_id;
  return 'launch_id' in event ? taskOfLaunch(mission, event.launch_id) : null;
}

function sentence(event: MissionEvent, mission: Mission): string {
  switch (event.type) {
    case 'MissionReceived':
      return `Plan ${event.plan.plan_id} received (approval: ${event.approval_source}).`;
    case 'PlanValidated':
      return event.warnings.length === 0
        ? 'Plan validated.'
        : `Plan validated with ${event.warnings.length} warning(s).`;
    case 'PlanLocked':
      return `Plan locked: ${event.plan_sha256.slice(0, 12)}.`;
    case 'ArchiveBegun':
      return `Evidence of ${event.mission_id} is archived.`;
    case 'HeaderWritten':
      return mission.archived
        ? `Execution header written; evidence of ${mission.archived.mission_id} archived.`
        : 'Execution header written.';
    case 'EffectFailed':
      return `The runner stopped (${event.code}): ${event.reason}`;
    case 'ObstacleMoved':
      return `${event.path} stood in the way and was moved to ${event.moved_to}.`;
    case 'ExecutionStarted':
      return 'Execution started.';
    case 'SuccessCriteriaReported':
      return `Success criteria: ${event.criteria.map((item) => `${item.criterion} ${criterionWords(item)}`).join(', ') || 'none'}.`;
    case 'MissionEvidenced':
      return 'All evidence written.';
    case 'MissionCompleted':
      return 'Mission completed.';
    case 'MissionFailed': {
      const code = shownCode(event);
      return `${event.cancelled ? 'Mission canceled' : 'Mission failed'}${code === null ? '' : ` (${code})`}: ${event.reason}`;
    }
    case 'MissionReported':
      return 'Summary and final header written.';
    case 'RowTransitioned':
      return taskSentence({
        task_id: event.task_id,
        status: event.to,
        stopped: wasStopped(mission, event.task_id, event.reason),
        skipped: event.to === 'canceled' && Boolean(rowOf(mission, event.task_id)?.skipped),
        code: event.code,
        reason: event.reason,
      });
    case 'LockTaken':
      return `Lock taken for ${event.task_id}: ${event.resources.join(', ')}.`;
    case 'LockReleased':
      return `Lock of ${event.task_id} released.`;
    case 'AttemptStarted':
      return `Attempt ${event.attempt} of ${event.task_id} started${event.because === undefined ? '' : `: ${withoutEnd(event.because)}`}${event.decided_by ? `, decided by ${event.decided_by.actor.name}: ${withoutEnd(event.decided_by.reason)}` : ''}.`;
    case 'NothingLaunched':
      return `Nothing is launched for ${event.task_id}: its milestone names no agent.`;
    case 'MilestoneAccepted':
      return `Milestone ${event.milestone} is accepted for the files ${event.tree_sha256.slice(0, 12)}.`;
    case 'AcceptanceAsked':
      return `The files that ${event.task_id} accepted are read again.`;
    case 'AcceptanceChecked':
      return event.reason;
    case 'PhaseCompleted':
      return `Phase ${event.phase} ${phaseTitles[event.phase]} ${outcomeWords[event.outcome]}. ${event.note}`;
    case 'InvocationRecorded': {
      const { call_index, model_logical_id, role, result, failure_reason } = event.record;
      return `Invocation ${call_index} of ${event.task_id} (${model_logical_id}, ${role}): ${result.replaceAll('_', ' ')}${failure_reason === null ? '' : `. ${failure_reason}`}`;
    }
    case 'PlanHashChecked':
      return event.matches
        ? 'Plan hash matches the lock.'
        : `Plan hash does not match the lock. ${event.explanation ?? ''}`;
    case 'BaselineTaken':
      return `Baseline of ${event.files} files taken.`;
    case 'ContextRefused':
      return `Context could not be assembled (${event.code}): ${event.reason}`;
    case 'BaselineImpossible':
      return `Baseline could not be taken (${event.code}): ${event.reason}`;
    case 'ModelRefused':
      return `No model for ${event.task_id}: ${event.reason}`;
    case 'LaunchRequested':
      return `${event.purpose.kind === 'worker' ? 'Worker' : 'Verification'} requested in ${event.run_dir}.`;
    case 'LaunchPrepared':
      return `Prepared ${event.prepared.worker}${event.prepared.cli_version === null ? '' : ` ${event.prepared.cli_version}`} (confined by ${confinementWords[event.prepared.confinement]}).${changeWords(mission, event.launch_id) || modeWords(event)}`;
    case 'LaunchImpossible':
      return `Could not be started (${event.code}): ${event.reason}${modeWords(event)}`;
    case 'AssignmentRefused':
      return `Assignment of ${event.task_id} refused (${event.code}): ${event.reason}`;
    case 'WorkerStarted':
      return `${whatStarted(mission, event.launch_id)} started as process ${event.process.worker?.pid ?? 'unknown'}.`;
    case 'RecoveryRequested':
      return `${event.issue} (${event.issue_detected}): launched once more, ${event.action}, ${event.retry_count} of ${relaunchLimit}, allowed by ${allowedWords(event.allowed_by)}.`;
    case 'RecoverySucceeded':
      return 'The new process was seen alive.';
    case 'RecoveryFailed':
      return `The new launch failed: ${event.reason}`;
    case 'RecoveryEscalated':
      return `${event.issue} (${event.issue_detected}) is for a person${event.path === null ? '' : `, about ${event.path}`}: ${event.why}`;
    case 'WorkerSessionSeen':
      return `Session ${event.worker_session_id}${event.model === null ? '' : ` on ${event.model}`}.`;
    case 'UsageSeen': {
      const { input_tokens, output_tokens } = event.usage;
      return `Used so far: ${input_tokens ?? '?'} tokens in, ${output_tokens ?? '?'} out.`;
    }
    case 'BudgetStopRequested':
      return `${event.reason} Its worker is being stopped.`;
    case 'ScopeBreachSeen':
      return `Out of scope: a write to ${event.path}; the worker is being stopped.`;
    case 'WorkerTimedOut':
      return `TASK_TIMEOUT: no sign of life of ${event.task_id} for ${event.age_seconds} s (timeout ${event.timeout_seconds} s, last heartbeat ${event.last_heartbeat_at}); it is being stopped.`;
    case 'WorkerLingered':
      return `The agent of ${event.task_id} reported its end and did not exit by itself; it is being ended after ${event.quiet_seconds} s.`;
    case 'ExternalSaveRecorded':
      return `${event.save.path} was saved in this editor during the attempt.`;
    case 'WorkerEnded':
      return `Worker ended: ${describe(event.end)}; ${event.claim.kind === 'report' ? `report ${event.claim.report.status}` : `result packet ${event.claim.kind.replaceAll('_', ' ')}`}.`;
    case 'InterventionRequested':
      return `Task ${event.task_id} waits for a person to complete its result: ${event.failure.details.join('; ')}.`;
    case 'InterventionOffered':
      return `Its result packet can be completed in ${event.path}.`;
    case 'InterventionCompleted':
      return `The result of ${event.task_id} was completed by ${event.decision.actor.name}: ${event.decision.reason}`;
    case 'MemoryProposed':
      return `Task ${event.task_id} proposes to remember: ${names(event.entries.map(memoryName))}.`;
    case 'MemoryCompared': {
      const conflicts = event.standings.filter(({ state }) => state === 'conflict').map(({ name }) => name);
      const known = event.standings.filter(({ state }) => state === 'known').map(({ name }) => name);
      return `Compared with what is remembered${known.length === 0 ? '' : `; known already: ${names(known)}`}${conflicts.length === 0 ? '' : `; contradicts it: ${names(conflicts)}`}.`;
    }
    case 'MemoryDecided': {
      const { saves, discards, decision } = event;
      return `Decided by ${decision.actor.name}, to be remembered: ${names(saves) || 'nothing'}; discarded: ${names(discards) || 'nothing'}. ${decision.reason}`;
    }
    case 'MemorySaved':
      return `Remembered: ${names(event.saved.map(({ name, version }) => `${name} version ${version}`))}.`;
    case 'ChangesObserved':
      return `After the ${event.after ?? 'worker'}: ${counted(event.observed.changes.length)}.`;
    case 'ObservationFailed':
      return `Observation failed: ${event.reason}`;
    case 'VerifyEnded':
      return `Verification ${event.result.argv.join(' ')}: ${describe(event.result.end)}.`;
    case 'VerificationEnded':
      return `Verify commands of ${event.task_id} have ended; what they left is looked at.`;
    case 'VerifyObserved': {
      const blocking = event.changes.filter(({ blocks }) => blocks !== null).length;
      const seen = `After the verify commands: ${counted(event.changes.length)}`;
      return blocking === 0 ? `${seen}.` : `${seen}, ${blocking} of which block the task.`;
    }
    case 'ChangesOutstanding':
      return `On the list of ${event.task_id} until gone or accepted: ${names(event.changes.map(nameOfChange))}.`;
    case 'OutstandingRead':
      return `List of ${event.task_id} read: ${event.found.filter(({ gone }) => gone).length} of ${event.found.length} gone.`;
    case 'ChangesAccepted':
      return `Accepted for ${event.task_id} by ${event.decision.actor.name}: ${names(event.names)}. ${event.decision.reason}`;
    case 'AttemptEnded':
      return `Attempt ${event.attempt} of ${event.task_id} ${outcomeWords[event.outcome]}${event.failure ? `: ${event.failure.reason}` : '.'}`;
    case 'TaskEvidenceWritten':
      return `Evidence of ${event.task_id} written: ${event.status}.`;
    case 'TreeLookedFor':
      return event.gone
        ? `All processes of ${event.task_id} have ended.`
        : `Processes of ${event.task_id} are not proven gone: ${event.survivors.join(', ') || 'they could not be looked at'}.`;
    case 'PacketIssued':
      return `Recovery packet ${event.packet_id} issued for ${event.task_id}.`;
    case 'PacketWritten':
      return `Recovery packet written: ${event.path}.`;
    case 'PacketResolved':
      return `Packet resolved by ${event.decision.actor.name} with ${event.outcome}: ${event.decision.reason}`;
    case 'QuestionAsked':
      return `Asked by ${event.decision.actor.name} about ${event.task_id}: ${event.question.text}`;
    case 'QuestionAnswered':
      return `The question of ${event.task_id} was answered by ${event.decision.actor.name}: ${event.text} (${event.decision.reason})`;
    case 'DirectoryGranted':
      return `Granted by ${event.decision.actor.name} for one attempt of ${event.task_id}: ${grantWords(event)}. ${event.decision.reason}`;
    case 'PacketSuperseded':
      return `Packet superseded: ${event.reason}`;
    case 'PauseRequested':
      return `Pause requested by ${event.decision.actor.name}: ${event.decision.reason}`;
    case 'MissionPaused':
      return `Paused. ${event.reason}`;
    case 'MissionResumed':
      return `Resumed by ${event.decision.actor.name}: ${event.decision.reason}`;
    case 'TaskStopRequested':
      return `Stop of ${event.task_id} requested by ${event.decision.actor.name}: ${event.decision.reason}`;
    case 'CancelRequested':
      return `Cancellation requested by ${event.decision.actor.name}: ${event.decision.reason}`;
    case 'TasksSkipped':
      return `${names(event.task_ids)} skipped by ${event.decision.actor.name}: ${event.decision.reason}`;
    case 'MetadataRevised':
      return `${event.task_id} revised by ${event.decision.actor.name} from attempt ${event.attempt} on (${revisedWords(event)}): ${event.decision.reason}`;
    case 'FailureAcknowledged':
      return `Acknowledged by ${event.decision.actor.name}: ${event.decision.reason}`;
    case 'MissionSuperseded':
      return `Superseded by ${planName(event.plan_id)}, approved by ${event.decision.actor.name}: ${event.decision.reason}`;
    case 'TasksCarried':
      return `Carried over from ${planName(event.tasks[0]?.from.plan_id ?? '')}: ${names(event.tasks.map(({ task_id }) => task_id))}.`;
    case 'CommandAccepted':
      return `${event.command} accepted. ${event.reason}`;
    case 'CommandRefused':
      return `${event.command} refused (${event.code}): ${event.reason}`;
    case 'HandoffRequested':
      return `Handoff ${event.n} requested (${event.why})${event.move ? `; ${event.move.actor.name} gives the run away: ${event.move.reason}` : ''}.`;
    case 'HandoffWritten':
      return `Handoff ${event.n} written: ${event.path}/.`;
    case 'HandoffRefused':
      return `Handoff ${event.n} was not written (${event.code})${event.file === null ? '' : `, because of ${event.file}`}: ${event.reason}`;
    case 'MissionMoved':
      return `The run was given away with handoff ${event.n} by ${event.decision.actor.name}: ${event.decision.reason}`;
    case 'HandoffImported':
      return `Goes on from handoff ${event.source.handoff} of ${event.source.mission_id}, resumed by ${event.source.decision.actor.name}: ${event.source.decision.reason}`;
    case 'OrchestratorDispatched':
    case 'OrchestratorPrepared':
    case 'OrchestratorStarted':
    case 'OrchestratorUsageSeen':
    case 'OrchestratorAsked':
    case 'OrchestratorStopRequested':
    case 'OrchestratorEnded':
    case 'OrchestratorUnavailable':
    case 'SessionRecorded':
      return orchestratorSentence(event);
    case 'OwnerResumed':
      return `An owner is back; found: ${event.found}.`;
  }
}

/** Returns whether a block with this reason is a person's stop. */
function wasStopped(mission: Mission, taskId: string, reason: string): boolean {
  return (rowOf(mission, taskId)?.attempts ?? []).some(
    ({ failure }) =>
      failure?.kind === 'recoverable' && failure.human_only === 'stopped_by_human' && failure.reason === reason,
  );
}

/** The whole lines stand in the event and in the evidence. */
function whatStarted(mission: Mission, launchId: string): string {
  return launchNamed(mission, launchId)?.launch.purpose.kind === 'verify' ? 'Verify command' : 'Worker';
}

function changeWords(mission: Mission, launchId: string): string {
  const changeLines = launchChangeLinesOf(mission, launchId).slice(0, 2);
  return changeLines.map((line) => ` ${line}`).join('');
}

function modeWords({ modes = [] }: { readonly modes?: readonly ModeChange[] }): string {
  return modes.map((mode) => ` M${modeLine(mode).slice(1)}.`).join('');
}

function counted(changes: number): string {
  return changes === 0 ? 'nothing was changed' : changes === 1 ? '1 change' : `${changes} changes`;
}

function names(all: readonly string[]): string {
  return all.length > 10 ? `${all.slice(0, 10).join(', ')} and ${all.length - 10} more` : all.join(', ');
}

function describe(end: LaunchEnd): string {
  if (end.did_not_exit) return 'it did not exit by itself';
  if (end.reason !== 'exited') return end.reason.replaceAll('_', ' ');
  if (end.signal !== null) return `signal ${signalWords(end.signal)}`;
  return `exit code ${end.exit_code === null ? 'unknown' : codeWords(end.exit_code)}`;
}
