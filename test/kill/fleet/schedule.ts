import { cuts, type Cut } from './network';

/** Where a host is killed. */
export const points = ['in the middle of a task', 'between two tasks', 'while it waits for the queue'] as const;
export type Point = (typeof points)[number];

export type Disturbance =
  | { readonly kind: 'kill'; readonly how: Exclude<Point, 'while it waits for the queue'> }
  | { readonly kind: 'cut'; readonly how: Cut }
  | { readonly kind: 'restart' };

/** For each mission, by its number, what happens while it runs; null: nothing. A restart of the database comes once. */
export function scheduleOf(missions: number, canCut: boolean): readonly (Disturbance | null)[] {
  const often = (share: number): number => Math.max(1, Math.round(missions * share));
  const queues: Disturbance[][] = [
    Array.from({ length: often(0.04) }, () => ({ kind: 'kill', how: 'in the middle of a task' })),
    Array.from({ length: often(0.04) }, () => ({ kind: 'kill', how: 'between two tasks' })),
    ...(canCut ? cuts : []).map((how) =>
      Array.from({ length: often(0.02) }, (): Disturbance => ({ kind: 'cut', how })),
    ),
  ];
  const all: Disturbance[] = [];
  while (queues.some((one) => one.length > 0)) for (const queue of queues) all.push(...queue.splice(0, 1));
  all.splice(Math.floor(all.length / 2), 0, { kind: 'restart' });
  const schedule: (Disturbance | null)[] = Array.from({ length: missions }, () => null);
  const some = all.slice(0, missions);
  for (const [index, one] of some.entries()) schedule[Math.floor(((index + 0.5) * missions) / some.length)] = one;
  return schedule;
}

/** The task that waits, so that the point is met. */
export function waitsIn(disturbance: Disturbance | null): 'T1' | 'T2' | null {
  if (disturbance === null) return null;
  return disturbance.kind === 'kill' && disturbance.how === 'between two tasks' ? 'T1' : 'T2';
}
