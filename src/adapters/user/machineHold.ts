import { appendFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { machineHoldSchema, type MachineHold } from '../../contracts/machineHold';
import { decisionStep } from '../../base/text/steps';
import { done, errorCode, type Outcome, type Refusal } from '../../base/outcome';
import { writeFileAtomic } from '../files/atomic';
import { readOnce } from '../files/opened';
import { openUserStateFolder, unavailable } from './folder';

/**
 * Why nothing of this user starts on this machine; null: it may. A file that cannot be read holds as well: somebody
 * wanted everything to stop.
 */
export async function startsHeld(): Promise<Refusal | null> {
  const folder = await openUserStateFolder();
  if (!folder.ok) return null; // without this folder nothing is started anyway
  const read = await readOnce(path.join(folder.value, holdFile), 65_536).catch(() => ({ kind: 'irregular' }) as const);
  if (read.kind === 'absent') return null;
  const hold = read.kind === 'file' ? parsed(read.bytes.toString('utf8')) : null;
  const who = hold ? `${hold.by} stopped everything at ${hold.at}: ${hold.reason}` : 'Somebody stopped everything.';
  return {
    code: 'STARTS_HELD',
    reason: `${who.replace(/[.\s]+$/, '')}. Nothing of this user starts on this machine before a person allows it again.`,
    next: [decisionStep('stop', '--release')],
  };
}

/** From now on no launch of this user gets a ticket. */
export async function holdStarts(hold: MachineHold): Promise<Outcome<null>> {
  const folder = await openUserStateFolder();
  if (!folder.ok) return folder;
  try {
    const text = JSON.stringify({ schema_version: '1.0.0', ...hold });
    await writeFileAtomic(path.join(folder.value, holdFile), `${text}\n`);
    await appendFile(path.join(folder.value, logFile), `${JSON.stringify({ did: 'stop', ...hold })}\n`, {
      mode: 0o600,
    });
    return done(null);
  } catch (error) {
    return unavailable(folder.value, error);
  }
}

/** False: nothing was held. */
export async function allowStarts(decision: MachineHold): Promise<Outcome<boolean>> {
  const folder = await openUserStateFolder();
  if (!folder.ok) return folder;
  try {
    await unlink(path.join(folder.value, holdFile));
    const line = `${JSON.stringify({ did: 'release', ...decision })}\n`;
    await appendFile(path.join(folder.value, logFile), line, { mode: 0o600 });
    return done(true);
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? done(false) : unavailable(folder.value, error);
  }
}

const holdFile = 'stopped.json';
/** Each stop and release, oldest first. */
const logFile = 'stops.jsonl';

function parsed(text: string): MachineHold | null {
  try {
    const read = machineHoldSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
