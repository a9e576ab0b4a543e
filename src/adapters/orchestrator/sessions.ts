import path from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { orchestratorPlaces, orchestratorVariables } from '../../contracts/vocabulary/orchestrator';
import { done, errorCode, errorMessage, refused, type Outcome } from '../../base/outcome';
import type { OrchestratorSessions, ArtifactPage } from '../../engine/ports/orchestrator';
import type { McpProgram } from '../../workers/worker';
import { writeFileAtomic } from '../files/atomic';
import { redactText } from '../system/redact';
import { watchOutbox } from './outbox';
import { openFile } from '../files/opened';

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
      return refused(
        'STATE_STORE_UNWRITABLE',
        `${folder} cannot be made: ${errorMessage(error)}.`,
        'Look at that folder and move it away.',
      );
    }
  }
  return done(null);
}

async function isOwnFolder(folder: string): Promise<boolean> {
  return (await lstat(folder).catch(() => null))?.isDirectory() === true;
}

/** Bytes from `offset` as text, cut before a character that would be torn; null: the path is no regular file. */
async function artifactPage(file: string, offset: number, limit: number): Promise<ArtifactPage | null> {
  const opened = await openFile(file).catch(() => null); // not readable: the page cannot show it
  if (opened?.kind !== 'opened') return null;
  const { handle, stats } = opened;
  try {
    const buffer = Buffer.alloc(limit);
    const { bytesRead } = await handle.read(buffer, 0, limit, offset);
    const whole = bytesRead < limit ? bytesRead : wholeCharacters(buffer);
    const end = offset + whole;
    return {
      text: buffer.toString('utf8', 0, whole),
      bytes: stats.size,
      next_offset: whole > 0 && end < stats.size ? end : null,
    };
  } finally {
    await handle.close();
  }
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
