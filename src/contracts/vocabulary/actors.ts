/** Who did it. Humans carry the name they gave; the runner is this product itself. */
export const actorKinds = ['human', 'runner', 'orchestrator', 'worker'] as const;
export type ActorKind = (typeof actorKinds)[number];
export interface Actor {
  readonly kind: ActorKind;
  readonly name: string;
}
