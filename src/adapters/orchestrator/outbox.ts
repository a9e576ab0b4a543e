import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { orchestratorPlaces } from '../../contracts/vocabulary/orchestrator';
import { errorMessage } from '../../base/outcome';
import type { OrchestratorSessions, ReceivedRequest } from '../../engine/ports/orchestrator';
import { watchFolder } from '../files/watch';
import { readRequest } from './request';

/** A working session never has so many files at once. */
const mostFiles = 200;
/** Requests of one session, including those that only read. */
const mostRequests = 300;
/** Milliseconds; file events usually come earlier. */
const fallbackMs = 1000;

/** Answers a file that cannot be read, so that it delays no other. */
const unreadable =
  (id: string) =>
  (error: unknown): ReceivedRequest => ({
    ...{ id, kind: 'invalid', code: 'NON_COMPLIANT' },
    reason: `The request cannot be read: ${errorMessage(error)}.`,
  });

/** See `OrchestratorSessions.watch`. Follows no link and never rejects; retries a file that cannot be read now. */
export const watchOutbox: OrchestratorSessions['watch'] = (session, onRequest, onFlood) => {
  const outbox = path.join(session.run_dir, ...orchestratorPlaces.outbox.split('/'));
  const answers = path.join(session.run_dir, orchestratorPlaces.answers);
  const taken = new Set<string>();
  let over = false;
  let looking: Promise<void> = Promise.resolve();

  const isOver = (): boolean => over;
  const flood = (): void => {
    over = true;
    onFlood();
  };
  const lookOnce = async (): Promise<void> => {
    if (over || !(await lstat(outbox)).isDirectory()) return;
    const names = await readdir(outbox);
    if (names.length > mostFiles) {
      flood();
      return;
    }
    for (const name of names.sort()) {
      const id = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json$/.exec(name)?.[1];
      if (id === undefined || taken.has(id)) continue;
      const answered = await lstat(path.join(answers, name)).catch(() => null);
      const request = answered ? null : await readRequest(path.join(outbox, name), id, session).catch(unreadable(id));
      taken.add(id);
      if (!request) continue;
      if (taken.size > mostRequests) flood();
      if (isOver()) return;
      await onRequest(request);
    }
  };
  const look = (): Promise<void> => (looking = lookOnce().catch(() => undefined));
  const watching = watchFolder(outbox, look, { fallbackMs, keepAlive: false });
  return {
    async dispose() {
      over = true;
      watching.dispose();
      await looking;
    },
  };
};
