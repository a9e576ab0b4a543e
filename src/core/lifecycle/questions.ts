import { questionLimits } from '../../contracts/vocabulary/recovery';
import { cut } from '../../base/text/cut';
import { askedIn } from '../documents/asked';
import type { Attempt } from '../model/attempt';
import type { AttemptFailure } from '../model/facts';
import type { Question } from '../model/question';
import type { PlannedTask } from '../plan/approvedPlan';

const runner = { kind: 'runner', name: 'mission-control' } as const;

/** What a person is asked by an attempt that ended with ASK_USER; null: it ended otherwise. */
export function questionOf(
  { worker }: Pick<PlannedTask, 'worker'>,
  { claim }: Pick<Attempt, 'claim'>,
  failure: AttemptFailure,
): Question | null {
  if (failure.kind !== 'recoverable' || failure.outcome !== 'ASK_USER') return null;
  if (failure.category === 'worker_reported_blocked' && claim.kind === 'valid') {
    const asked = askedIn(claim.result).join('\n');
    return { text: cut(asked, questionLimits.text), choices: [], asked_by: { kind: 'worker', name: worker } };
  }
  const text = cut(`${failure.reason} How does the task go on?`, questionLimits.text);
  return { text, choices: failure.category === 'project_context' ? fileChoices : [], asked_by: runner };
}

const fileChoices: Question['choices'] = [
  { id: 'validate', text: 'It is back as it was: judge once more what the worker left.', outcome: 'rerun-validation' },
  { id: 'retry', text: 'Work on the task once more, with the file as it is then.' },
];
