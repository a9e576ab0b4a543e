import { exportHandoff } from './handoffs';
import type { MissionEvent } from '../model/events';
import type { HumanDecision } from '../observation/outstanding';
import type { Command, Input } from '../model/inputs';
import { recoveryEvents } from './takeover';
import { limitWait, needsDecision } from './afterLimit';
import { accept } from './outstanding';
import { commandRefusal } from './commandGuards';
import { continues } from './continues';
import { resolve, retry } from './packetCommands';
import { fixedByHand, grant } from './grant';
import { answer } from './answer';
import { completeIntervention } from './intervene';
import { confirmMemory } from './confirmMemory';
import { revise } from './revise';
import { skip } from './skip';
import { supersede } from './supersede';
import { laneOf } from '../model/lanes';
import { openPackets, type Mission, type TaskRow } from '../model/state';
import type { MissionCommand } from '../../contracts/missionCommand';
import type { CommandDecision, Refused } from './commandDecision';

/** The events of a command: its acceptance and what follows, or its refusal; none for an id that has its answer. */
export function decideCommand(mission: Mission, input: Input, command: Command): readonly MissionEvent[] {
  if (Object.hasOwn(mission.answers, command.command_id)) return [];
  const decided =
    commandRefusal(mission, input.actor, command) ??
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

/**
 * Says why a person's decision would be refused now, by its guard and by what decides it; null: it would not. A grant is
 * asked of its guard alone, because only an owner knows the folders of the machine.
 */
export function refusedIfAsked(mission: Mission, command: MissionCommand, ownerless: boolean): Refused | null {
  const asked: Command = {
    ...{ type: 'Command', command_id: '', command, reason: 'asked', expected_seq: null },
    ...{ from_worker: false, identified: true, owner_was_absent: ownerless, active_elsewhere: null },
  };
  const actor = { kind: 'human', name: 'asked' } as const;
  const refused = commandRefusal(mission, actor, asked);
  if (refused || command.type === 'GrantDirectory') return refused;
  const decided = judge(mission, asked, { actor, reason: asked.reason, at: mission.last_at });
  return 'code' in decided ? decided : null;
}

/**
 * Returns whether a person orders by it whether tasks run: a command that is accepted now, not one that had its answer
 * before.
 */
export function isOrder(mission: Mission, input: Input): boolean {
  if (input.body.type !== 'Command') return false;
  const { command } = input.body;
  if (command.type !== 'PauseMission' && !continues(command)) return false;
  return decideCommand(mission, input, input.body)[0]?.type === 'CommandAccepted';
}

/**
 * Returns whether the process that decides the command becomes the owner; exporting a handoff does not require that.
 */
function takesOver({ command }: Command): boolean {
  return command.type !== 'ExportHandoff' || command.move;
}

function judge(mission: Mission, command: Command, decision: HumanDecision): CommandDecision {
  const body = command.command;
  switch (body.type) {
    case 'PauseMission':
      return pause(mission, decision);
    case 'ResumeMission':
      return resume(mission, decision);
    case 'StopTask':
      return stop(mission, body.task_id, decision);
    case 'RetryTask':
      return retry(mission, body.task_id, 'retry-repair', decision);
    case 'RerunValidation':
      return retry(mission, body.task_id, 'rerun-validation', decision);
    case 'AcceptChanges':
      return accept(mission, body.task_id, body.names, decision);
    case 'SkipTask':
      return skip(mission, body.task_id, body.dependants, decision);
    case 'GrantDirectory': {
      const { workspace_dir, home_dir } = command;
      return grant(mission, { ...body, workspace_dir: workspace_dir ?? '', home_dir: home_dir ?? null }, decision);
    }
    case 'CompleteIntervention':
      return completeIntervention(mission, body.task_id, command, decision);
    case 'AnswerQuestion':
      return answer(mission, body, decision);
    case 'ConfirmMemory':
      return confirmMemory(mission, body, command, decision);
    case 'ReviseMetadata':
      return revise(mission, body, decision);
    case 'CancelMission':
      return cancel(mission, decision);
    case 'SupersedeMission':
      return supersede(mission, body, command, decision);
    case 'Acknowledge':
      return { events: [{ type: 'FailureAcknowledged', decision }], reason: 'Acknowledged.' };
    case 'ExportHandoff':
      return {
        events: exportHandoff(mission, command, body.move ? decision : null),
        reason: body.move ? 'The run ends here as soon as its handoff is written.' : 'A handoff is requested.',
      };
    case 'ResolvePacket':
      return resolve(mission, body, decision);
  }
}

function pause(mission: Mission, decision: HumanDecision): CommandDecision {
  const running = mission.lanes.map(({ task_id }) => task_id).join(', ');
  const reason = running === '' ? 'Paused.' : `Pauses after the current attempt of ${running}.`;
  return { events: [{ type: 'PauseRequested', decision }], reason };
}

function resume(mission: Mission, decision: HumanDecision): CommandDecision {
  const undecided = (row: TaskRow): boolean => needsDecision(mission, row);
  if (mission.ending ?? mission.criteria ?? mission.moved)
    return { events: [], reason: 'The mission has ended; what is missing of its evidence is written.' };
  const fixed = fixedByHand(mission, decision);
  if (fixed) {
    const events: readonly MissionEvent[] =
      mission.hold.kind === 'none' ? fixed : [...fixed, { type: 'MissionResumed', decision }];
    return { events, reason: 'What recovery could not mend is fixed by hand: its task is tried again.' };
  }
  if (openPackets(mission).some((packet) => !limitWait(mission, packet)) || mission.rows.some(undecided))
    return { events: [], reason: 'What was begun is brought to its end; the blocked task still waits for a decision.' };
  if (mission.hold.kind === 'none') return { events: [], reason: 'The mission continues where it stopped.' };
  return { events: [{ type: 'MissionResumed', decision }], reason: 'The mission goes on.' };
}

function stop(mission: Mission, task_id: string, decision: HumanDecision): CommandDecision {
  const what = laneOf(mission, task_id) ? `worker of ${task_id}` : `session of the orchestrator about ${task_id}`;
  return {
    events: [{ type: 'TaskStopRequested', task_id, decision }],
    reason: `The ${what} is being stopped with its whole process tree.`,
  };
}

function cancel(mission: Mission, decision: HumanDecision): CommandDecision {
  const events: readonly MissionEvent[] = [
    { type: 'CancelRequested', decision },
    ...mission.lanes.map(({ task_id }): MissionEvent => ({ type: 'TaskStopRequested', task_id, decision })),
  ];
  return { events, reason: 'Workers are stopped, open tasks are canceled, and the evidence is written.' };
}
