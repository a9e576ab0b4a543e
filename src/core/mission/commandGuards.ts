import { isUnfilled, namesNobody, type Actor } from '../../contracts/vocabulary/actors';
import type { MissionCommand, MissionCommandName, TaskCommandName } from '../../contracts/missionCommand';
import type { CommandOffers } from '../../contracts/missionView';
import { decisionStep, fileStep, personStep, stepLines } from '../../base/text/steps';
import type { Command } from '../model/inputs';
import { askedInAttempt } from '../lifecycle/asked';
import { isApproved, planChanged, planStep, planWords } from '../lifecycle/planWait';
import { laneOf } from '../model/lanes';
import { liveSession } from '../model/session';
import { openPackets, rowOf, type Mission } from '../model/state';
import { activeRefusal } from './activeElsewhere';
import { limitWait, needsDecision } from './afterLimit';
import { refuse, unknownTask, type Refused } from './commandDecision';
import { continues, endsPause } from './continues';
import { pendingEffects } from './effects';
import { cannotGrant, mendableByHand } from './grant';
import { cameBackRefusal, givenAway, givenAwayRefusal } from './givenAway';
import { judgeLedger } from './ledgerDocument';
import { answeredAt, cannotAnswer } from './answer';
import { cannotAccept } from './outstanding';
import { blockedBy, cannotResolve, cannotRetry } from './packetCommands';
import { cannotComplete } from './intervene';
import { answerSteps } from './questions';
import { cannotConfirm } from './confirmMemory';
import { cannotRevise } from './revise';
import { cannotSkip, skippableTasks } from './skip';
import { planName } from './supersede';
import { cancelUnderWay } from './unproven';

/**
 * Says why a command is refused in this state of the mission; null: it is decided. The core asks here before it
 * decides, and what a program offers a person comes from the same guards (`commandOffers`).
 */
export function commandRefusal(mission: Mission, actor: Actor, command: Command): Refused | null {
  return (
    senderRefusal(mission, actor, command) ??
    (closed(mission) && !afterTheEnd(mission, command.command) ? closedRefusal(mission, command) : null) ??
    stuckRefusal(command) ??
    (continues(command.command)
      ? (heldRefusal(mission, command) ??
        ledgerRefusal(mission, command) ??
        elsewhereRefusal(command) ??
        planRefusal(mission, command))
      : null) ??
    (closed(mission) && command.command.type === 'ResumeMission' ? null : stateRefusal(mission, command))
  );
}

/** Returns whether a mission that has ended takes the command. */
function afterTheEnd({ moved }: Mission, { type }: MissionCommand): boolean {
  return type === 'Acknowledge' || (type === 'SupersedeMission' && moved === null);
}

/** Returns what a person can ask of the mission now, by command. @param ownerless no process runs it */
export function commandOffers(mission: Mission, ownerless: boolean): CommandOffers {
  const open = !closed(mission);
  const blocked = mission.rows.filter(({ status }) => status === 'blocked').map(({ task }) => task.task_id);
  const running = [...mission.lanes, ...[liveSession(mission) ?? []].flat()].map(({ task_id }) => task_id);
  const offered = (name: MissionCommandName): boolean => open && missionGuards[name](mission, ownerless) === null;
  const tasks = (name: TaskCommandName, ids: readonly string[]): readonly string[] =>
    open ? ids.filter((id) => taskGuards[name](mission, id) === null) : [];
  return {
    PauseMission: offered('PauseMission'),
    ResumeMission: offered('ResumeMission'),
    CancelMission: offered('CancelMission'),
    ExportHandoff: offered('ExportHandoff'),
    StopTask: tasks('StopTask', running),
    RetryTask: tasks('RetryTask', blocked),
    RerunValidation: tasks('RerunValidation', blocked),
    AcceptChanges: tasks('AcceptChanges', blocked),
    SkipTask: open ? skippableTasks(mission) : [],
    GrantDirectory: tasks('GrantDirectory', blocked),
    CompleteIntervention: tasks('CompleteIntervention', running),
    AnswerQuestion: tasks('AnswerQuestion', blocked),
    ConfirmMemory: tasks('ConfirmMemory', running),
    ReviseMetadata: tasks(
      'ReviseMetadata',
      mission.rows.map(({ task }) => task.task_id),
    ),
    // Blocks have commands of their own, and a cancellation was a person's decision.
    SupersedeMission: mission.moved === null && mission.superseded === null,
    Acknowledge: mission.ending?.cancelled === false && missionGuards.Acknowledge(mission, ownerless) === null,
  };
}

function stateRefusal(mission: Mission, { command, owner_was_absent }: Command): Refused | null {
  switch (command.type) {
    case 'PauseMission':
    case 'ResumeMission':
    case 'CancelMission':
    case 'SupersedeMission':
    case 'Acknowledge':
      return missionGuards[command.type](mission, owner_was_absent);
    case 'ExportHandoff':
      return missionGuards[command.type](mission, owner_was_absent) ?? (command.move ? moveRefusal(mission) : null);
    case 'StopTask':
    case 'RetryTask':
    case 'RerunValidation':
    case 'AcceptChanges':
    case 'SkipTask':
      return taskGuards[command.type](mission, command.task_id);
    case 'CompleteIntervention':
      return cannotComplete(mission, command.task_id);
    case 'ConfirmMemory':
      return cannotConfirm(mission, command.task_id);
    case 'GrantDirectory':
      return cannotGrant(mission, command.task_id);
    case 'AnswerQuestion':
      return cannotAnswer(mission, command);
    case 'ReviseMetadata':
      return cannotRevise(mission, command);
    case 'ResolvePacket':
      return cannotResolve(mission, command);
  }
}

const missionGuards: Readonly<Record<MissionCommandName, (mission: Mission, ownerless: boolean) => Refused | null>> = {
  PauseMission: (mission) =>
    mission.hold.kind === 'none'
      ? null
      : refuse(
          'ALREADY_PAUSED',
          'The mission is paused already, or will be after the current attempt.',
          waiting(mission)?.next ?? [decisionStep('resume', mission.mission_id)],
        ),
  ResumeMission(mission, ownerless) {
    if (mendableByHand(mission)) return null;
    const waits = waiting(mission);
    // A pending decision does not hold up running lanes, packets and handoffs.
    if (waits) return ownerless && pendingEffects(mission).length > 0 ? null : waits;
    if (mission.hold.kind !== 'none' || ownerless) return null;
    return refuse('NOT_PAUSED', 'The mission is not paused.', [status(mission)]);
  },
  CancelMission: (mission) =>
    cancelUnderWay(mission)
      ? refuse('MISSION_CLOSED', 'The mission is being canceled already.', [status(mission)])
      : null,
  ExportHandoff(mission) {
    if (mission.execution !== 'EXECUTING')
      return refuse(
        'MISSION_ACTIVE',
        `The mission is ${mission.execution}, not EXECUTING: there is nothing to hand over.`,
        [status(mission)],
      );
    if (mission.handoffs.some((handoff) => handoff.move && handoff.state.kind === 'pending'))
      return refuse('MISSION_CLOSED', 'The run is being given away already.', [status(mission)]);
    return null;
  },
  // `supersede` judges it, because only that knows which plan asks.
  SupersedeMission: () => null,
  Acknowledge(mission) {
    const something = openPackets(mission).length > 0 || mission.ending?.outcome === 'FAILED';
    if (something && !mission.acknowledged) return null;
    return refuse('NOTHING_TO_ACKNOWLEDGE', 'There is no unacknowledged failure or block.', [status(mission)]);
  },
};

const taskGuards: Readonly<Record<TaskCommandName, (mission: Mission, taskId: string) => Refused | null>> = {
  StopTask(mission, taskId) {
    if (!rowOf(mission, taskId)) return unknownTask(mission, taskId);
    if (laneOf(mission, taskId) || liveSession(mission)?.task_id === taskId) return null;
    const running = mission.lanes.map(({ task_id }) => decisionStep('stop', mission.mission_id, task_id));
    return refuse(
      'TASK_NOT_RUNNING',
      `Task ${taskId} has no running worker.`,
      running.length > 0 ? running : [status(mission)],
    );
  },
  RetryTask: (mission, taskId) => cannotRetry(mission, taskId, 'retry-repair'),
  RerunValidation: (mission, taskId) => cannotRetry(mission, taskId, 'rerun-validation'),
  AcceptChanges: cannotAccept,
  SkipTask: cannotSkip,
  GrantDirectory: cannotGrant,
  CompleteIntervention: cannotComplete,
  AnswerQuestion: (mission, task_id) => cannotAnswer(mission, { task_id, packet_id: null }),
  ConfirmMemory: cannotConfirm,
  ReviseMetadata: (mission, task_id) => cannotRevise(mission, { task_id, packet_id: null }),
};

function senderRefusal(mission: Mission, actor: Actor, command: Command): Refused | null {
  if (command.from_worker)
    return refuse(
      'NON_COMPLIANT',
      'The command came from inside a worker’s process tree. An agent cannot decide for a human.',
      [personStep],
    );
  if (!command.identified)
    return refuse(
      'NON_COMPLIANT',
      'The process that sent the command could not be found, so it is unknown whether a human sent it.',
      ['Repeat it with `mission` or in the editor, and wait for the answer.'],
    );
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
      [status(mission), 'Repeat the command if it still holds.'],
    );
  return null;
}

/** Returns whether the mission has ended or is about to, whatever a person decides. */
function closed(mission: Mission): boolean {
  return (mission.ending ?? mission.criteria ?? mission.moved) !== null;
}

function closedRefusal(mission: Mission, { command, owner_was_absent, came_back_as = null }: Command): Refused | null {
  // The owner died before all evidence of the end was written: a resume writes the rest and runs nothing.
  if (command.type === 'ResumeMission' && owner_was_absent && mission.execution !== 'REPORTED') return null;
  const away = givenAway(mission);
  if (away) return came_back_as === null ? givenAwayRefusal(away) : cameBackRefusal(away, came_back_as);
  const answered = command.type === 'AnswerQuestion' ? answeredAt(mission, command) : null;
  if (answered) return answered;
  if (mission.execution !== 'REPORTED')
    return refuse('MISSION_CLOSED', 'The mission has ended; not all of its evidence is written yet.', [
      owner_was_absent ? decisionStep('resume', mission.mission_id) : status(mission),
    ]);
  const by = mission.superseded;
  if (by)
    return refuse(
      'MISSION_CLOSED',
      `The mission has ended (${mission.execution}), superseded by ${planName(by.plan_id)}.`,
      [fileStep('run', `docs/plans/${planName(by.plan_id)}.json`)],
    );
  const unseen = commandOffers(mission, owner_was_absent).Acknowledge;
  return refuse('MISSION_CLOSED', `The mission has ended (${mission.execution}). The same plan may be run again.`, [
    ...(unseen ? [decisionStep('acknowledge', mission.mission_id)] : []),
    fileStep('run', mission.plan_path),
  ]);
}

/** Refuses what could not be carried out while an effect of the mission fails. */
function stuckRefusal({ command, stuck }: Command): Refused | null {
  if (!stuck || command.type === 'PauseMission' || command.type === 'Acknowledge') return null;
  return refuse(stuck.code, `The mission cannot go on: ${stuck.reason}`, [
    ...stuck.next,
    'Mend it, and repeat the command.',
  ]);
}

/** A mission that has ended starts nothing, so a command may still write the rest of its evidence. */
function heldRefusal(mission: Mission, { starts_held: hold = null }: Command): Refused | null {
  return hold && !closed(mission) ? refuse(hold.code, hold.reason, hold.next) : null;
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
function planRefusal(mission: Mission, { command, plan }: Command): Refused | null {
  if (!plan || isApproved(mission, plan.observed) || mission.hold.kind !== 'paused' || !endsPause(command)) return null;
  return refuse(planChanged, `${planWords(mission, plan)} The mission stays paused.`, [
    planStep(mission),
    waiting(mission) ? 'Then repeat the command.' : decisionStep('resume', mission.mission_id),
    decisionStep('cancel', mission.mission_id),
  ]);
}

function elsewhereRefusal({ active_elsewhere }: Command): Refused | null {
  return active_elsewhere === null ? null : activeRefusal(active_elsewhere);
}

/** The refusal while a person has to decide about a blocked task; null: none is, or it goes on by itself. */
function waiting(mission: Mission): Refused | null {
  const open = openPackets(mission).filter((packet) => limitWait(mission, packet) === null);
  const steps = stepLines(mission.rows.flatMap(({ task }) => answerSteps(mission, task.task_id)));
  if (open.length > 0) {
    const blocked = blockedBy(mission, open);
    return { ...blocked, next: [...steps, ...blocked.next] };
  }
  const asked = askedInAttempt(mission);
  if (asked) return refuse('PACKET_OPEN', asked.reason, stepLines(asked.next));
  const blocked = mission.rows.find((row) => needsDecision(mission, row));
  if (!blocked) return null;
  const cannot = cannotRetry(mission, blocked.task.task_id, 'retry-repair');
  return refuse('PACKET_OPEN', `Task ${blocked.task.task_id} was left blocked: ${blocked.reason}`, [
    ...(cannot ? cannot.next : [decisionStep('retry', mission.mission_id, blocked.task.task_id)]),
    ...(cannot ? [] : [decisionStep('cancel', mission.mission_id)]),
  ]);
}

/** A run is given away only while nothing of it runs here. */
function moveRefusal(mission: Mission): Refused | null {
  const running = mission.lanes.map(({ task_id }) => task_id);
  if (mission.cancel && running.length === 0)
    return refuse('MISSION_ACTIVE', 'The mission is being canceled.', [status(mission)]);
  if (running.length > 0)
    return refuse(
      'MISSION_ACTIVE',
      `Running: ${running.join(', ')}. A run is given away only while nothing of it runs here.`,
      mission.cancel
        ? [status(mission)]
        : [
            ...(mission.hold.kind === 'none' ? [decisionStep('pause', mission.mission_id)] : []),
            ...running.map((task) => decisionStep('stop', mission.mission_id, task)),
          ],
    );
  const unproven = mission.rows.find((row) => row.unproven);
  if (!unproven) return null;
  return refuse('MISSION_ACTIVE', `Processes of ${unproven.task.task_id} are not proven gone.`, [
    `mission packet list ${mission.mission_id}`,
  ]);
}

function status({ mission_id }: Mission): string {
  return `mission status ${mission_id}`;
}
