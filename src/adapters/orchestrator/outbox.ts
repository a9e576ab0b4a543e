import path from 'node:path';
import { lstat, readdir, stat } from 'node:fs/promises';
import { orchestratorPlaces, orchestratorLimits } from '../../contracts/vocabulary/orchestrator';
import { errorMessage } from '../../base/outcome';
import type { OrchestratorSessions, ReceivedRequest, WatchedSession } from '../../engine/ports/orchestrator';
import { watchFolder } from '../files/watch';
import { createPublicKey, verify } from 'node:crypto';
import { orchestratorRequestFileSchema, type OrchestratorRequestFile } from '../../contracts/orchestratorTools';
import { canonicalText } from '../../base/canonicalText';
import { readOnce } from '../files/opened';
import type { Stats } from 'node:fs';
import { treeMembers } from '../processes/tree';

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

/** Reads one hostile file of the outbox; null: it is gone, so no client waits for an answer. */
async function readRequest(file: string, id: string, session: WatchedSession): Promise<ReceivedRequest | null> {
  const invalid = (reason: string): ReceivedRequest => ({ id, kind: 'invalid', code: 'NON_COMPLIANT', reason });
  const read = await readOnce(file, orchestratorLimits.request);
  if (read.kind === 'absent') return null;
  if (read.kind === 'irregular') return invalid(`The request is a ${read.what}, not a file.`);
  if (read.kind === 'too_large') return invalid('The request is larger than 256 KB.');
  const parsed = parsedRequest(read.bytes);
  if (!parsed.success) return invalid(shapeProblem(parsed.error));
  const problem = senderProblem(parsed.data, id, session);
  if (problem !== null) return invalid(problem);
  if (!(await isHeldBySession(read.stats, session)))
    return invalid('No process of the session holds the request open, so it is unknown who asks.');
  return { id, kind: 'valid', ask: parsed.data.request };
}

type Parsed = ReturnType<typeof orchestratorRequestFileSchema.safeParse>;

function parsedRequest(bytes: Buffer): Parsed {
  try {
    return orchestratorRequestFileSchema.safeParse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return orchestratorRequestFileSchema.safeParse(null);
  }
}

function shapeProblem({ issues }: NonNullable<Parsed['error']>): string {
  const at = (issues[0]?.path ?? []).join('/');
  return `The request has not the form of one, at /${at}.`;
}

/** Says why a request does not come from this session; null: it does. */
function senderProblem(file: OrchestratorRequestFile, id: string, session: WatchedSession): string | null {
  const { signature, ...unsigned } = file;
  if (unsigned.id !== id) return 'The request has another id than its file.';
  if (unsigned.session !== session.launch_id) return 'The request is of another session.';
  return isSigned(unsigned, signature, session.public_key)
    ? null
    : 'The request is not signed with the token of this session.';
}

function isSigned(unsigned: unknown, signature: string, publicKey: string): boolean {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), type: 'spki', format: 'der' });
  return verify(null, Buffer.from(canonicalText(unsigned)), key, Buffer.from(signature, 'base64url'));
}

/**
 * Returns whether a process of the session's tree holds the file open. Then no other process can ask in its name, even
 * with its token. Checked on Linux only.
 */
async function isHeldBySession(
  file: Pick<Stats, 'dev' | 'ino'>,
  { process: record, nonce }: Pick<WatchedSession, 'process' | 'nonce'>,
): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const members = await treeMembers({ root: record?.worker ?? null, nonce, namespace: record?.namespace });
  for (const { pid } of members) {
    const folder = `/proc/${pid}/fd`;
    for (const name of await readdir(folder).catch(() => [])) {
      const open = await stat(`${folder}/${name}`).catch(() => null); // closed meanwhile
      if (open !== null && open.dev === file.dev && open.ino === file.ino) return true;
    }
  }
  return false;
}
