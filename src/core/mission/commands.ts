import type { MissionEvent } from '../model/events';
import type { HumanDecision } from '../observation/outstanding';
import type { Command, Input } from '../model/inputs';
import { recoveryEvents } from './takeover';
import { commandRefusal } from './commandGuards';
import { behaviourOf, continues } from './commandTable';
import type { Mission } from '../model/state';
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
    ...(command.recovery && takesOver(command.command) ? recoveryEvents(mission, command.recovery) : []),
    ...decided.events,
  ];
}

/**
 * Says why a person's decision would be refused now, by its guard and by what decides it; null: it would not. What
 * only an owner decides is asked of its guard alone.
 */
export function refusedIfAsked(mission: Mission, command: MissionCommand, ownerless: boolean): Refused | null {
  const asked: Command = {
    ...{ type: 'Command', command_id: '', command, reason: 'asked', expected_seq: null },
    ...{ from_worker: false, identified: true, owner_was_absent: ownerless, active_elsewhere: null },
  };
  const actor = { kind: 'human', name: 'asked' } as const;
  const refused = commandRefusal(mission, actor, asked);
  if (refused || behaviourOf(command).needsMachine) return refused;
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
  if (!behaviourOf(command).isOrder && !continues(command)) return false;
  return decideCommand(mission, input, input.body)[0]?.type === 'CommandAccepted';
}

function takesOver(command: MissionCommand): boolean {
  return behaviourOf(command).takesOver?.(command) ?? true;
}

function judge(mission: Mission, command: Command, decision: HumanDecision): CommandDecision {
  return behaviourOf(command.command).decide(mission, command.command, decision, command);
}
