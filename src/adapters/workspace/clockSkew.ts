import { constants } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../engine/ports/time';

/** Milliseconds; a measurement may be delayed by less, so only a larger difference counts. */
const noticedMs = 100;
/** Milliseconds; a file system may cut its times to two seconds, so that they look earlier by so much. */
const coarsestMs = 2_000;
/** Milliseconds; the kernel stamps files with a clock that lags by a tick. */
const tickMs = 20;
const probeName = 'clock-probe';

export interface ClockReading {
  /** Milliseconds since 1970, by the file system's clock, when it was read. */
  readonly now_ms: number;
  /** Milliseconds that its clock is at most ahead of ours; negative: behind. 0: no difference that counts. */
  readonly ahead_ms: number;
}

/**
 * Compares the clock of the workspace's file system with ours, by a file that it makes and removes. A mounted folder
 * has the clock of another machine. If the file cannot be made, our clock counts.
 *
 * @param own a folder of ours outside the workspace, used if it lies on the same file system
 */
export async function readFileSystemClock(
  root: string,
  own: string,
  inside: string,
  clock: Clock,
): Promise<ClockReading> {
  const ours = { now_ms: Date.parse(clock.now()), ahead_ms: 0 };
  try {
    const folder = (await isOneFileSystem(root, own)) ? own : inside;
    const { before, stamped, after } = await bestProbe(folder, clock);
    const isAhead = stamped - after > noticedMs;
    const isBehind = before - stamped > coarsestMs;
    return isAhead || isBehind ? { now_ms: stamped, ahead_ms: Math.round(stamped - before) + tickMs } : ours;
  } catch {
    return ours;
  }
}

/** Makes our folder if it is missing, but nothing in the workspace. */
async function isOneFileSystem(root: string, own: string): Promise<boolean> {
  try {
    await mkdir(own, { recursive: true, mode: 0o700 });
    return (await stat(own)).dev === (await stat(root)).dev;
  } catch {
    return false;
  }
}

interface Probe {
  readonly before: number;
  readonly stamped: number;
  readonly after: number;
}

/** Repeats a slow probe at most twice, because it says little. */
async function bestProbe(folder: string, clock: Clock): Promise<Probe> {
  let best = await probe(folder, clock);
  for (let again = 0; again < 2 && best.after - best.before > noticedMs; again += 1) {
    const next = await probe(folder, clock);
    if (next.after - next.before < best.after - best.before) best = next;
  }
  return best;
}

async function probe(folder: string, clock: Clock): Promise<Probe> {
  const file = path.join(folder, probeName);
  // Left by a process that was killed, or planted.
  await rm(file, { recursive: true, force: true });
  const before = Date.parse(clock.now());
  const handle = await open(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
  try {
    await handle.write('0');
    const stamped = (await handle.stat()).ctimeMs;
    return { before, stamped, after: Date.parse(clock.now()) };
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}

/** A time of the file system by our clock: the earliest possible, so that no change looks later than it was. */
export function byOurClock(time: string | null, aheadMs: number): string | null {
  return time === null || aheadMs === 0 ? time : new Date(Date.parse(time) - aheadMs).toISOString();
}
