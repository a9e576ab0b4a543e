import { parentPort } from 'node:worker_threads';

// In the place of journalThread.js: opens, and dies of the first call.
parentPort?.postMessage({ opened: { ok: true, value: null } });
parentPort?.once('message', () => {
  throw new Error('out of memory, say');
});
