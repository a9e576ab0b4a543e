import type { Answer } from '../../../contracts/taskEvidence';
import type { Question } from '../../../contracts/handoff';
import type { HumanDecision } from '../../../contracts/record/header';
import type { MissionCommand } from '../../../contracts/commands/missionCommand';
import { cut } from '../../../base/text/plainLine';
import { stepLine } from '../../../base/text/steps';
import { answerText } from '../../../base/text/words';
import { questionLimits } from '../../../contracts/vocabulary/recovery';
import type { MissionEvent } from '../../model/events';
import { answersFor } from '../../lifecycle/judge/judgeReport';
import { nextAssertion } from '../../lifecycle/questions';
import { acceptance, awaitsAcceptance, sentBack, waitingWork } from '../../model/waitingWork';
import { attemptOf, type Packet, type Progress, rowNamed, rowOf } from '../../model/state';
import { refuse, statusStep, unknownPacket, unknownTask, written } from '../parts/commandDecision';
import type { Behaviours, CommandDecision, Refused } from '../parts/commandDecision';
import { cannotResolve, resolve } from '../resolve/packetCommands';
import { askingPacket, isAsking, isOnlyRecorded, stepsOf, type Asking } from './questions';

type AnswerQuestion = Extract<MissionCommand, { type: 'AnswerQuestion' }>;
type Place = Pick<AnswerQuestion, 'task_id' | 'packet_id'>;

export const answering: Behaviours<'AnswerQuestion'> = {
  AnswerQuestion: {
    offered: 'blocked',
    refused: cannotAnswer,
    decide: answer,
    continues: true,
    afterEnd: answeredAt,
    ofStep: ({ choice, packet = null }, task_id) => ({
      ...{ type: 'AnswerQuestion', task_id, packet_id: packet, asked: null, choice },
      text: choice === null ? written : null,
    }),
  },
};

function cannotAnswer(mission: Progress, place: Place): Refused | null {
  const found = askedAt(mission, place);
  return 'code' in found ? found : null;
}

/** Names who answered there, and what, even if the mission has gone on or ended since. Null: it is not answered. */
function answeredAt(mission: Progress, { task_id, packet_id }: Place): Refused | null {
  const packet = mission.packets.findLast((one) =>
    packet_id === null ? (task_id === null ? one.answer : one.task_id === task_id) : one.packet_id === packet_id,
  );
  return packet?.answer ? answered(mission, packet.task_id, packet.answer) : null;
}

/**
 * A person's answer: journalled, and carried out as the choice says, or as another attempt that is given it. Where a
 * command works on the task, it is only journalled, because a command reads no answer.
 */
function answer(mission: Progress, body: AnswerQuestion, decision: HumanDecision): CommandDecision {
  const packet = askedAt(mission, body);
  if ('code' in packet) return packet;
  const { packet_id, task_id, question } = packet;
  if (body.asked !== null && body.asked !== question.text)
    return refuse('STALE_SEQUENCE', `Task ${task_id} asks something else by now.`, stepsOf(mission, packet));
  const unseen = unseenProblem(packet, body);
  if (unseen !== null) return refuse('ANSWER_INVALID', unseen, stepsOf(mission, packet));
  const wrong = answerProblem(question, body) ?? commentProblem(mission, packet, body);
  if (wrong !== null) return refuse('ANSWER_INVALID', wrong, stepsOf(mission, packet));
  if (question.about) return answerAssertion(mission, packet, body, decision);
  const choice = chosenOf(question, body);
  const event: MissionEvent = {
    type: 'QuestionAnswered',
    packet_id,
    task_id,
    question: question.text,
    asked_by: question.asked_by,
    choice: choice?.id ?? null,
    text: choice?.text ?? body.text?.trim() ?? '',
    ...commentsOf(body),
    decision,
  };
  if (isOnlyRecorded(mission, packet))
    return {
      events: [event],
      reason: `The answer is recorded. Task ${task_id} stays blocked, because its command reads no answer: retry, skip or cancel it.`,
    };
  const outcome = choice?.outcome ?? 'retry-repair';
  const refused = cannotResolve(mission, { packet_id, outcome });
  if (refused) return refused;
  const resolved = resolve(mission, { packet_id, outcome }, decision);
  if ('code' in resolved) return resolved;
  return { ...resolved, events: [event, ...resolved.events] };
}

/** One assertion after the other; with the last one the milestone is validated once more, by these answers. */
function answerAssertion(
  mission: Progress,
  packet: Asking,
  body: AnswerQuestion,
  decision: HumanDecision,
): CommandDecision {
  const { packet_id, task_id, question } = packet;
  const { about, text, asked_by } = question;
  const row = rowOf(mission, task_id);
  const choice = chosenOf(question, body);
  if (!about || !row.task.validator) throw new Error(`Broken invariant: ${task_id} has no assertions.`);
  if (!choice) {
    const reason = 'An assertion is answered with one of its choices; why goes into the reason.';
    return refuse('ANSWER_INVALID', reason, stepsOf(mission, packet));
  }
  const given: Answer = { question: text, asked_by, choice: choice.id, text: choice.text, decision, about };
  const answers = answersFor(row, [...row.answers, given], about.tree_sha256);
  const next = nextAssertion(row.task.validator, answers, about.tree_sha256);
  const first: MissionEvent = { type: 'QuestionAnswered', packet_id, task_id, ...given };
  if (next)
    return {
      events: [first, { type: 'QuestionAsked', packet_id, task_id, question: next, decision }],
      reason: `${about.assertion} is answered with ${choice.id}; the next assertion waits.`,
    };
  const resolved = resolve(mission, { packet_id, outcome: 'retry-repair' }, decision);
  if ('code' in resolved) return resolved;
  return {
    events: [first, ...resolved.events],
    reason: 'All assertions are answered, and the milestone is judged by them.',
  };
}

function commentsOf({ comments = [] }: Pick<AnswerQuestion, 'comments'>): Pick<Answer, 'comments'> {
  return comments.length === 0 ? {} : { comments: comments.map((one) => ({ ...one, text: one.text.trim() })) };
}

/** Comments are words about what the attempt changed, as long together as an answer may be. */
function commentProblem(mission: Progress, packet: Asking, body: AnswerQuestion): string | null {
  const { comments = [] } = commentsOf(body);
  if (comments.length === 0) return null;
  if (body.choice !== null || packet.question.about) return 'Comments on lines belong to an answer in words.';
  if (comments.length > questionLimits.comments) return `The answer has more than ${questionLimits.comments} comments.`;
  if (comments.some(({ text }) => text === '')) return 'A comment is empty.';
  if (comments.reduce((sum, { text }) => sum + text.length, 0) > questionLimits.answer)
    return `The comments have more than ${questionLimits.answer} characters; name a file that says the rest.`;
  const row = rowOf(mission, packet.task_id);
  const made = attemptOf(mission, packet);
  if (made && waitingWork(row, made) && !awaitsAcceptance(made.failure) && !sentBack(mission, row))
    return 'The next attempt begins without this work, so no comment can be on its lines. Answer in words.';
  const other = comments.find(({ path }) => made?.observed?.changes.every((change) => change.path !== path) ?? true);
  return other ? `${JSON.stringify(other.path)} is no file that the attempt changed.` : null;
}

function answerProblem(
  { choices, about }: Question,
  { choice: id, text, comments = [] }: AnswerQuestion,
): string | null {
  const ownText = text?.trim() ?? '';
  if (id === null && ownText === '' && comments.length === 0) return 'The answer is empty.';
  if (id === null && ownText.length > questionLimits.answer)
    return `The answer has more than ${questionLimits.answer} characters; name a file that says the rest.`;
  if (id === null || chosenOf({ choices }, { choice: id })) return null;
  if (choices.length === 0) return `${JSON.stringify(id)} is no choice: the question has none. Answer it in words.`;
  const known = choices.map((one) => `${one.id} (${cut(one.text, longestChoice)})`).join(', ');
  return `${JSON.stringify(id)} is not one of the choices ${known}.${about ? '' : ' Words may answer it, too.'}`;
}

/** An acceptance counts for what was shown, so it says what that was. */
function unseenProblem({ task_id, question }: Asking, { choice, packet_id, asked }: AnswerQuestion): string | null {
  if (packet_id !== null || asked !== null || chosenOf(question, { choice })?.id !== acceptance.choice) return null;
  if (question.asked_by.kind !== 'runner') return null;
  return `An acceptance names the packet that shows the work of ${task_id}, because another attempt may wait by then.`;
}

const longestChoice = 60;

/** The choice with this id, else the one with this text; no two have the same. Undefined: there is no such choice. */
function chosenOf(
  { choices }: Pick<Question, 'choices'>,
  { choice: given }: Pick<AnswerQuestion, 'choice'>,
): Question['choices'][number] | undefined {
  return choices.find(({ id }) => id === given) ?? choices.find(({ text }) => text === given);
}

function askedAt(mission: Progress, { task_id, packet_id }: Place): Asking | Refused {
  if (packet_id !== null) {
    const packet = mission.packets.find((one) => one.packet_id === packet_id);
    if (!packet) return unknownPacket(mission, packet_id);
    if (task_id !== null && task_id !== packet.task_id) {
      const reason = `Packet ${packet_id} is about task ${packet.task_id}, not ${task_id}.`;
      return refuse('QUESTION_NONE', reason, elsewhere(mission));
    }
    return isAsking(packet) ? packet : notAsking(mission, packet);
  }
  if (task_id !== null) {
    if (!rowNamed(mission, task_id)) return unknownTask(mission, task_id);
    const last = mission.packets.findLast((one) => one.task_id === task_id);
    return last && isAsking(last) ? last : notAsking(mission, last, task_id);
  }
  const [only, ...others] = mission.rows.flatMap(({ task }) => askingPacket(mission, task.task_id) ?? []);
  if (!only)
    return (
      answeredAt(mission, { task_id, packet_id }) ??
      refuse('QUESTION_NONE', 'No task of this mission asks a person anything.', elsewhere(mission))
    );
  if (others.length === 0) return only;
  return refuse('ANSWER_INVALID', `Several tasks ask: say which one is answered.`, elsewhere(mission));
}

function notAsking(mission: Progress, packet: Packet | undefined, task_id = packet?.task_id ?? ''): Refused {
  const { answer: given = null } = packet ?? {};
  if (given) return answered(mission, task_id, given);
  const reason = packet?.question
    ? `Task ${task_id} was decided about otherwise, so its question waits no more.`
    : `Task ${task_id} asks nothing.`;
  return refuse('QUESTION_NONE', reason, elsewhere(mission));
}

function answered(mission: Progress, taskId: string, { choice, decision, ...given }: Answer): Refused {
  const what =
    choice === null ? `in words: ${cut(JSON.stringify(answerText(given)), longestWords)}` : `with the choice ${choice}`;
  const reason = `${decision.actor.name} answered the question of task ${taskId} before, ${what}.`;
  return refuse('QUESTION_ANSWERED', reason, elsewhere(mission));
}

const longestWords = 200;

function elsewhere(mission: Progress): readonly string[] {
  const asking = mission.rows.flatMap(({ task }) => askingPacket(mission, task.task_id) ?? []);
  if (asking.length === 0) return [statusStep(mission)];
  // Every question takes words.
  return asking.map(({ task_id: task }) =>
    stepLine({ command: 'answer', args: { mission: mission.mission_id, task, choice: null } }),
  );
}
