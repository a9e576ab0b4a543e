import { Worker } from 'node:worker_threads';
import type { JournalCall, JournalReply } from './service';
import type { StoreAccess } from './store';
import type { JournalThreadData, JournalThreadMessage, JournalThreadRequest } from './thread';
import { done, errorMessage, refused, type Outcome } from '../../base/outcome';
import { createStateJournal, type JournalTransport, type StateJournal } from './journal';

/**
 * The journal of `file` in a worker thread, so that no write holds up the caller's. `script` is the built
 * journalThread.js. Should the thread end by itself, pending and later appends answer WRITE_FAILED (the
 * engine then halts) and readers reject; it is not started again, because nobody knows what it left behind.
 */
export async function openJournalThread<E>(options: {
  readonly script: string;
  readonly file: string;
  readonly access: StoreAccess;
}): Promise<Outcome<StateJournal<E>>> {
  const data: JournalThreadData = { file: options.file, access: options.access };
  const thread = new ThreadTransport(
    new Worker(options.script, { workerData: data, execArgv: [], name: 'mission-journal' }),
  );
  const opened = await thread.opened;
  return opened.ok ? done(createStateJournal<E>(thread, process.pid)) : opened;
}

class ThreadTransport implements JournalTransport {
  readonly opened: Promise<Outcome<null>>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, (reply: JournalReply) => void>();
  readonly #exited: Promise<void>;
  #lastId = 0;
  /** Why no call can be made any more. */
  #ended: string | null = null;

  constructor(worker: Worker) {
    this.#worker = worker;
    let resolveOpened: (opened: Outcome<null>) => void;
    this.opened = new Promise((resolve) => (resolveOpened = resolve));
    let failure: string | null = null;
    worker.on('message', (message: JournalThreadMessage) => {
      if ('opened' in message) {
        resolveOpened(message.opened);
        return;
      }
      for (const [id, reply] of message.replies) this.#settle(id, reply);
    });
    worker.on('error', (error: unknown) => {
      failure = errorMessage(error);
    });
    worker.on('messageerror', (error) => {
      failure = errorMessage(error);
      void worker.terminate();
    });
    this.#exited = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#ended ??= `The journal's thread has ended${failure === null ? '' : `: ${failure}`}.`;
        resolveOpened(ended(this.#ended));
        for (const id of [...this.#pending.keys()]) this.#settle(id, ended(this.#ended));
        resolve();
      });
    });
  }

  call(call: JournalCall): Promise<JournalReply> {
    return new Promise((resolve) => {
      if (this.#ended !== null) {
        resolve(ended(this.#ended));
        return;
      }
      const id = (this.#lastId += 1);
      this.#pending.set(id, resolve);
      this.#send({ id, call });
    });
  }

  async close(): Promise<void> {
    if (this.#ended === null) {
      this.#ended = 'The journal is closed.';
      this.#send('close');
    }
    await this.#exited;
  }

  #send(request: JournalThreadRequest): void {
    this.#worker.postMessage(request);
  }

  #settle(id: number, reply: JournalReply): void {
    this.#pending.get(id)?.(reply);
    this.#pending.delete(id);
  }
}

function ended(reason: string): ReturnType<typeof refused> {
  return refused('STATE_STORE_UNWRITABLE', reason, 'Restart Mission Control.');
}
