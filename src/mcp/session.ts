import { createPrivateKey, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { secretValues } from '../adapters/system/redact';
import { orchestratorPlaces, orchestratorVariables } from '../contracts/vocabulary/orchestrator';
import { refuse, type ToolRefusal } from './refusal';

/** The orchestrator session that this server belongs to. */
export interface Session {
  readonly id: string;
  readonly runDir: string;
  readonly key: KeyObject;
  /** Values that no file may hold. */
  readonly secrets: readonly string[];
}

/** Reads the session from the variables of this process, and removes the token from them. */
export function takeSession(environment: NodeJS.ProcessEnv): Session | ToolRefusal {
  const secrets = secretValues(environment);
  const { token, session, directory } = orchestratorVariables;
  const key = keyOf(environment[token]);
  const id = environment[session];
  const runDir = environment[directory];
  Reflect.deleteProperty(environment, token);
  if (key === null) return unusable(`${token} is missing, or holds no Ed25519 private key`);
  if (id === undefined || id === '') return unusable(`${session} is missing`);
  if (runDir === undefined || !path.isAbsolute(runDir)) return unusable(`${directory} is no absolute path`);
  return { id, runDir, key, secrets };
}

/** Leaves the sign that the tools have started. A failure is harmless, because the first answer shows the same. */
export async function leaveStarted({ runDir }: Pick<Session, 'runDir'>): Promise<void> {
  const file = path.join(runDir, ...orchestratorPlaces.started.split('/'));
  await writeFile(file, '', { flag: 'wx', mode: 0o600 }).catch(() => undefined);
}

function keyOf(token: string | undefined): KeyObject | null {
  if (token === undefined) return null;
  try {
    const key = createPrivateKey({ key: Buffer.from(token, 'base64url'), format: 'der', type: 'pkcs8' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null; // the error would quote the token
  }
}

function unusable(why: string): ToolRefusal {
  const reason = `The mission tools were not started for an orchestrator session: ${why}.`;
  return refuse('SESSION_UNUSABLE', reason, 'End here, without an outcome: a person sees it and decides.');
}
