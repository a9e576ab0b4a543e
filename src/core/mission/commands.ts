import { namesNobody, type Actor } from '../../contracts/vocabulary/actors';
import { pendingEffects } from './effects';
import { exportHandoff, movedReason } from './handoffs';
import type { MissionEvent } from '../model/events';
import type { HumanDecision } from '../observation/outstanding';
import type { Command, Input } from '../model/inputs';
import { decisionStep, personStep, fileStep } from '../../base/text/steps';
import { laneOf, waitsForPerson } from '../model/lanes';
import { judgeLedger } from './ledgerDocument';
import { recoveryEvents } from './takeover';
import { accept } from './outstanding';
import { activeRefusal } from './activeElsewhere';
import { blockedBy, resolve, retry } from './packetCommands';
import { fixedByHand, grant } from './grant';
import { skip } from './skip';
import { openPackets, rowOf, type Mission } from '../model/state';
import { cancelUnderWay } from './unproven';
import { refuse, unknownTask, type Refused, type CommandDecision } from './commandDecision';

/** The events of a command: its acceptance and what follows, or its refusal; none for an id that has its answer. */
export function decideCommand(mission: Mission, input: Input, command: Command): readonly MissionEvent[] {
  if (Object.hasOwn(mission.answers, command.command_id)) return [];
  const decided =
    guard(mission, input.actor, command) ??
    stuckGuard(command) ??
    ledgerGuard(mission, command) ??
    judge(mission, command, { actor: input.actor, reason: command.reason, at: input.at });
  const name = command.command.type;
  if ('code' in decided) return [{ type: 'CommandRefused', command_id: command.command_id, command: name, ...decided }];
  return [
    { type: 'CommandAccepted', command_id: command.command_id, command: name, reason: decided.reason },
    // Recovery comes first, because the command's events may dispatch tasks.
    ...(command.recovery && takesOver(command) ? recoveryEvents(mission, command.recovery) : []),
    ...decided.events,
  ];
}

/** Whether the process that decides the command becomes the owner; exporting a handoff does not require that. */
function takesOver({ command }: Command): boolean {
  return command.type !== 'ExportHandoff' || command.move;
}

/** Refuses what could not be carried out while an effect of the mission fails. */
function stuckGuard({ command, stuck }: Command): Refused | null {
  if (!stuck || command.type === 'PauseMission' || command.type === 'Acknowledge') return null;
  return refuse(stuck.code, `The mission cannot go on: ${stuck.reason}`, [
    ...stuck.next,
    'Mend it, and repeat the command.',
  ]);
}

function guard(mission: Mission, actor: Actor, command: Command): Refused | null {
  if (command.from_worker) {
    return refuse(
      'NON_COMPLIANT',
      'The command came from inside a worker’s process tree. An agent cannot decide for a human.',
      [personStep],
    );
  }
  if (!command.identified) {
    return refuse(
      'NON_COMPLIANT',
      'The process that sent the command could not be found: nobody can say that a human sent it.',
      ['Repeat it with `mission` or in the editor, and wait for the answer.'],
    );
  }
  if (actor.kind !== 'human')
    return refuse('HUMAN_ONLY', `Only a person decides this (${command.command.type}).`, [personStep]);
  if (namesNobody(actor.name))
    return refuse('HUMAN_ONLY', `${JSON.stringify(actor.name)} names nobody, and a decision is a person’s.`, [
      'Repeat it with the name of the person who decides.',
    ]);
  if (command.reason.trim() === '')
    return refuse('REASON_REQUIRED', 'A decision needs a reason; it stands in the evidence.', [
      'Repeat it and say why.',
    ]);
  if (command.expected_seq !== null && command.expected_seq !== mission.last_seq) {
    return refuse(
      'STALE_SEQUENCE',
      `The mission has moved on to event ${mission.last_seq}; the command was made for ${command.expected_seq}.`,
      [`mission status ${mission.mission_id}`, 'Repeat the command if it still holds.'],
    );
  }
  if ((mission.ending ?? mission.criteria ?? mission.moved) && command.command.type !== 'Acknowledge') {
    // The owner died before all evidence of the end was written: a resume writes the rest and runs nothing.
    if (command.command.type === 'ResumeMission' && command.owner_was_absent && mission.execution !== 'REPORTED')
      return null;
    const moved = movedReason(mission);
    const state = mission.handoffs.findLast((handoff) => handoff.move)?.state;
    if (moved !== null)
      return refuse(
        'MISSION_CLOSED',
        `${moved} It goes on where that handoff is resumed.`,
        state?.kind === 'written' ? [fileStep('handoff resume', state.path)] : [`mission status ${mission.mission_id}`],
      );
    if (mission.execution !== 'REPORTED')
      return refuse('MISSION_CLOSED', 'The mission has ended; not all of its evidence is written yet.', [
        command.owner_was_absent ? decisionStep('resume', mission.mission_id) : `mission status ${mission.mission_id}`,
      ]);
    return refuse('MISSION_CLOSED', `The mission has ended (${mission.execution}). The same plan may be run again.`, [
      fileStep('run', mission.plan_path),
    ]);
  }
  return null;
}

/** Refuses commands that continue a mission whose ledger contradicts itself; it can still be canceled. */
function ledgerGuard(mission: Mission, { command, recovery }: Command): Refused | null {
  const file_system = recovery?.file_system ?? mission.file_system;
  const ledger = continues(command) ? judgeLedger({ ...mission, file_system }) : null;
  if (ledger === null || ledger.allow) return null;
  return refuse('LEDGER_INCONSISTENT', `The ledger of the mission contradicts itself: ${ledger.reason}`, [
    `mission journal verify ${mission.mission_id}`,
    decisionStep('cancel', mission.mission_id),
  ]);
}

/** Whether tasks may run because of the command. */
function continues(command: Command['command']): boolean {
  switch (command.type) {
    case 'ResumeMission':
    case 'RetryTask':
    case 'RerunValidation':
    case 'SkipTask':
    case 'GrantDirectory':
      return true;
    case 'ResolvePacket':
      return command.outcome !== 'leave-blocked';
    case 'PauseMission':
    case 'StopTask':
    case 'AcceptChanges':
    case 'CancelMission':
    case 'Acknowledge':
    case 'ExportHandoff':
      return false;
  }
}

function judge(mission: Mission, command: Command, decision: HumanDecision): CommandDecision {
  const body = command.command;
  switch (body.type) {
    case 'PauseMission':
      return pause(mission, decision);
    case 'ResumeMission':
      return command.active_elsewhere === null
        ? resume(mission, decision, command.owner_was_absent)
        : activeRefusal(command.active_elsewhere);
    case 'StopTask':
      return stop(mission, body.task_id, decision);
    case 'RetryTask':
      return command.active_elsewhere === null
        ? retry(mission, body.task_id, 'retry-repair', decision)
        : activeRefusal(command.active_elsewhere);
    case 'RerunValidation':
      return command.active_elsewhere === null
        ? retry(mission, body.task_id, 'rerun-validation', decision)
        : activeRefusal(command.active_elsewhere);
    case 'AcceptChanges':
      return accept(mission, body.task_id, body.names, decision);
    case 'SkipTask':
      return command.active_elsewhere === null
        ? skip(mission, body.task_id, body.dependants, decision)
        : activeRefusal(command.active_elsewhere);
    case 'GrantDirectory':
      return command.active_elsewhere === null
        ? grant(
            mission,
            { ...body, workspace_dir: command.workspace_dir ?? '', home_dir: command.home_dir ?? null },
            decision,
          )
        : activeRefusal(command.active_elsewhere);
    case 'CancelMission':
      return cancel(mission, decision);
    case 'Acknowledge':
      return acknowledge(mission, decision);
    case 'ExportHandoff':
      return exported(mission, command, body.move ? decision : null);
    case 'ResolvePacket':
      return command.active_elsewhere === null || body.outcome === 'leave-blocked'
        ? resolve(mission, body.packet_id, body.outcome, decision)
        : activeRefusal(command.active_elsewhere);
  }
}

function pause(mission: Mission, decision: HumanDecision): CommandDecision {
  const waits = waiting(mission);
  if (mission.hold.kind !== 'none')
    return refuse(
      'ALREADY_PAUSED',
      'The mission is paused already, or will be after the current attempt.',
      waits ? waits.next : [decisionStep('resume', mission.mission_id)],
    );
  const running = mission.lanes.map(({ task_id }) => task_id).join(', ');
  const reason = running === '' ? 'Paused.' : `Pauses after the current attempt of ${running}.`;
  return { events: [{ type: 'PauseRequested', decision }], reason };
}

function resume(mission: Mission, decision: HumanDecision, ownerWasAbsent: boolean): CommandDecision {
  if (mission.ending ?? mission.criteria ?? mission.moved)
    return { events: [], reason: 'The mission has ended; what is missing of its evidence is written.' };
  const fixed = fixedByHand(mission, decision);
  if (fixed) {
    const events: readonly MissionEvent[] =
      mission.hold.kind === 'none' ? fixed : [...fixed, { type: 'MissionResumed', decision }];
    return { events, reason: 'What recovery could not mend is fixed by hand: its task is tried again.' };
  }
  const waits = waiting(mission);
  // A pending decision does not hold up running lanes, packets and handoffs.
  if (ownerWasAbsent && pendingEffects(mission).length > 0 && waits)
    return { events: [], reason: 'What was begun is brought to its end; the blocked task still waits for a decision.' };
  if (waits) return waits;
  if (mission.hold.kind === 'none' && ownerWasAbsent)
    return { events: [], reason: 'The mission continues where it stopped.' };
  if (mission.hold.kind === 'none')
    return refuse('NOT_PAUSED', 'The mission is not paused.', [`mission status ${mission.mission_id}`]);
  return { events: [{ type: 'MissionResumed', decision }], reason: 'The mission goes on.' };
}

/** The refusal of a resume while a person has to decide about a blocked task; null: none is. */
function waiting(mission: Mission): Refused | null {
  const open = openPackets(mission);
  if (open.length > 0) return blockedBy(mission, open);
  const blocked = mission.rows.find(waitsForPerson);
  if (!blocked) return null;
  return refuse('PACKET_OPEN', `Task ${blocked.task.task_id} was left blocked: ${blocked.reason}`, [
    decisionStep('retry', mission.mission_id, blocked.task.task_id),
    decisionStep('cancel', mission.mission_id),
  ]);
}

function stop(mission: Mission, taskId: string, decision: HumanDecision): CommandDecision {
  if (!rowOf(mission, taskId)) return unknownTask(mission, taskId);
  if (!laneOf(mission, taskId)) {
    const running = mission.lanes.map(({ task_id }) => decisionStep('stop', mission.mission_id, task_id));
    return refuse(
      'TASK_NOT_RUNNING',
      `Task ${taskId} has no running worker.`,
      running.length > 0 ? running : [`mission status ${mission.mission_id}`],
    );
  }
  return {
    events: [{ type: 'TaskStopRequested', task_id: taskId, decision }],
    reason: `The worker of ${taskId} is being stopped with its whole process tree.`,
  };
}

function cancel(mission: Mission, decision: HumanDecision): CommandDecision {
  if (cancelUnderWay(mission))
    return refuse('MISSION_CLOSED', 'The mission is being canceled already.', [`mission status ${mission.mission_id}`]);
  const events: readonly MissionEvent[] = [
    { type: 'CancelRequested', decision },
    ...mission.lanes.map(({ task_id }): MissionEvent => ({ type: 'TaskStopRequested', task_id, decision })),
  ];
  return { events, reason: 'Workers are stopped, open tasks are canceled, and the evidence is written.' };
}

/** A handoff can be exported at any time; the run is moved only while nothing of it runs here. */
function exported(mission: Mission, command: Command, move: HumanDecision | null): CommandDecision {
  if (mission.execution !== 'EXECUTING')
    return refuse(
      'MISSION_ACTIVE',
      `The mission is ${mission.execution}, not EXECUTING: there is nothing to hand over.`,
      [`mission status ${mission.mission_id}`],
    );
  if (mission.handoffs.some((handoff) => handoff.move && handoff.state.kind === 'pending'))
    return refuse('MISSION_CLOSED', 'The run is being given away already.', [`mission status ${mission.mission_id}`]);
  const running = mission.lanes.map(({ task_id }) => task_id);
  if (move && (running.length > 0 || mission.cancel))
    return refuse(
      'MISSION_ACTIVE',
      running.length > 0
        ? `Running: ${running.join(', ')}. A run is given away only while nothing of it runs here.`
        : 'The mission is being canceled.',
      mission.cancel
        ? [`mission status ${mission.mission_id}`]
        : [
            ...(mission.hold.kind === 'none' ? [decisionStep('pause', mission.mission_id)] : []),
            ...running.map((task) => decisionStep('stop', mission.mission_id, task)),
          ],
    );
  const unproven = mission.rows.find((row) => row.unproven);
  if (move && unproven)
    return refuse('MISSION_ACTIVE', `Processes of ${unproven.task.task_id} are not proven gone.`, [
      `mission packet list ${mission.mission_id}`,
    ]);
  return {
    events: exportHandoff(mission, command, move),
    reason: move ? 'The run is handed over and ends here.' : 'A handoff is written.',
  };
}

function acknowledge(mission: Mission, decision: HumanDecision): CommandDecision {
  const something = openPackets(mission).length > 0 || mission.ending?.outcome === 'FAILED';
  if (!something || mission.acknowledged)
    return refuse('NOTHING_TO_ACKNOWLEDGE', 'There is no unacknowledged failure or block.', [
      `mission status ${mission.mission_id}`,
    ]);
  return { events: [{ type: 'FailureAcknowledged', decision }], reason: 'Acknowledged.' };
}
