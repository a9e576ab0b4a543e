/** Who did something. A human has the name that the person gave; the runner is Mission Control itself. */
export const actorKinds = ['human', 'runner', 'orchestrator', 'worker'] as const;
export type ActorKind = (typeof actorKinds)[number];
export interface Actor {
  readonly kind: ActorKind;
  readonly name: string;
}

/**
 * Returns whether a name is that of no person. `auto` is the plan contract's word for an approval
 * that no person gave. A name needs a letter or a digit. No decision of a person is recorded under
 * such a name.
 */
export function namesNobody(name: string): boolean {
  const word = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}/]/gu, '')
    .toLowerCase();
  return impersonalNames.has(word) || !/[^/]/.test(word);
}

/** The system's user as a name. A user called `bot` or `nobody`, as in containers, becomes `user bot`. */
export function nameOfUser(user: string): string {
  if (!namesNobody(user)) return user;
  return /[\p{L}\p{N}]/u.test(user) ? `user ${user}` : 'unknown user';
}

/** Includes what scripts print for an empty variable. */
const impersonalNames = new Set(
  // oxlint-disable-next-line house/plain-words -- a list of names, not a sentence
  'auto automatic automatically bot machine n/a nobody none noone null system undefined unknown'.split(' '),
);

/** Who acts where no person, agent or orchestrator decided. */
export const runner = { kind: 'runner', name: 'mission-control' } as const;
