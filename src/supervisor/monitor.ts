import path from 'node:path';
import { runFiles, stopRequestSchema } from '../contracts/launch';
import type { Activity, Heartbeat, LaunchTicket, ProcessIdentity, StopRequest } from '../contracts/launch';
import { writeFileAtomic } from '../adapters/files/atomic';
import { readRunFile, watchRun } from '../adapters/launches/files';
import { processTable } from '../adapters/processes/table';
import { membersIn, treeCpuSeconds } from '../adapters/processes/tree';
import type { Recorder } from './recorder';

export interface MonitorEvents {
  onDeadline(): void;
  onStop(request: StopRequest): void;
}
export interface Monitor {
  /** Descendants that were alive at the last look. */
  seen(): readonly ProcessIdentity[];
  dispose(): void;
}

const tickMs = 1000;
/** Ticks are a second apart, give or take; a stop request brings one in between. */
const leastMs = 900;
/** A longer gap between two ticks means that the machine slept: it is not the worker's time. */
const longestTickMs = 5000;
/** Every one of them is followed by at least a second awake, so nobody ever has more. */
const longestSleeps = 10_000;
/** Looking at the process table may cost this share of the time. */
const watchShare = 0.02;
/** What counts as activity of descendants: seconds of CPU per second. */
const activeShare = 0.01;

/**
 * Once a second: deadline, stop request (also at once, by watching), descendants, the heartbeat when it is due, and what
 * came out since.
 */
export function createMonitor(
  runDir: string,
  ticket: LaunchTicket,
  worker: ProcessIdentity | null,
  recorder: Recorder,
  events: MonitorEvents,
): Monitor {
  const seen = new Map<string, ProcessIdentity>();
  const watch = watchRun(runDir, [runFiles.stop], tickMs);
  let disposed = false;
  let ran = 0;
  let lastTick = performance.now();
  let lastTickAt = Date.now();
  let sleeps: { from: string; to: string }[] = [];
  let lookAgain = 0;
  let told = { at: -Infinity, bytes: 0 };
  let beat = { at: performance.now(), events: 0, cpu: 0, progressAt: new Date().toISOString() };

  const look = async (): Promise<number> => {
    const began = performance.now();
    const table = await processTable.list();
    const bootId = await processTable.bootId();
    const members = membersIn(table, bootId, { root: worker, nonce: ticket.nonce, seen: [...seen.values()] });
    seen.clear();
    for (const member of members) seen.set(`${member.pid} ${member.start_time}`, member);
    lookAgain = performance.now() + Math.max(tickMs, (performance.now() - began) / watchShare);
    // A plain program is its own work; a CLI that waits for its model is not.
    return treeCpuSeconds(table, members, ticket.worker === 'command' ? null : (worker?.pid ?? null));
  };
  const writeBeat = async (first: boolean): Promise<void> => {
    const now = performance.now();
    const cpu = await look();
    const { events: count, bytes } = recorder.progress();
    const active = cpu - beat.cpu >= (activeShare * (now - beat.at)) / 1000;
    const progressed = first || count > beat.events || (active && cpu > beat.cpu);
    const at = new Date().toISOString();
    beat = { at: now, events: count, cpu, progressAt: progressed ? at : beat.progressAt };
    if (!progressed) return;
    sleeps = [];
    await writeHeartbeat(at, bytes);
  };
  const writeActivity = async (): Promise<void> => {
    const { bytes, lines, lastOutputAt } = recorder.progress();
    if (lastOutputAt === null || bytes === told.bytes || performance.now() - told.at < leastMs) return;
    told = { at: performance.now(), bytes };
    const activity: Activity = {
      launch_id: ticket.launch_id,
      last_output_at: lastOutputAt,
      output_bytes: bytes,
      output_lines: lines,
    };
    await writeFileAtomic(path.join(runDir, runFiles.activity), `${JSON.stringify(activity)}\n`, { durable: false });
  };
  const writeHeartbeat = async (at: string, bytes: number): Promise<void> => {
    const heartbeat: Heartbeat = {
      launch_id: ticket.launch_id,
      at,
      last_progress_at: beat.progressAt,
      events: beat.events,
      output_bytes: bytes,
      ...(sleeps.length === 0 ? {} : { sleeps }),
    };
    await writeFileAtomic(path.join(runDir, runFiles.heartbeat), `${JSON.stringify(heartbeat)}\n`);
  };
  /** By the clock on the wall, which goes on while the machine sleeps; what was slept is told at once. */
  const noteSleep = async (): Promise<void> => {
    const from = lastTickAt;
    lastTickAt = Date.now();
    if (lastTickAt - from <= longestTickMs) return;
    const to = new Date(lastTickAt).toISOString();
    sleeps = [...sleeps, { from: new Date(from).toISOString(), to }].slice(-longestSleeps);
    await writeHeartbeat(to, recorder.progress().bytes);
  };
  const tick = async (): Promise<void> => {
    const now = performance.now();
    ran += Math.min(now - lastTick, longestTickMs);
    lastTick = now;
    await noteSleep();
    // Only shown: a launch does not end because nobody can be told how it goes.
    await writeActivity().catch(() => undefined);
    if (ran >= ticket.max_runtime_seconds * 1000) events.onDeadline();
    const stop = await readRunFile(runDir, runFiles.stop, stopRequestSchema);
    if (stop.kind === 'ok' && stop.value.launch_id === ticket.launch_id) events.onStop(stop.value);
    if (now - beat.at >= ticket.heartbeat_interval_seconds * 1000) await writeBeat(false);
    else if (beat.events === 0 && recorder.progress().events > 0) await writeBeat(false);
    else if (now >= lookAgain) await look();
  };
  const run = async (): Promise<void> => {
    await writeBeat(true).catch((error: unknown) => recorder.fail(error));
    while (!disposed) {
      await tick().catch((error: unknown) => recorder.fail(error));
      await watch.changed();
    }
  };
  void run();

  return {
    seen: () => [...seen.values()],
    dispose() {
      disposed = true;
      watch.dispose();
    },
  };
}
