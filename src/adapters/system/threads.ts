import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { errorMessage } from '../../base/outcome';

/** Questions and answers cross as copies: data only. */
type Request<Q> = { readonly id: number; readonly call: Q } | 'close';
type Reply<A> = { readonly id: number } & ({ readonly answer: A } | { readonly failure: string });

/**
 * In the entry point of a worker thread: answers calls, several at a time, until the other side closes. `prepare` gets
 * what the thread was started with. Does nothing on the main thread, so that an entry point can be imported.
 */
export function serveCalls(prepare: (data: never) => (call: never) => unknown): void {
  if (isMainThread || parentPort === null) return;
  const port = parentPort;
  const answer = prepare(workerData as never);
  port.on('message', (request: Request<never>) => {
    if (request === 'close') {
      port.close();
      return;
    }
    const { id, call } = request;
    const send = (reply: Reply<unknown>): void => port.postMessage(reply);
    Promise.resolve(call)
      .then((asked) => answer(asked))
      .then((answered) => send({ id, answer: answered }))
      .catch((error: unknown) => send({ id, failure: errorMessage(error) }));
  });
}

/**
 * Calls into a worker thread that is started with the first call and does not keep this process alive. Should it end by
 * itself, the calls under way reject and the next one starts it anew: for work without memory.
 */
export class ThreadCaller<D, Q, A> {
  #thread: Thread<Q, A> | null = null;

  constructor(private readonly options: { readonly script: string; readonly name: string; readonly data: D }) {}

  call(call: Q): Promise<A> {
    this.#thread ??= this.#start();
    return this.#thread.call(call);
  }

  /** Calls under way are still answered. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.close();
  }

  #start(): Thread<Q, A> {
    const { script, name, data } = this.options;
    const thread = new Thread<Q, A>(new Worker(script, { workerData: data, execArgv: [], name }), () => {
      if (this.#thread === thread) this.#thread = null;
    });
    return thread;
  }
}

interface Waiting<A> {
  readonly resolve: (answer: A) => void;
  readonly reject: (error: Error) => void;
}

class Thread<Q, A> {
  readonly #pending = new Map<number, Waiting<A>>();
  readonly #exited: Promise<void>;
  readonly #idle = new Set<() => void>();
  #lastId = 0;

  constructor(
    private readonly worker: Worker,
    onExit: () => void,
  ) {
    let failure = 'The thread has ended.';
    worker.on('message', (reply: Reply<A>) => this.#settle(reply));
    worker.on('error', (error: unknown) => (failure = errorMessage(error)));
    worker.on('messageerror', (error) => {
      failure = errorMessage(error);
      void worker.terminate();
    });
    this.#exited = new Promise((resolve) => {
      worker.on('exit', () => {
        onExit();
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
      const id = (this.#lastId += 1);
      this.#pending.set(id, { resolve, reject });
      // Somebody waits for the answer: until it is there, the thread keeps this process alive.
      this.worker.ref();
      this.#send({ id, call });
    });
  }

  async close(): Promise<void> {
    if (this.#pending.size > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
    this.worker.ref();
    this.#send('close');
    await this.#exited;
  }

  #send(request: Request<Q>): void {
    this.worker.postMessage(request);
  }

  #settle(reply: Reply<A>): void {
    const waiting = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(new Error(reply.failure));
    if (this.#pending.size === 0) this.#notifyIdle();
  }

  #notifyIdle(): void {
    this.worker.unref();
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }
}
