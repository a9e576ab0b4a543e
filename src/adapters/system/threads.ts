import { isMainThread, parentPort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads';
import { errorWords } from '../../base/outcome';

/** A call of a service as data: the method's name and its arguments. Both cross as copies, as does the answer. */
export type CallOf<S> = {
  [K in keyof S]: S[K] extends (...args: infer A) => unknown ? readonly [name: K, ...args: A] : never;
}[keyof S];

/** A service as its callers see it from another thread. */
export type Called<S> = {
  readonly [K in keyof S]: S[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;
};

type Request<Q> = { readonly id: number; readonly call: Q } | 'close';
type Reply<A> = { readonly id: number } & ({ readonly answer: A } | { readonly failure: string });

/**
 * For the entry point of a worker thread: answers calls, several at a time, until the caller closes. `prepare` gets the
 * data that the thread was started with. Does nothing on the main thread.
 */
export function serveCalls(prepare: (data: never) => object): void {
  if (isMainThread || parentPort === null) return;
  const port = parentPort;
  const service = prepare(workerData as never) as Readonly<Record<string, ((...args: never[]) => unknown) | undefined>>;
  port.on('message', (request: Request<readonly [string, ...never[]]>) => {
    if (request === 'close') {
      port.close();
      return;
    }
    const {
      id,
      call: [name, ...args],
    } = request;
    const send = (reply: Reply<unknown>): void => port.postMessage([reply]);
    Promise.resolve()
      .then(() => service[name]?.(...args))
      .then((answered) => send({ id, answer: answered }))
      .catch((error: unknown) => send({ id, failure: errorWords(error) }));
  });
}

/** The same for work in the order of the calls: waiting calls run together. An error of `run` ends the thread. */
export function serveBatches(
  prepare: (data: never) => { run(calls: readonly never[]): readonly unknown[]; close(): void },
): void {
  if (isMainThread || parentPort === null) return;
  const port = parentPort;
  const service = prepare(workerData as never);
  port.on('message', (first: Request<never>) => {
    const requests = [first];
    for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port))
      requests.push(more.message as Request<never>);
    const calls = requests.filter((request) => request !== 'close');
    const answers = service.run(calls.map(({ call }) => call));
    const replies = calls.map(({ id }, index): Reply<unknown> => ({ id, answer: answers[index] }));
    port.postMessage(replies);
    if (calls.length === requests.length) return;
    service.close();
    port.close();
  });
}

/** Says how a worker thread is started: `script` is its built entry point. */
export interface ThreadOptions<D> {
  readonly script: string;
  readonly name: string;
  readonly data: D;
}

/**
 * Calls into a worker thread, for work without state. The first call starts it, and it does not keep this process
 * alive. If it ends by itself, pending calls reject and the next call starts it anew.
 */
export class ThreadCaller<D, S> {
  #thread: Thread<D, readonly [string, ...unknown[]], unknown> | null = null;
  readonly calls = new Proxy({} as Called<S>, {
    get:
      (_, name: string) =>
      (...args: unknown[]) =>
        (this.#thread ??= this.#start()).call([name, ...args]),
  });

  constructor(private readonly options: ThreadOptions<D>) {}

  /** Pending calls are still answered. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.close();
  }

  #start(): Thread<D, readonly [string, ...unknown[]], unknown> {
    const thread = new Thread<D, readonly [string, ...unknown[]], unknown>(this.options, () => {
      if (this.#thread === thread) this.#thread = null;
    });
    return thread;
  }
}

interface Waiting<A> {
  readonly resolve: (answer: A) => void;
  readonly reject: (error: Error) => void;
}

/** Calls into one worker thread. Pending calls keep this process alive; once it has ended, calls reject. */
export class Thread<D, Q, A> {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Waiting<A>>();
  readonly #exited: Promise<void>;
  readonly #idle = new Set<() => void>();
  #lastId = 0;
  /** The reason why the thread takes no further call; null: it does. */
  #ended: string | null = null;

  constructor({ script, name, data }: ThreadOptions<D>, onExit?: () => void) {
    const worker = new Worker(script, { workerData: data, execArgv: [], name });
    this.#worker = worker;
    let failure = 'the thread has ended';
    worker.on('message', (replies: readonly Reply<A>[]) => replies.forEach((reply) => this.#settle(reply)));
    worker.on('error', (error: unknown) => (failure = errorWords(error)));
    worker.on('messageerror', (error) => {
      failure = errorWords(error);
      void worker.terminate();
    });
    this.#exited = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#ended ??= failure;
        onExit?.();
        for (const { reject } of this.#pending.values()) reject(new Error(failure));
        this.#pending.clear();
        this.#notifyIdle();
        resolve();
      });
    });
    worker.unref();
  }

  call(call: Q): Promise<A> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) {
        reject(new Error(this.#ended));
        return;
      }
      const id = (this.#lastId += 1);
      // Keeps this process alive until the answer comes.
      if (this.#pending.size === 0) this.#worker.ref();
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, call });
    });
  }

  /** Pending calls are still answered, later ones reject. */
  async close(): Promise<void> {
    if (this.#ended === null) {
      this.#ended = 'it is closed';
      if (this.#pending.size > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
      this.#worker.ref();
      this.#send('close');
    }
    await this.#exited;
  }

  #send(request: Request<Q>): void {
    this.#worker.postMessage(request);
  }

  #settle(reply: Reply<A>): void {
    const waiting = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(new Error(reply.failure));
    if (this.#pending.size === 0) this.#notifyIdle();
  }

  #notifyIdle(): void {
    this.#worker.unref();
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}
