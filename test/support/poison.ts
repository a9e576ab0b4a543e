import type { Context, RootHookObject } from 'mocha';
import nodeCrypto from 'node:crypto';

/**
 * Enforcer 3 of the pure rooms (base, core, workers): while one of their tests runs, asking the clock or for
 * randomness throws. Time and ids arrive inside inputs, so the same journal gives the same next step.
 *
 * Loaded by mocha in every run (.mocharc.json). A `Date` built from a value stays usable: it is data.
 */

const poisonedRooms = ['base', 'core', 'workers'] as const;

/** Thrown in place of the poisoned call; `what` is its name as written, for example `Date.now`. */
export class PoisonedCallError extends Error {
  constructor(readonly what: string) {
    super(`${what} in a pure room: time, timers and randomness arrive inside the input (architecture, section 2)`);
    this.name = 'PoisonedCallError';
  }
}

/** True for the test files of a pure room, built or not: `<anything>/test/core/...`, `dist-test/core/...`. */
export function isPureRoomTest(file: string | undefined): boolean {
  const parts = (file ?? '').split(/[\\/]/);
  const top = Math.max(parts.lastIndexOf('dist-test'), parts.lastIndexOf('test'));
  const room = top === -1 ? undefined : parts[top + 1];
  return poisonedRooms.some((poisoned) => poisoned === room);
}

/** Replaces clock, timers and randomness of this realm. @returns what undoes it; calling that twice is harmless. */
export function poison(): () => void {
  const undo = targets().map(([holder, key, what]) => replace(holder, key, throwing(what)));
  undo.push(replace(globalThis, 'Date', poisonedDate()));
  return () => {
    for (const step of undo.splice(0).reverse()) step();
  };
}

let restore: (() => void) | null = null;

export const mochaHooks: RootHookObject = {
  beforeEach(this: Context) {
    if (isPureRoomTest(this.currentTest?.file)) restore = poison();
  },
  afterEach() {
    restore?.();
    restore = null;
  },
};

function targets(): readonly (readonly [holder: object, key: string, what: string])[] {
  const timers = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'] as const;
  const random = ['randomUUID', 'getRandomValues'] as const;
  const nodeRandom = ['randomUUID', 'randomBytes', 'randomInt'] as const;
  return [
    [Math, 'random', 'Math.random'],
    [performance, 'now', 'performance.now'],
    [process, 'hrtime', 'process.hrtime'],
    [process, 'uptime', 'process.uptime'],
    ...timers.map((key) => [globalThis, key, key] as const),
    ...random.map((key) => [globalThis.crypto, key, `crypto.${key}`] as const),
    ...nodeRandom.map((key) => [nodeCrypto, key, `crypto.${key}`] as const),
  ];
}

function poisonedDate(): DateConstructor {
  const handler: ProxyHandler<DateConstructor> = {
    apply: throwing('Date()'),
    construct: (target, args: unknown[], newTarget) =>
      args.length === 0 ? throwing('new Date()')() : (Reflect.construct(target, args, newTarget) as Date),
    get: (target, key, receiver) =>
      key === 'now' ? throwing('Date.now') : (Reflect.get(target, key, receiver) as unknown),
  };
  return new Proxy(Date, handler);
}

function throwing(what: string): () => never {
  return () => {
    throw new PoisonedCallError(what);
  };
}

/** Methods that live on a prototype (`performance.now`) are shadowed and unshadowed, own ones put back as they were. */
function replace(holder: object, key: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, key);
  Object.defineProperty(holder, key, { value, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(holder, key);
    else Object.defineProperty(holder, key, before);
  };
}
