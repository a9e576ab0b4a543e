import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  runFiles,
  stopRequestSchema,
  type Activity,
  type Heartbeat,
  type LaunchTicket,
  type ProcessIdentity,
  type StopRequest,
} from '../contracts/launch';
import { writeFileAtomic } from '../adapters/files/atomic';
import { readRunFile, watchRun } from '../adapters/launches/files';
import { isIn, isThere, processTable, membersIn, treeCpuSeconds, type TreeTarget } from '../adapters/processes/tree';
import type { LimitGroup } from '../adapters/processes/limitGroup';
import type { Recorder } from './recorder';

export interface MonitorEvents {
  onDeadline(): void;
  onStop(request: StopRequest): void;
  /** The process that the launch ends with has ended. */
  onOwnerGone(): void;
  /**
   * The tree has more processes, or more megabytes of memory, than the ticket allows. `used`: null: the kernel enforced
   * it.
   */
  onExcess(limit: 'processes' | 'memory_mb', used: number | null): void;
}

const tickMs = 1000;
/**
 * Milliseconds between writes of activity.json. Less than a second, because jitter or a stop request may make a tick
 * early.
 */
const activityMs = 900;
/** Milliseconds; a longer gap between two ticks means that the machine slept, which is not the worker's time. */
const longestTickMs = 5000;
/** Bounds heartbeat.json: it keeps only the last sleeps since the last progress. */
const mostSleeps = 10_000;
/** The share of the time that scans of the process table may take. */
const scanShare = 0.02;
/** The worker's descendants count as active from this many CPU seconds per second on. */
const activeShare = 0.01;

/**
 * Checks deadline, stop request and the process that the launch ends with, once a second; a watcher reports a stop
 * request at once. Scans the processes. Writes heartbeat and activity when they are due.
 */
export function createMonitor(
  target: {
    readonly runDir: string;
    readonly ticket: LaunchTicket;
    readonly worker: ProcessIdentity | null;
    /** First process of the sandbox's namespace. */
    readonly namespace: ProcessIdentity | null;
    readonly recorder: Recorder;
    /** The control group that the worker is in; null: none. */
    readonly group: LimitGroup | null;
  },
  events: MonitorEvents,
  /** Milliseconds that never go back. */
  clock: () => number = () => performance.now(),
) {
  const { runDir, ticket, worker, namespace, recorder, group } = target;
  const seen = new Map<string, ProcessIdentity>();
  const watch = watchRun(runDir, [runFiles.stop], tickMs);
  let disposed = false;
  let ran = 0;
  let lastTick = performance.now();
  let lastTickAt = Date.now();
  let sleeps: { from: string; to: string }[] = [];
  let nextScan = 0;
  let scanned = { members: 0, threads: 0 };
  let activityWritten = { at: -Infinity, bytes: 0 };
  let beat = { at: performance.now(), events: 0, cpu: 0, progressAt: new Date().toISOString() };

  /** Returns the CPU seconds of the tree. */
  const scan = async (): Promise<number> => {
    const began = performance.now();
    const threads = threadsOfMachine();
    const table = await processTable.list();
    const bootId = await processTable.bootId();
    const tree: TreeTarget = { root: worker, nonce: ticket.nonce, namespace, seen: [...seen.values()] };
    const members = membersIn(table, bootId, tree);
    seen.clear();
    for (const member of members) seen.set(`${member.pid} ${member.start_time}`, member);
    scanned = { members: members.length, threads };
    if (ticket.ends_with && !isIn(table, bootId, ticket.ends_with)) events.onOwnerGone();
    if (ticket.limits !== undefined) {
      const exceeded = await group?.exceeded();
      if (exceeded) events.onExcess(exceeded, null);
      if (members.length > ticket.limits.processes) events.onExcess('processes', members.length);
      const memory = Math.ceil((await processTable.memoryOf(members.map(({ pid }) => pid))) / 2 ** 20);
      if (memory > ticket.limits.memory_mb) events.onExcess('memory_mb', memory);
    }
    nextScan = performance.now() + Math.max(tickMs, (performance.now() - began) / scanShare);
    // CPU time of a plain command is progress. That of an agent CLI itself is not, because it waits for its model.
    return treeCpuSeconds(table, members, ticket.worker === 'command' ? null : (worker?.pid ?? null));
  };
  /** The machine has more new threads than the launch may still start, so a scan cannot wait. */
  const mayHaveMultiplied = (): boolean =>
    ticket.limits !== undefined && threadsOfMachine() - scanned.threads > ticket.limits.processes - scanned.members;
  const writeBeat = async (first: boolean): Promise<void> => {
    const now = performance.now();
    const cpu = await scan();
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
    const { bytes, lines, lastOutputAt, waiting, actions } = recorder.progress();
    if (lastOutputAt === null || bytes === activityWritten.bytes) return;
    if (clock() - activityWritten.at < activityMs) return;
    activityWritten = { at: clock(), bytes };
    const activity: Activity = {
      launch_id: ticket.launch_id,
      last_output_at: lastOutputAt,
      output_bytes: bytes,
      output_lines: lines,
      ...(waiting && { waiting }),
      ...(actions.length > 0 && { actions }),
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
  /** Records a sleep in the heartbeat at once. Uses the wall clock, because that runs on while the machine sleeps. */
  const noteSleep = async (): Promise<void> => {
    const from = lastTickAt;
    lastTickAt = Date.now();
    if (lastTickAt - from <= longestTickMs) return;
    const to = new Date(lastTickAt).toISOString();
    sleeps = [...sleeps, { from: new Date(from).toISOString(), to }].slice(-mostSleeps);
    await writeHeartbeat(to, recorder.progress().bytes);
  };
  const tick = async (): Promise<void> => {
    const now = performance.now();
    ran += Math.min(now - lastTick, longestTickMs);
    lastTick = now;
    await recorder.look();
    await noteSleep();
    // Ignores a failure, because activity is only displayed.
    await writeActivity().catch(() => undefined);
    if (ticket.ends_with && !isThere(ticket.ends_with.pid)) events.onOwnerGone();
    if (ran >= ticket.max_runtime_seconds * 1000) events.onDeadline();
    const stop = await readRunFile(runDir, runFiles.stop, stopRequestSchema);
    if (stop.kind === 'ok' && stop.value.launch_id === ticket.launch_id) events.onStop(stop.value);
    if (now - beat.at >= ticket.heartbeat_interval_seconds * 1000) await writeBeat(false);
    else if (beat.events === 0 && recorder.progress().events > 0) await writeBeat(false);
    else if (now >= nextScan || mayHaveMultiplied()) await scan();
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
    /** Processes of the worker's tree that were alive at the last scan. */
    seen: () => [...seen.values()],
    dispose(): void {
      disposed = true;
      watch.dispose();
    },
  };
}

/** One small file shows this at any load; 0 where the system has none. */
function threadsOfMachine(): number {
  try {
    return Number(/\/(\d+)/.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
