import { workerNames } from './workers';

/** Who did something. A human has the name that the person gave; the runner is Mission Control itself. */
export const actorKinds = ['human', 'runner', 'orchestrator', 'worker'] as const;
export type ActorKind = (typeof actorKinds)[number];
export interface Actor {
  readonly kind: ActorKind;
  readonly name: string;
}

/** Who acts where no person, agent or orchestrator decided. */
export const runner = { kind: 'runner', name: 'mission-control' } as const;

/**
 * Returns whether a name is that of no person. `auto` is the plan contract's word for an approval that no person gave.
 * A name needs a letter or a digit. No decision of a person is recorded under such a name, nor under that of a program:
 * a worker, an actor of ours, or a name that ends with `[bot]`. Every door asks this: a plan file, an option, a dialog,
 * a command from the inbox, evidence.
 */
export function namesNobody(name: string): boolean {
  if (isUnfilled(name) || /\[bot\]\s*$/i.test(name)) return true;
  // A dot can stand for the slash of `n/a`, or for nothing.
  const words = [bare(name.replace(/\.(?!$)/g, '/')), bare(name)];
  return words.some((word) => impersonalNames.has(word) || programs().test(word) || !/[^/]/.test(word));
}

/** The letters and digits of a name, and slashes, as in `n/a`. */
function bare(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}/]/gu, '')
    .toLowerCase();
}

/** Names of what acts here and is no person. Products add a word to them, such as `cli`. */
const programs = (): RegExp =>
  new RegExp(
    `^(?:${[...workerNames, ...actorKinds.filter((kind) => kind !== 'human'), bare(runner.name)].join('|')})(?:code|cli|agent|bot)*$`,
  );

/** Returns whether a text is the blank of a form: `<your name>`, `{{approver}}`, `NAME` and `TEXT` of our own lines. */
export function isUnfilled(text: string): boolean {
  const whole = text.normalize('NFKC').trim();
  return /^(?:<.*>|\$?\{.*\}|\[.*\]|%\w+%|\$\w+|(?:YOUR[ _])?(?:NAME|TEXT|REASON))$/s.test(whole);
}

/** The system's user as a name. A user called `bot` or `nobody`, as in containers, becomes `user bot`. */
export function nameOfUser(user: string): string {
  if (!namesNobody(user)) return user;
  return /[\p{L}\p{N}]/u.test(user) ? `user ${user}` : 'unknown user';
}

/** Includes what scripts print for an empty variable. */
const impersonalNames = /* @__PURE__ */ new Set(
  // oxlint-disable-next-line house/plain-words -- a list of names, not a sentence
  /* @__PURE__ */ 'agent ai approver auto automatic automatically bot llm machine n/a name nil nobody none noone null pending placeholder reviewer system tba tbd todo undefined unknown yourname'.split(
    ' ',
  ),
);
