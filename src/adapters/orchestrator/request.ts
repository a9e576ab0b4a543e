import { createPublicKey, verify } from 'node:crypto';
import { orchestratorRequestFileSchema, type OrchestratorRequestFile } from '../../contracts/orchestratorTools';
import { orchestratorLimits } from '../../contracts/vocabulary/orchestrator';
import { canonicalText } from '../../base/canonicalText';
import type { ReceivedRequest, WatchedSession } from '../../engine/ports/orchestrator';
import { readOnce } from '../files/opened';
import { isHeldBySession } from './heldBySession';

/** Reads one hostile file of the outbox; null: it is gone, so no client waits for an answer. */
export async function readRequest(file: string, id: string, session: WatchedSession): Promise<ReceivedRequest | null> {
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
