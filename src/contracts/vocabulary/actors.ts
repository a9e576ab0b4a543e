/** Who did it. Humans carry the name they gave; the runner is this product itself. */
export const actorKinds = ['human', 'runner', 'orchestrator', 'worker'] as const;
export type ActorKind = (typeof actorKinds)[number];
export interface Actor {
  readonly kind: ActorKind;
  readonly name: string;
}

/**
 * Whether a name says that nobody did it: `auto` is the plan contract's word for an approval that no person gave, and
 * what has no letter or digit is no name. What a person decides is never recorded under one of these.
 */
export function namesNobody(name: string): boolean {
  const word = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}/]/gu, '')
    .toLowerCase();
  return nobody.has(word) || !/[^/]/.test(word);
}

/** Nobody typed the name that a user has in the system: what means nobody elsewhere (`bot` in a container) says what it is. */
export function nameOfUser(user: string): string {
  if (!namesNobody(user)) return user;
  return /[\p{L}\p{N}]/u.test(user) ? `user ${user}` : 'unknown user';
}

/** Empty variables of scripts among them. */
const nobody = new Set(
  'auto automatic automatically bot machine n/a nobody none noone null system undefined unknown'.split(' '),
);
