import type { Outcome, Refusal } from '../../base/outcome';
import type { OtherOwner } from '../ports/ownership';
import type { CommandAnswer } from '../../core/model/sessionFacts';
import type { Clock, Timers } from '../ports/time';

/** Seconds in which another owner has to answer. */
const answerSeconds = 15;
/** Attempts while owners come and go, and attempts with an owner that stays and takes nothing. */
const most = { attempts: 100, silent: 3 } as const;

/** `silent`: the owner has not taken it. `gone`: the owner went away before it answered. */
export type Sent =
  | { readonly kind: 'answered'; readonly answer: CommandAnswer }
  | { readonly kind: 'silent' | 'gone' | 'pending' };

/** Shows a person that another owner takes long to answer. */
export interface LongWait {
  readonly clock: Clock;
  readonly timers: Timers;
  /**
   * Called at most once.
   *
   * @param isOver the owner has answered meanwhile, or this wait has ended otherwise
   * @param seconds that a silent owner has in all
   */
  tell(isOver: () => boolean, seconds: number): void;
}

/** Seconds without an answer after which a person sees so. */
export const longWaitSeconds = 4;

/** Says who decided: this process as the owner, another owner, or neither. */
export type Delivered<T> =
  | { readonly by: 'this'; readonly value: T }
  | { readonly by: 'another'; readonly answer: CommandAnswer }
  | { readonly by: 'nobody'; readonly refusal: Refusal };

/** Sends the command once. Null when no other process owns the missions; then nothing was sent. */
export async function sendToOwner(owner: OtherOwner, wait?: LongWait): Promise<Sent | null> {
  if (!wait) return sendOnce(owner);
  let over = false;
  const alarm = wait.timers.at(wait.clock.after(wait.clock.now(), longWaitSeconds), () =>
    wait.tell(() => over, answerSeconds),
  );
  try {
    return await sendOnce(owner);
  } finally {
    over = true;
    alarm.dispose();
  }
}

async function sendOnce(owner: OtherOwner): Promise<Sent | null> {
  if (!(await owner.isThere())) return null;
  const answer = await owner.send(answerSeconds * 1000);
  if (typeof answer === 'object') return { kind: 'answered', answer };
  // An owner that appeared meanwhile has not seen the command.
  if (answer === 'gone') return { kind: 'gone' };
  if (await owner.isThere()) return { kind: answer === 'nobody' ? 'silent' : 'pending' };
  if (answer === 'pending') await owner.takeBack();
  return { kind: 'gone' };
}

/**
 * Has a command decided by the owner: another process, or this one when no other owns.
 *
 * @param decide as the owner; refused with LEASE_HELD when another process was faster
 * @param look the command that shows a person what became of it
 * @param wait what a person sees of an owner that takes long; absent: nothing
 */
export async function deliver<T>(
  owner: OtherOwner,
  decide: () => Promise<Outcome<T>>,
  look: string,
  wait?: LongWait,
): Promise<Delivered<T>> {
  const first = wait && shownOnce(wait);
  let silent = 0;
  for (let attempt = 1; attempt <= most.attempts && silent < most.silent; attempt += 1) {
    const sent = await sendToOwner(owner, first);
    if (sent === null) {
      const decided = await decide();
      if (decided.ok) return { by: 'this', value: decided.value };
      if (decided.refusal.code !== 'LEASE_HELD') return { by: 'nobody', refusal: decided.refusal };
    } else if (sent.kind === 'answered') {
      return { by: 'another', answer: sent.answer };
    } else if (sent.kind === 'pending') {
      return { by: 'nobody', refusal: pending(look) };
    } else if (sent.kind === 'silent') {
      silent += 1;
    }
  }
  // Tries once more to decide here, because a refusal names the process that stays silent.
  const last = silent < most.silent ? null : await decide();
  if (last?.ok) return { by: 'this', value: last.value };
  if (last && last.refusal.code !== 'LEASE_HELD') return { by: 'nobody', refusal: last.refusal };
  const reason = last
    ? `${last.refusal.reason} It does not answer.`
    : 'Processes that run the missions of this folder came and went, and none has answered.';
  return { by: 'nobody', refusal: { code: 'LEASE_HELD', reason, next: [look, ...silentSteps] } };
}

function shownOnce(wait: LongWait): LongWait {
  let shown = false;
  return {
    ...wait,
    tell(isOver, seconds) {
      if (!shown) wait.tell(isOver, seconds * most.silent);
      shown = true;
    },
  };
}

/** What a person does about an owner that does not answer. */
const silentSteps = [
  'Let that process go on, if it was stopped or its machine sleeps; or end it: ownership is free at once.',
  'Then repeat the command.',
  'To stop every worker without that process: `mission stop --all`, or *Stop Everything*.',
];

function pending(look: string): Refusal {
  return {
    code: 'LEASE_HELD',
    reason: 'The owner has taken the command and has not answered; it, or the next owner, still decides it.',
    next: [look],
  };
}
