import type { HumanDecision } from '../../contracts/record/header';
import { decisionStep, fileStep, personStep } from '../../base/text/steps';
import type { MissionCommand } from '../../contracts/commands/missionCommand';
import { isUnfilled, namesNobody, type Actor } from '../../contracts/vocabulary/actors';
import { isApproved, planChanged, planStep, planWords } from '../lifecycle/parts/planWait';
import type { MissionEvent } from '../model/events';
import type { Command, Input } from '../model/inputs';
import type { Mission, Progress } from '../model/state';
import { activeRefusal } from './activeElsewhere';
import { closed, refuse, type CommandDecision, type Refused, statusStep } from './parts/commandDecision';
import { behaviourOf, continues, endsPause } from './commandTable';
import { cameBackRefusal, givenAway, givenAwayRefusal } from './handoff/movedRun';
import { judgeLedger } from './evidence/ledgerDocument';
import { hasUnseenFailure, waiting } from './runCommands';
import { planName } from './revision/supersede';
import { recoveryEvents } from './takeover/takeover';

/** The events of a command: its acceptance and what follows, or its refusal; none for an id that has its answer. */
export function decideCommand(mission: Mission, input: Input, command: Command): readonly MissionEvent[] {
  if (Object.hasOwn(mission.answers, command.command_id)) return [];
  const decided =
    commandRefusal(mission, input.actor, command) ??
    judge(mission, command, { actor: input.actor, reason: command.reason, at: input.at });
  const name = command.command.type;
  const { takesOver } = behaviourOf(command.command);
  if ('code' in decided) return [{ type: 'CommandRefused', command_id: command.command_id, command: name, ...decided }];
  return [
    { type: 'CommandAccepted', command_id: command.command_id, command: name, reason: decided.reason },
    // Recovery comes first, because the command's events may dispatch tasks.
    ...(command.recovery && takesOver?.(command.command) !== false ? recoveryEvents(mission, command.recovery) : []),
    ...decided.events,
  ];
}

/** Says why a decision would be refused now; null: it would not. What only an owner decides is asked of its guard. */
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

/** Returns whether a person orders whether tasks run, by a command that is accepted now and had no answer before. */
export function isOrder(mission: Mission, input: Input): boolean {
  if (input.body.type !== 'Command') return false;
  const { command } = input.body;
  if (!behaviourOf(command).isOrder && !continues(command)) return false;
  return decideCommand(mission, input, input.body)[0]?.type === 'CommandAccepted';
}

function judge(mission: Mission, command: Command, decision: HumanDecision): CommandDecision {
  return behaviourOf(command.command).decide(mission, command.command, decision, command);
}

/** Says why a command is refused now; null: it is decided. Offers (`commandOffers`) ask the same behaviours. */
export function commandRefusal(mission: Mission, actor: Actor, command: Command): Refused | null {
  // A mission that has ended starts nothing, so a command may still write the rest of its evidence.
  const held = closed(mission) ? null : (command.starts_held ?? null);
  return (
    senderRefusal(mission, actor, command) ??
    (closed(mission) ? closedRefusal(mission, command) : null) ??
    stuckRefusal(command) ??
    (continues(command.command)
      ? ((held && refuse(held.code, held.reason, held.next)) ??
        ledgerRefusal(mission, command) ??
        (command.active_elsewhere && activeRefusal(command.active_elsewhere)) ??
        planRefusal(mission, command))
      : null) ??
    behaviourOf(command.command).refused(mission, command.command, command.owner_was_absent)
  );
}

function senderRefusal(mission: Mission, actor: Actor, command: Command): Refused | null {
  if (command.from_worker) {
    const reason = 'The command came from inside a worker’s process tree. An agent cannot decide for a human.';
    return refuse('NON_COMPLIANT', reason, [personStep]);
  }
  if (!command.identified) {
    const reason = 'The process that sent the command could not be found, so it is unknown whether a human sent it.';
    return refuse('NON_COMPLIANT', reason, ['Repeat it with `mission` or in the editor, and wait for the answer.']);
  }
  if (actor.kind === 'runner' && behaviourOf(command.command).byRunner?.(command.command)) return null;
  if (actor.kind !== 'human')
    return refuse('HUMAN_ONLY', `Only a person decides this (${command.command.type}).`, [personStep]);
  if (namesNobody(actor.name))
    return refuse('HUMAN_ONLY', `${JSON.stringify(actor.name)} names no person, and only a person decides.`, [
      'Repeat it with the name of the person who decides.',
    ]);
  if (command.reason.trim() === '' || isUnfilled(command.reason))
    return refuse('REASON_REQUIRED', 'A decision needs a reason; it stands in the evidence.', [
      'Repeat it and say why.',
    ]);
  if (command.expected_seq !== null && command.expected_seq !== mission.last_seq)
    return refuse(
      'STALE_SEQUENCE',
      `The mission has moved on to event ${mission.last_seq}; the command was made for ${command.expected_seq}.`,
      [statusStep(mission), 'Repeat the command if it still holds.'],
    );
  return null;
}

function closedRefusal(mission: Mission, { command, owner_was_absent, came_back_as = null }: Command): Refused | null {
  const said = behaviourOf(command).afterEnd?.(mission, command, owner_was_absent) ?? null;
  if (said === 'taken') return null;
  const away = givenAway(mission);
  if (away) return came_back_as === null ? givenAwayRefusal(away) : cameBackRefusal(away, came_back_as);
  if (said) return said;
  if (mission.execution !== 'REPORTED')
    return refuse('MISSION_CLOSED', 'The mission has ended; not all of its evidence is written yet.', [
      owner_was_absent ? decisionStep('resume', mission.mission_id) : statusStep(mission),
    ]);
  const by = mission.superseded;
  if (by) {
    const reason = `The mission has ended (${mission.execution}), superseded by ${planName(by.plan_id)}.`;
    return refuse('MISSION_CLOSED', reason, [fileStep('run', `docs/plans/${planName(by.plan_id)}.json`)]);
  }
  return refuse('MISSION_CLOSED', `The mission has ended (${mission.execution}). The same plan may be run again.`, [
    ...(hasUnseenFailure(mission) ? [decisionStep('acknowledge', mission.mission_id)] : []),
    fileStep('run', mission.plan_path),
  ]);
}

function stuckRefusal({ command, stuck }: Command): Refused | null {
  if (!stuck || behaviourOf(command).whileStuck) return null;
  const reason = `The mission cannot go on: ${stuck.reason}`;
  return refuse(stuck.code, reason, [...stuck.next, 'Mend it, and repeat the command.']);
}

/** A mission whose ledger contradicts itself can still be canceled. */
function ledgerRefusal(mission: Mission, { recovery }: Command): Refused | null {
  const ledger = judgeLedger({ ...mission, file_system: recovery?.file_system ?? mission.file_system });
  if (ledger.allow) return null;
  return refuse('LEDGER_INCONSISTENT', `The ledger of the mission contradicts itself: ${ledger.reason}`, [
    `mission journal verify ${mission.mission_id}`,
    decisionStep('cancel', mission.mission_id),
  ]);
}

/** A paused mission stays paused until its plan is the approved one again. Source: seed 001, plan hash lock. */
function planRefusal(mission: Progress, { command, plan }: Command): Refused | null {
  if (!plan || isApproved(mission, plan.observed) || mission.hold.kind !== 'paused' || !endsPause(command)) return null;
  return refuse(planChanged, `${planWords(mission, plan)} The mission stays paused.`, [
    planStep(mission),
    waiting(mission) ? 'Then repeat the command.' : decisionStep('resume', mission.mission_id),
    decisionStep('cancel', mission.mission_id),
  ]);
}
