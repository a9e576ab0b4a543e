import { createPublicKey, generateKeyPairSync, verify, type KeyObject } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalText } from '../../src/base/json';
import {
  orchestratorRequestFileSchema,
  type OrchestratorAsk,
  type OrchestratorRequestFile,
} from '../../src/contracts/orchestratorTools';
import { orchestratorPlaces, orchestratorVariables } from '../../src/contracts/vocabulary/orchestrator';

export const sessionId = 'launch-7';

/** What the owner writes: an answer without version and id, or bytes as they stand. Null: nothing, ever. */
export type Said =
  | { readonly ok: true; readonly result: { readonly facts: object; readonly untrusted: readonly object[] } }
  | { readonly ok: false; readonly code: string; readonly reason: string; readonly next: readonly string[] }
  | ((file: string, id: string) => Promise<void>)
  | null;

/** The owner's end of a session's folders, played by a test. */
export interface FakeOwner {
  /** The variables of the session, the token among them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly outbox: string;
  readonly answers: string;
  /** Every request, read and found to be signed by this session. */
  readonly requests: readonly OrchestratorRequestFile[];
  /** Whether a process held the file of a request open when the owner read it; only known on Linux. */
  readonly heldOpen: readonly boolean[];
  stop(): Promise<void>;
}

export async function startFakeOwner(runDir: string, say: (ask: OrchestratorAsk) => Said): Promise<FakeOwner> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const outbox = path.join(runDir, ...orchestratorPlaces.outbox.split('/'));
  const answers = path.join(runDir, orchestratorPlaces.answers);
  await mkdir(outbox, { recursive: true });
  await mkdir(answers, { recursive: true });
  const requests: OrchestratorRequestFile[] = [];
  const heldOpen: boolean[] = [];
  const stopped = new AbortController();
  const watching = (async () => {
    const seen = new Set<string>();
    while (!stopped.signal.aborted) {
      for (const name of await readdir(outbox).catch(() => [])) {
        if (seen.has(name) || !/^[^.].*\.json$/.test(name)) continue;
        seen.add(name);
        const file = path.join(outbox, name);
        const holding = await isHeld(file);
        const text = await readFile(file, 'utf8').catch(() => null);
        if (text === null) continue; // taken back a moment ago
        heldOpen.push(holding);
        const request = checked(text, publicKey);
        requests.push(request);
        await write(path.join(answers, name), request.id, say(request.request));
      }
      await sleep(20);
    }
  })();
  return {
    environment: {
      [orchestratorVariables.token]: tokenOf(privateKey),
      [orchestratorVariables.session]: sessionId,
      [orchestratorVariables.directory]: runDir,
    },
    outbox,
    answers,
    requests,
    heldOpen,
    async stop() {
      stopped.abort();
      await watching;
    },
  };
}

export function tokenOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'der' }).toString('base64url');
}

/** Checks a request as an owner does, from the public key alone. */
function checked(text: string, publicKey: KeyObject): OrchestratorRequestFile {
  const request = orchestratorRequestFileSchema.parse(JSON.parse(text));
  const { signature, ...unsigned } = request;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const key = createPublicKey({ key: spki, type: 'spki', format: 'der' });
  if (!verify(null, Buffer.from(canonicalText(unsigned)), key, Buffer.from(signature, 'base64url')))
    throw new Error('the signature is not of this session');
  return request;
}

async function write(file: string, id: string, said: Said): Promise<void> {
  if (said === null) return;
  if (typeof said === 'function') return said(file, id);
  await writeFile(`${file}.tmp`, JSON.stringify({ schema_version: '1.0.0', id, ...said }));
  await rename(`${file}.tmp`, file);
}

/** Returns whether any process holds the file open. */
export async function isHeld(file: string): Promise<boolean> {
  for (const pid of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const descriptors = `/proc/${pid}/fd`;
    for (const one of await readdir(descriptors).catch(() => []))
      if ((await readlink(path.join(descriptors, one)).catch(() => '')) === file) return true;
  }
  return false;
}
