import { isMainThread, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { openJournalService, type JournalCall, type JournalReply } from './service';
import type { StoreAccess } from './store';
import { done, type Outcome } from '../../base/outcome';

// Entry point of the worker thread that has the journal open. Bundled to dist/journalThread.js.

/** How the thread is started. */
export interface JournalThreadData {
  readonly file: string;
  readonly access: StoreAccess;
}
/** To the thread; `close` is the last one. */
export type JournalThreadRequest = { readonly id: number; readonly call: JournalCall } | 'close';
/** From the thread: first how opening went, then replies by id, in the order of the calls. */
export type JournalThreadMessage =
  { readonly opened: Outcome<null> } | { readonly replies: readonly (readonly [id: number, reply: JournalReply])[] };

if (!isMainThread && parentPort !== null) serve(parentPort, workerData as JournalThreadData);

function serve(port: NonNullable<typeof parentPort>, data: JournalThreadData): void {
  const send = (message: JournalThreadMessage): void => port.postMessage(message);
  const service = openJournalService(data.file, data.access);
  send({ opened: service.ok ? done(null) : service });
  if (!service.ok) {
    port.close();
    return;
  }
  port.on('message', (first: JournalThreadRequest) => {
    // Everything that has arrived meanwhile is committed together.
    const requests = [first];
    for (let more = receiveMessageOnPort(port); more !== undefined; more = receiveMessageOnPort(port)) {
      requests.push(more.message as JournalThreadRequest);
    }
    const calls = requests.filter((request) => request !== 'close');
    const replies = service.value.run(calls.map(({ call }) => call));
    send({ replies: replies.map((reply, index) => [(calls[index] as { id: number }).id, reply]) });
    if (calls.length === requests.length) return;
    service.value.close();
    port.close();
  });
}
