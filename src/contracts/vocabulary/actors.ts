/** Who did it. Humans carry the name they gave; the runner is this product itself. */
export const actorKinds = ['human', 'runner', 'orchestrator', 'worker'] as const;
export type ActorKind = (typeof actorKinds)[number];
export interface Actor {
  readonly kind: ActorKind;
  readonly name: string;
}

/**
 * Whether a name says that nobody did it: `auto` is the plan contract's word for an approval that no person gave. What a
 * person decides is never recorded under such a name.
 */
export function namesNobody(name: string): boolean {
  const word = name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}/]/gu, '')
    .toLowerCase();
  return nobody.has(word);
}

/** Empty variables of scripts among them. */
const nobody = new Set(
  'auto automatic automatically bot machine n/a nobody none noone null system undefined unknown'.split(' '),
);
