import path from 'node:path';
import { generateKeyPairSync, createPublicKey, verify } from 'node:crypto';
import { lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { orchestratorPlaces, orchestratorVariables, orchestratorLimits } from '../../contracts/vocabulary/orchestrator';
import { done, errorCode, errorWords, refused, type Outcome } from '../../base/outcome';
import type {
  OrchestratorSessions,
  ArtifactPage,
  ReceivedRequest,
  WatchedSession,
} from '../../engine/ports/orchestrator';
import type { McpProgram } from '../../workers/worker';
import { writeFileAtomic } from '../files/atomic';
import { redactText } from '../system/redact';
import { readOnce, readPart } from '../files/opened';
import { watchFolder } from '../files/watch';
import { orchestratorRequestFileSchema, type OrchestratorRequestFile } from '../../contracts/orchestratorTools';
import { parsedJson, canonicalText } from '../../base/json';
import type { Stats } from 'node:fs';
import { treeMembers } from '../processes/tree';

/** @param server says how this installation starts the server of the mission tools */
export function createOrchestratorSessions(
  workspaceDir: string,
  server: () => Promise<Outcome<McpProgram>>,
): OrchestratorSessions {
  const tokens = new Map<string, string>();
  return {
    server,
    issue(launchId) {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      tokens.set(launchId, privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'));
      return publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
    },
    secret(launchId) {
      const token = tokens.get(launchId);
      return token === undefined ? null : { [orchestratorVariables.token]: token };
    },
    open: openFolders,
    watch: watchOutbox,
    async answer(runDir, answer) {
      const folder = path.join(runDir, orchestratorPlaces.answers);
      // An unconfined session could have put a link there.
      if (!(await isOwnFolder(folder))) return;
      // Redacts the answer, because it may repeat texts that the session has sent.
      const { text } = redactText(JSON.stringify(answer));
      await writeFileAtomic(path.join(folder, `${answer.id}.json`), `${text}\n`, { durable: false });
    },
    async toolsStarted(runDir) {
      const started = path.join(runDir, ...orchestratorPlaces.started.split('/'));
      if (await lstat(started).catch(() => null)) return true;
      // Looks for answers too, because a server that cannot leave its sign may still ask and get answers.
      return (await readdir(path.join(runDir, orchestratorPlaces.answers)).catch(() => [])).length > 0;
    },
    page: (relative, offset, limit) => artifactPage(path.join(workspaceDir, ...relative.split('/')), offset, limit),
  };
}

async function openFolders(runDir: string): Promise<Outcome<null>> {
  for (const place of [orchestratorPlaces.outbox, orchestratorPlaces.answers]) {
    const folder = path.join(runDir, ...place.split('/'));
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      if (errorCode(error) === 'EEXIST' && (await isOwnFolder(folder))) continue;
      const reason = `${folder} cannot be made: ${errorWords(error)}.`;
      return refused('STATE_STORE_UNWRITABLE', reason, 'Look at that folder and move it away.');
    }
  }
  return done(null);
}

async function isOwnFolder(folder: string): Promise<boolean> {
  return (await lstat(folder).catch(() => null))?.isDirectory() === true;
}

/** Bytes from `offset` as text, cut before a character that would be torn; null: the path is no regular file. */
async function artifactPage(file: string, offset: number, limit: number): Promise<ArtifactPage | null> {
  const read = await readPart(file, limit, offset).catch(() => null); // not readable: the page cannot show it
  if (read === null) return null;
  const { bytes, size } = read;
  const whole = bytes.length < limit ? bytes.length : wholeCharacters(bytes);
  const end = offset + whole;
  const next_offset = whole > 0 && end < size ? end : null;
  return { text: bytes.toString('utf8', 0, whole), bytes: size, next_offset };
}

/** The length without a last character that is incomplete. */
function wholeCharacters(buffer: Buffer): number {
  for (let at = buffer.length - 1; at >= Math.max(0, buffer.length - 4); at -= 1) {
    const byte = buffer[at] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return at + size > buffer.length ? at : buffer.length;
  }
  return buffer.length;
}

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
    reason: `The request cannot be read: ${errorWords(error)}.`,
  });

/** See `OrchestratorSessions.watch`. Follows no link and never rejects; retries a file that cannot be read now. */
const watchOutbox: OrchestratorSessions['watch'] = (session, onRequest, onFlood) => {
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
  const parsed = orchestratorRequestFileSchema.safeParse(parsedJson(read.bytes.toString('utf8')));
  if (!parsed.success)
    return invalid(`The request has not the form of one, at /${(parsed.error.issues[0]?.path ?? []).join('/')}.`);
  const problem = senderProblem(parsed.data, id, session);
  if (problem !== null) return invalid(problem);
  if (!(await isHeldBySession(read.stats, session)))
    return invalid('No process of the session holds the request open, so it is unknown who asks.');
  return { id, kind: 'valid', ask: parsed.data.request };
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
 * Returns whether a process of the session's tree holds the file open, so that no other asks in its name. Linux only.
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
