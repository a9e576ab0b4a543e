import { decisionStep } from '../../base/text/steps';
import type { Actor } from '../../contracts/vocabulary/actors';
import { questionLimits } from '../../contracts/vocabulary/recovery';
import type { Question } from '../model/question';
import type { Packet } from '../model/state';
import { refuse, type Refused } from './commandDecision';

interface Asked {
  readonly question: string | undefined;
  readonly choices: readonly string[] | undefined;
}

/** Says why such a question cannot be put on a packet that can be resolved; null: it can. */
export function cannotAsk({ packet_id, state }: Packet, { question = '', choices = [] }: Asked): Refused | null {
  if (state.kind !== 'open')
    return refuse(
      'PACKET_CLOSED',
      `Packet ${packet_id} was left blocked before, so no question can be asked about it.`,
      [decisionStep('packet resolve', packet_id, '--outcome', 'retry-repair')],
    );
  const wrong = questionProblem(
    question.trim(),
    choices.map((choice) => choice.trim()),
  );
  if (wrong === null) return null;
  return refuse('QUESTION_INVALID', wrong, [
    decisionStep('packet resolve', packet_id, '--outcome', 'ask-user', '--question', 'TEXT'),
  ]);
}

export function personsQuestion({ question = '', choices = [] }: Asked, asked_by: Actor): Question {
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
