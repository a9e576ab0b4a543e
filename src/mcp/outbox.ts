import { randomUUID, sign } from 'node:crypto';
import { mkdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileHeld } from '../adapters/files/atomic';
import { readOnce } from '../adapters/files/opened';
import { redactText } from '../adapters/system/redact';
import { canonicalText, parsedJson } from '../base/json';
import { errorWords } from '../base/outcome';
import {
  orchestratorAnswerFileSchema,
  type OrchestratorAnswerFile,
  type OrchestratorAsk,
} from '../contracts/orchestratorTools';
import { orchestratorLimits, orchestratorPlaces } from '../contracts/vocabulary/orchestrator';
import { refuse, type ToolRefusal } from './refusal';
import type { Session } from './session';

/** Milliseconds. */
export interface Patience {
  readonly lookEvery: number;
  readonly atMost: number;
}
const usual: Patience = { lookEvery: 100, atMost: 60_000 };

/**
 * Leaves a signed request in the session's outbox and waits for the owner's answer. Keeps the file open meanwhile,
 * because that shows the owner that a process of this session asks. Takes back a request that gets no answer.
 */
export async function askOwner(
  session: Session,
  request: OrchestratorAsk,
  gone: AbortSignal,
  patience: Patience = usual,
): Promise<OrchestratorAnswerFile | ToolRefusal> {
  const id = randomUUID();
  const text = signed(session, id, request);
  if (Buffer.byteLength(text) > orchestratorLimits.request) {
    const reason = `The request is larger than ${orchestratorLimits.request} bytes; nothing was asked.`;
    return refuse('REQUEST_TOO_LARGE', reason, 'Say it in fewer words.');
  }
  const file = path.join(session.runDir, ...orchestratorPlaces.outbox.split('/'), `${id}.json`);
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const handle = await writeFileHeld(file, text);
    try {
      const answer = await waitForAnswer(session, id, gone, patience);
      if (answer !== null) return answer;
      await unlink(file).catch(() => undefined); // the owner took it a moment ago
      return refuse(
        'OWNER_SILENT',
        'The owner of the mission did not answer; the request was taken back.',
        'Call the tool status: it tells what counts now. Ask again at most once.',
        'Or end here, without an outcome: a person sees it and decides.',
      );
    } finally {
      await handle.close();
    }
  } catch (error) {
    return refuse(
      'REQUEST_UNWRITTEN',
      `The request could not be left for the owner of the mission: ${errorWords(error)}.`,
      'Ask once more. If it fails again, end here, without an outcome: a person sees it and decides.',
    );
  }
}

/**
 * Signs a request in the form that the owner checks. Redacts it first, because a model may write a secret, and no file
 * may hold one.
 */
function signed(session: Session, id: string, request: OrchestratorAsk): string {
  const unsigned: unknown = JSON.parse(
    JSON.stringify({ schema_version: '1.0.0', id, session: session.id, at: new Date().toISOString(), request }),
    (_, value: unknown) => (typeof value === 'string' ? redactText(value, session.secrets).text : value),
  );
  const signature = sign(null, Buffer.from(canonicalText(unsigned)), session.key).toString('base64url');
  return `${JSON.stringify({ ...(unsigned as object), signature })}\n`;
}

/** Null: no answer came in time, or the client has stopped waiting. */
async function waitForAnswer(
  session: Session,
  id: string,
  gone: AbortSignal,
  { lookEvery, atMost }: Patience,
): Promise<OrchestratorAnswerFile | ToolRefusal | null> {
  const file = path.join(session.runDir, orchestratorPlaces.answers, `${id}.json`);
  const until = performance.now() + atMost;
  while (!gone.aborted) {
    const found = await readOnce(file, orchestratorLimits.answer).catch(errorWords);
    if (typeof found === 'string') return unreadable(found);
    if (found.kind === 'file') return answerIn(found.bytes, id);
    if (found.kind !== 'absent') return unreadable('it is no file, or too large');
    if (performance.now() >= until) break;
    await sleep(lookEvery, null, { signal: gone }).catch(() => undefined);
  }
  return null;
}

function answerIn(bytes: Buffer, id: string): OrchestratorAnswerFile | ToolRefusal {
  const read = orchestratorAnswerFileSchema.safeParse(parsedJson(bytes.toString('utf8')));
  if (!read.success) return unreadable('it has not the form of an answer');
  return read.data.id === id ? read.data : unreadable('it answers another request');
}

function unreadable(why: string): ToolRefusal {
  return refuse(
    'ANSWER_UNREADABLE',
    `What lies where the answer should be is not used: ${why}.`,
    'Call the tool status: it tells what counts now.',
    'If it fails again, end here, without an outcome: a person sees it and decides.',
  );
}
