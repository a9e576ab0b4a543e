import { parentPort } from 'node:worker_threads';

// In the place of journalThread.js: opens, and dies of the first call after that.
parentPort?.once('message', ({ id }: { readonly id: number }) => {
  parentPort?.postMessage([{ id, answer: { ok: true, value: null } }]);
  parentPort?.once('message', () => {
    throw new Error('out of memory, say');
  });
});
