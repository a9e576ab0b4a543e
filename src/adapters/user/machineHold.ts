import { withoutEnd } from '../../base/text/plainLine';
import { appendFile, unlink } from 'node:fs/promises';
import path from 'node:path';
import { machineHoldSchema, type MachineHold } from '../../contracts/record/machineHold';
import { decisionStep } from '../../base/text/steps';
import { isObject, parsedJson } from '../../base/json';
import { done, errorCode, errorWords, type Outcome, type Refusal } from '../../base/outcome';
import { writeFileAtomic } from '../files/atomic';
import { readOnce, readPart } from '../files/opened';
import { openUserStateFolder, sharedStateFolders, sharedSurroundings, unavailable } from './folder';
import { utcText } from '../../base/text/amounts';

/**
 * Says why this user may start nothing on this machine; null: starts are allowed. A file that cannot be read holds too,
 * because a person wanted everything to stop.
 */
export async function startsHeld(): Promise<Refusal | null> {
  for (const folder of sharedStateFolders()) {
    const read = await readOnce(path.join(folder, holdFile), 65_536).catch(() => ({ kind: 'irregular' }) as const);
    if (read.kind === 'absent') continue;
    const hold = read.kind === 'file' ? parsed(parsedJson(read.bytes.toString('utf8'))) : null;
    const who = hold
      ? `${hold.by} stopped everything at ${utcText(hold.at)}: ${hold.reason}`
      : 'A person stopped everything.';
    return {
      code: 'STARTS_HELD',
      reason: `${withoutEnd(who)}. Nothing of this user starts on this machine before a person allows it again.`,
      next: [decisionStep('stop', '--release')],
    };
  }
  return null;
}

/** Records that no launch of this user gets a ticket from now on. */
export async function holdStarts(decision: MachineHold): Promise<Outcome<null>> {
  const hold = bounded(decision);
  const [common, own] = sharedSurroundings();
  const first = await openUserStateFolder(common);
  const folder = first.ok || own === undefined ? first : await openUserStateFolder(own);
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

export interface Released {
  readonly startsWereHeld: boolean;
  /**
   * The reason why the release is not on record; null: it is, or starts were not held. Starts are allowed either way.
   */
  readonly unrecorded: string | null;
}

/** Allows starts in each place that a start asks, even in one where this process could not record a hold. */
export async function allowStarts(decision: MachineHold): Promise<Outcome<Released>> {
  const places = sharedStateFolders();
  const nowhere = places.length === 0 ? await openUserStateFolder() : null;
  if (nowhere?.ok === false) return nowhere;
  const line = `${JSON.stringify({ did: 'release', ...bounded(decision) })}\n`;
  let released: Released = { startsWereHeld: false, unrecorded: null };
  for (const folder of places) {
    try {
      await unlink(path.join(folder, holdFile));
    } catch (error) {
      // Below a file nothing can be held.
      if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) continue;
      return unavailable(folder, error);
    }
    const why = await appendFile(path.join(folder, logFile), line, { mode: 0o600 }).then(() => null, errorWords);
    released = { startsWereHeld: true, unrecorded: released.unrecorded ?? why };
  }
  return done(released);
}

/**
 * The last time that everything was stopped, even if starts were allowed again since; null: never. A clock may have
 * been wrong. So a stop counts as no later than its release, and a released stop that lies ahead does not count.
 */
export async function lastStop(): Promise<MachineHold | null> {
  const stops: MachineHold[] = [];
  const now = new Date().toISOString();
  for (const folder of sharedStateFolders()) {
    const tail = await readPart(path.join(folder, logFile), 65_536, -65_536).catch(() => null);
    const stop = lastIn((tail?.bytes.toString('utf8') ?? '').split('\n').flatMap((line) => didIn(line) ?? []));
    if (stop && !(stop.released && stop.at > now)) stops.push({ by: stop.by, reason: stop.reason, at: stop.at });
  }
  return stops.reduce<MachineHold | null>((last, one) => (last === null || one.at > last.at ? one : last), null);
}

const holdFile = 'stopped.json';
/** Records each stop and release, the oldest first. */
const logFile = 'stops.jsonl';

/** Cuts long texts, so that hold and log can always be read. */
function bounded({ by, reason, at }: MachineHold): MachineHold {
  return { by: by.slice(0, longestText), reason: reason.slice(0, longestText), at };
}

/** Characters; JSON may write six for one. */
const longestText = 1000;

function parsed(value: unknown): MachineHold | null {
  const { data } = machineHoldSchema.safeParse(value);
  return data ? { by: data.by, reason: data.reason, at: data.at } : null;
}

interface Did extends MachineHold {
  readonly did: 'stop' | 'release';
}

function lastIn(log: readonly Did[]): (MachineHold & { readonly released: boolean }) | null {
  const index = log.findLastIndex(({ did }) => did === 'stop');
  const stop = log[index];
  if (!stop) return null;
  const ends = log.slice(index + 1).map(({ at }) => at);
  return {
    ...stop,
    at: [stop.at, ...ends].reduce((least, at) => (at < least ? at : least)),
    released: ends.length > 0,
  };
}

/** Null: the line is neither a stop nor a release, or its beginning is cut off. */
function didIn(line: string): Did | null {
  const value = parsedJson(line);
  if (!isObject(value)) return null;
  const { did, ...hold } = value;
  const read = did === 'stop' || did === 'release' ? parsed({ schema_version: '1.0.0', ...hold }) : null;
  return read && { did: did === 'stop' ? 'stop' : 'release', ...read };
}
