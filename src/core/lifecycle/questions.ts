import type { Answer } from '../../contracts/taskEvidence';
import type { Question } from '../../contracts/handoff';
import { runner } from '../../contracts/vocabulary/actors';
import { questionLimits } from '../../contracts/vocabulary/recovery';
import { cut } from '../../base/text/plainLine';
import { askedIn } from '../documents/claim';
import type { Attempt } from '../model/attempt';
import type { AttemptFailure } from '../model/facts';
import type { TaskRow } from '../model/state';
import { acceptance, awaitsAcceptance } from '../model/waitingWork';
import type { MilestoneValidator } from '../plan/fields/task';
import { answersFor } from './judge/judgeReport';

/** Returns what a person is asked by an attempt that ended with ASK_USER; null: it ended otherwise. */
export function questionOf(row: TaskRow, attempt: Attempt, failure: AttemptFailure): Question | null {
  const { worker, validator } = row.task;
  const { claim, tree = '' } = attempt;
  if (failure.kind !== 'recoverable' || failure.outcome !== 'ASK_USER') return null;
  if (validator && failure.category === 'awaiting_user')
    return nextAssertion(validator, answersFor(row, attempt.answers, tree), tree);
  if (failure.category === 'worker_reported_blocked' && claim.kind === 'valid') {
    const asked = askedIn(claim.result).join('\n');
    return { text: cut(asked, questionLimits.text), choices: [], asked_by: { kind: 'worker', name: worker } };
  }
  if (awaitsAcceptance(failure))
    return {
      text: cut(`${failure.reason} ${acceptanceWords(worker)}`, questionLimits.text),
      choices: acceptanceChoices,
      asked_by: runner,
    };
  const text = cut(`${failure.reason} How does the task go on?`, questionLimits.text);
  return { text, choices: failure.category === 'project_context' ? fileChoices : [], asked_by: runner };
}

/** The first assertion that is not answered yet, for a person; null: all are. */
export function nextAssertion(
  { title, assertions }: MilestoneValidator,
  answers: ReadonlyMap<string, Answer>,
  tree_sha256: string,
): Question | null {
  const place = assertions.findIndex(({ id }) => !answers.has(id));
  const next = assertions[place];
  if (!next) return null;
  return {
    text: cut(`${place + 1} of ${assertions.length}, ${title}: does this hold? ${next.text}`, questionLimits.text),
    choices: assertionChoices,
    asked_by: runner,
    about: { assertion: next.id, tree_sha256 },
  };
}

const assertionChoices: Question['choices'] = [
  { id: 'pass', text: 'It holds; the reason says what shows it.' },
  { id: 'fail', text: 'It does not hold; the reason says what is wrong.' },
  { id: 'inconclusive', text: 'It cannot be decided; the reason says why.' },
];

function acceptanceWords(worker: string): string {
  const back =
    worker === 'command'
      ? 'sends it back: its command then runs once more with this work, and reads no answer.'
      : 'says what to change: its worker then goes on with this work, and reads it.';
  return `Look at its diff first. Any other answer ${back}`;
}

const acceptanceChoices: Question['choices'] = [
  {
    id: acceptance.choice,
    text: 'Put it into the workspace, after it is verified once more.',
    outcome: 'rerun-validation',
  },
];

const fileChoices: Question['choices'] = [
  { id: 'validate', text: 'It is back as it was: judge once more what the worker left.', outcome: 'rerun-validation' },
  { id: 'retry', text: 'Work on the task once more, with the file as it is then.' },
];
