import type { Question } from '../../../contracts/handoff';
import type { HumanDecision } from '../../../contracts/record/header';
import type { EndedAttempt } from '../../model/attempt';
import type { MissionEvent } from '../../model/events';
import { decisionStep } from '../../../base/text/steps';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import { attemptOf, categoryOf, rowNamed, rowOf } from '../../model/state';
import type { Packet, TaskRow, Course, Tasks, Progress, ReceivedPlan } from '../../model/state';
import { changedNothing } from '../../lifecycle/judge/judgeMissingChange';
import { validationFailures } from '../../lifecycle/judge/judgeReport';
import { awaitsAcceptance, sentBack } from '../../model/waitingWork';
import { isUndone } from '../../lifecycle/changes/undoPlan';
import { nothingToValidate } from '../../lifecycle/parts/validation';
import { validationIn } from '../milestones/milestones';
import { answerable, isAsking, stepsOf } from '../questions/questions';
import { refuse, statusStep, unknownPacket, unknownTask, written } from '../parts/commandDecision';
import type { Behaviours, CommandDecision, Refused } from '../parts/commandDecision';
import type { Actor } from '../../../contracts/vocabulary/actors';
import { questionLimits, type RecoveryOutcome } from '../../../contracts/vocabulary/recovery';

export const resolving: Behaviours<'RetryTask' | 'RerunValidation' | 'ResolvePacket'> = {
  RetryTask: {
    offered: 'blocked',
    refused: (mission, { task_id }) => cannotRetry(mission, task_id, 'retry-repair'),
    decide: (mission, { task_id }, decision) => retry(mission, task_id, 'retry-repair', decision),
    continues: true,
  },
  RerunValidation: {
    offered: 'blocked',
    refused: (mission, { task_id }) => cannotRetry(mission, task_id, 'rerun-validation'),
    decide: (mission, { task_id }, decision) => retry(mission, task_id, 'rerun-validation', decision),
    continues: true,
  },
  ResolvePacket: {
    refused: cannotResolve,
    decide: resolve,
    ofStep: ({ packet: packet_id, outcome }) => ({
      ...{ type: 'ResolvePacket', packet_id, outcome, ...(outcome === 'ask-user' && { question: written }) },
    }),
    continues: ({ outcome }) => outcome !== 'leave-blocked' && outcome !== 'ask-user',
  },
};

function retry(
  mission: Progress,
  taskId: string,
  outcome: 'retry-repair' | 'rerun-validation',
  decision: HumanDecision,
): CommandDecision {
  const packet = packetOf(mission, taskId);
  return packet ? resolve(mission, { packet_id: packet.packet_id, outcome }, decision) : noRetry(mission, taskId);
}

export function cannotRetry(
  mission: Progress,
  taskId: string,
  outcome: 'retry-repair' | 'rerun-validation',
): Refused | null {
  const row = rowNamed(mission, taskId);
  if (!row) return unknownTask(mission, taskId);
  if (row.skipped)
    return refuse(
      'TASK_NOT_BLOCKED',
      `Task ${taskId} was skipped by ${row.skipped.decision.actor.name} and is not tried again: ${row.skipped.decision.reason}`,
      [statusStep(mission)],
    );
  if (row.status !== 'blocked')
    return refuse(
      'TASK_NOT_BLOCKED',
      `Task ${taskId} is ${row.status}; only a blocked task can be ${outcome === 'retry-repair' ? 'tried' : 'validated'} again.`,
      [statusStep(mission)],
    );
  const packet = packetOf(mission, taskId);
  return packet ? cannotResolve(mission, { packet_id: packet.packet_id, outcome }) : noRetry(mission, taskId);
}

/** Answers a packet with one of the outcomes that `cannotResolve` lets pass. */
export function resolve(
  mission: Progress,
  { packet_id, outcome, question, choices }: Resolution,
  decision: HumanDecision,
): CommandDecision {
  const task_id = mission.packets.find((one) => one.packet_id === packet_id)?.task_id ?? '';
  const again = (reason: string): CommandDecision => ({
    events: resolveWith(mission, packet_id, outcome, decision),
    reason: `${reason}${ifPausedSuffix(mission)}.`,
  });
  switch (outcome) {
    case 'leave-blocked':
      return {
        events: [{ type: 'PacketResolved', packet_id, outcome, decision }],
        reason: `Task ${task_id} stays blocked.`,
      };
    case 'retry-repair': {
      const tried = again(`Task ${task_id} is tried again`);
      return { ...tried, reason: `${tried.reason}${againWords(mission, task_id)}` };
    }
    case 'rerun-validation':
      return again(`The result of ${task_id} is judged once more`);
    case 'resume':
      return again(`The mission goes on with task ${task_id}`);
    case 'ask-user': {
      const asked = personsQuestion({ question, choices }, decision.actor);
      return {
        events: [{ type: 'QuestionAsked', packet_id, task_id, question: asked, decision }],
        reason: `Task ${task_id} waits for an answer.`,
      };
    }
  }
}

/** The task may have blocked again since, with another packet. */
function closed({ packets }: Course, { packet_id, task_id, state }: Packet): Refused {
  const now = packets.findLast((one) => one.task_id === task_id && answerable(one));
  const reason = `Packet ${packet_id} is ${state.kind}.`;
  if (!now) return refuse('PACKET_CLOSED', reason, [`mission packet show ${packet_id}`]);
  return refuse('PACKET_CLOSED', `${reason} Task ${task_id} waits with packet ${now.packet_id} now.`, [
    `mission packet show ${now.packet_id}`,
  ]);
}

export function cannotResolve(
  mission: Progress,
  { packet_id: packetId, outcome, question, choices }: Resolution,
): Refused | null {
  const packet = mission.packets.find((candidate) => candidate.packet_id === packetId);
  if (!packet) return unknownPacket(mission, packetId);
  if (!answerable(packet)) return closed(mission, packet);
  if (outcome !== 'ask-user' && (question ?? choices) !== undefined)
    return refuse('QUESTION_INVALID', `A question belongs to the outcome ask-user, not to ${outcome}.`, [
      decisionStep('packet resolve', packetId, '--outcome', 'ask-user', '--question', 'TEXT'),
    ]);
  switch (outcome) {
    case 'leave-blocked':
      if (packet.state.kind === 'open') return null;
      return refuse(
        'PACKET_CLOSED',
        `Packet ${packetId} was left blocked before.`,
        limitReached(mission, packet)?.next ?? [decisionStep('retry', mission.mission_id, packet.task_id)],
      );
    case 'retry-repair':
      return limitReached(mission, packet) ?? waitsForOthers(mission, packet);
    case 'rerun-validation': {
      const row = rowOf(mission, packet.task_id);
      if (row.task.validator) return limitReached(mission, packet) ?? cannotRepeat(mission, row, packet);
      const attempt = attemptOf(mission, packet);
      const nothing = attempt ? nothingToJudge(row, attempt) : 'no attempt of this mission left a result';
      if (nothing === null) return null;
      const reason = `There is nothing to validate again, because ${nothing}.`;
      return refuse('OUTCOME_UNAVAILABLE', reason, otherwise(mission, packet));
    }
    case 'resume':
      return cannotGoOn(mission, packet);
    case 'ask-user':
      return (
        limitReached(mission, packet) ?? waitsForOthers(mission, packet) ?? cannotAsk(packet, { question, choices })
      );
  }
}

export function nothingToJudge(row: TaskRow, attempt: EndedAttempt): string | null {
  return isUndone(row, attempt) ? 'what its attempt changed was undone' : nothingToValidate(attempt);
}

function limitReached(mission: Tasks, { task_id }: Packet): Refused | null {
  const row = rowOf(mission, task_id);
  const { milestone: validated = '', validator } = row.task;
  if (!validator) return null;
  const failures = validationFailures(row);
  const { failure_limit: allowed } = validator;
  if (failures < allowed) return null;
  return refuse(
    'VALIDATION_LIMIT',
    `Milestone ${validated} was not accepted in ${failures} of ${allowed} validations, which is all that its plan allows.`,
    [decisionStep('skip', mission.mission_id, task_id), decisionStep('cancel', mission.mission_id), revisedPlan],
  );
}

const revisedPlan = 'Or approve a revised plan that does the missing work.';

/** Asking until it passes proves nothing. Source: seed 000, safeWhen of rerun-validation. */
function cannotRepeat(mission: Tasks, row: TaskRow, packet: Packet): Refused | null {
  if (!foundToFail(mission, row, packet)) return null;
  const reason = 'The validation found what does not hold: repair that first, then retry.';
  return refuse('OUTCOME_UNAVAILABLE', reason, otherwise(mission, packet));
}

/** Returns whether a report or a person says that the milestone fails, also before a handoff. */
export function foundToFail(mission: Tasks, row: TaskRow, packet: Packet): boolean {
  return (
    categoryOf(mission, packet) === 'validator_report_failed' &&
    validationIn(row, packet.attempt)?.status !== 'inconclusive'
  );
}

type Resolution = Omit<Extract<MissionCommand, { type: 'ResolvePacket' }>, 'type'>;

/** Blocks in which nothing went wrong that a repair would mend. Source: seed 000, safeWhen of resume. */
const resumable: readonly string[] = ['no_runnable_pending_work', 'awaiting_user'];

/**
 * Says why the mission cannot go on with the packet's task; null: it can. The ledger is judged elsewhere, with every
 * command by which tasks run.
 */
function cannotGoOn(mission: Progress, packet: Packet): Refused | null {
  const judged = attemptOf(mission, packet);
  if (judged && awaitsAcceptance(judged.failure))
    return refuse(
      'OUTCOME_UNAVAILABLE',
      `Task ${packet.task_id} is verified, and to go on would drop its work: accept it, send it back or retry the task.`,
      [...(isAsking(packet) ? stepsOf(mission, packet) : []), ...otherwise(mission, packet)],
    );
  const category = categoryOf(mission, packet);
  if (!resumable.includes(category) && !sentBack(mission, rowOf(mission, packet.task_id)))
    return refuse(
      'OUTCOME_UNAVAILABLE',
      `The mission cannot go on as it stands, because task ${packet.task_id} needs a repair first (${category}).`,
      otherwise(mission, packet),
    );
  return waitsForOthers(mission, packet);
}

function waitsForOthers(mission: Tasks, packet: Packet): Refused | null {
  const { task } = rowOf(mission, packet.task_id);
  const missing = task.depends_on.filter((id) => rowOf(mission, id).status !== 'done');
  if (missing.length === 0) return null;
  return refuse(
    'OUTCOME_UNAVAILABLE',
    `No pending work is runnable: ${packet.task_id} waits for ${missing.join(', ')}.`,
    [decisionStep('skip', mission.mission_id, packet.task_id), decisionStep('cancel', mission.mission_id)],
  );
}

function packetOf(mission: Course, taskId: string): Packet | undefined {
  return mission.packets.findLast((candidate) => candidate.task_id === taskId && answerable(candidate));
}

function noRetry(mission: ReceivedPlan, taskId: string): Refused {
  return refuse('TASK_NOT_BLOCKED', `A retry of ${taskId} is already on its way.`, [statusStep(mission)]);
}

function otherwise(mission: Tasks, packet: Packet): readonly string[] {
  const { packet_id, state } = packet;
  const limit = limitReached(mission, packet);
  if (limit) return limit.next;
  const outcomes = state.kind === 'open' ? ['retry-repair', 'leave-blocked'] : ['retry-repair'];
  return outcomes.map((outcome) => decisionStep('packet resolve', packet_id, '--outcome', outcome));
}

export function blockedBy(mission: Progress, open: readonly Packet[]): Refused {
  const { hold, mission_id } = mission;
  const limited = open.filter((packet) => limitReached(mission, packet) !== null);
  const tasks = open.map(({ task_id, packet_id }) => `${task_id} (packet ${packet_id})`);
  const resumes = hold.kind === 'paused' && limited.length < open.length ? ' A retry also resumes the mission.' : '';
  return refuse(
    'PACKET_OPEN',
    `Nothing advances before a person decides about ${tasks.length === 1 ? 'task' : 'tasks'} ${tasks.join(', ')}.${resumes}`,
    [
      ...open.map((packet) => decisionStep(limited.includes(packet) ? 'skip' : 'retry', mission_id, packet.task_id)),
      decisionStep('cancel', mission_id),
      ...(limited.length > 0 ? [revisedPlan] : []),
      ...open.map(({ packet_id }) => `mission packet show ${packet_id}`),
    ],
  );
}

function againWords(mission: Tasks, taskId: string): string {
  return changedNothing(rowOf(mission, taskId)) ? ' It blocks again if it changes nothing.' : '';
}

export function resolveWith(
  mission: Course,
  packet_id: string,
  outcome: RecoveryOutcome,
  decision: HumanDecision,
): readonly MissionEvent[] {
  const resolved: MissionEvent = { type: 'PacketResolved', packet_id, outcome, decision };
  // The decision ends a pause, but not one that was requested and has not begun.
  return mission.hold.kind === 'paused' ? [resolved, { type: 'MissionResumed', decision }] : [resolved];
}

export function ifPausedSuffix({ hold }: Course): string {
  return hold.kind === 'pause_requested' ? ' once the mission is resumed: a pause was asked for' : '';
}

interface Asked {
  readonly question: string | undefined;
  readonly choices: readonly string[] | undefined;
}

function cannotAsk({ packet_id, state }: Packet, { question = '', choices = [] }: Asked): Refused | null {
  if (state.kind !== 'open') {
    const reason = `Packet ${packet_id} was left blocked before, so no question can be asked about it.`;
    return refuse('PACKET_CLOSED', reason, [decisionStep('packet resolve', packet_id, '--outcome', 'retry-repair')]);
  }
  const wrong = questionProblem(
    question.trim(),
    choices.map((choice) => choice.trim()),
  );
  if (wrong === null) return null;
  return refuse('QUESTION_INVALID', wrong, [
    decisionStep('packet resolve', packet_id, '--outcome', 'ask-user', '--question', 'TEXT'),
  ]);
}

function personsQuestion({ question = '', choices = [] }: Asked, asked_by: Actor): Question {
  return {
    text: question.trim(),
    choices: choices.map((choice, index) => ({ id: String(index + 1), text: choice.trim() })),
    asked_by,
  };
}

function questionProblem(text: string, choices: readonly string[]): string | null {
  if (text === '') return 'The outcome ask-user needs a question.';
  if (text.length > questionLimits.text) return `The question has more than ${questionLimits.text} characters.`;
  if (choices.length > questionLimits.choices) return `The question has more than ${questionLimits.choices} choices.`;
  if (choices.some((choice) => choice === '')) return 'A choice is empty.';
  if (choices.some((choice) => choice.length > questionLimits.choice))
    return `A choice has more than ${questionLimits.choice} characters.`;
  return new Set(choices).size < choices.length ? 'Two choices are the same.' : null;
}
