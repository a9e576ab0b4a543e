import {
  judgeSilence,
  noSigns,
  type Probe,
  type ProcessLiveness,
  type Silence,
  type SignsOfLife,
  type WatchedProcess,
} from '../../../core/ledger/heartbeat';
import type { EnginePorts } from '../../ports/engine';
import type { JournalledLaunch } from '../../ports/launches';

export interface Watched {
  readonly runDir: string;
  readonly known: JournalledLaunch;
  readonly process: WatchedProcess;
}

export interface Watch {
  /** Call when a stream event was seen. */
  spoke(): void;
  /** Call when the CLI says how long it waits for its provider, because that wait is no silence. */
  waits(seconds: number): void;
  dispose(): void;
}

type WatchPorts = Pick<EnginePorts, 'launches' | 'clock' | 'timers'>;

/** Seconds from the suspicion to the second look. */
const graceSeconds = 5;
/** CPU seconds per second that count as work (decision 40). */
const activeShare = 0.01;
/** Seconds; a longer wait for a provider is not believed. */
const longestWait = 3_600;
/** Seconds to the next look after a failed one; the run's deadline holds meanwhile. */
const afterFailureSeconds = 30;

/** Looks only when silence could begin: at the next boundary, after a probe; then calls `onSilent` once. */
export function watchWorker(watched: Watched, ports: WatchPorts, onSilent: (silence: Silence) => void): Watch {
  const { clock, timers } = ports;
  const observer = createObserver(watched, ports);
  let disposed = false;
  let timer: { dispose(): void } | null = null;

  const lookAt = (time: string): void => {
    if (disposed) return;
    timer = timers.at(time, () => {
      look().catch(() => lookAt(clock.after(clock.now(), afterFailureSeconds)));
    });
  };
  const look = async (): Promise<void> => {
    const liveness = await observer.look();
    // The process has ended, and `awaitWorker` reports that.
    if (disposed || liveness === 'gone') return;
    if (liveness.kind === 'alive') {
      lookAt(liveness.boundary);
      return;
    }
    const { last_heartbeat_at, timeout_seconds, age_seconds, found } = liveness;
    onSilent({ last_heartbeat_at, timeout_seconds, age_seconds, found });
  };

  lookAt(clock.now());
  return {
    spoke: () => observer.spoke(),
    waits: (seconds) => observer.waits(seconds),
    dispose() {
      disposed = true;
      timer?.dispose();
      observer.dispose();
    },
  };
}

export interface Observer {
  /** Judges the process now; first probes one that is suspect, which takes `graceSeconds`. */
  look(): Promise<'gone' | Exclude<ProcessLiveness, { readonly kind: 'suspect' }>>;
  spoke(): void;
  waits(seconds: number): void;
  dispose(): void;
}

export function createObserver({ runDir, known, process }: Watched, { launches, clock, timers }: WatchPorts): Observer {
  let signs: SignsOfLife = noSigns;
  let spoken = false;
  /** When a probe found the processes working; the supervisor reports whole intervals only. */
  let worked: string | null = null;
  /** The end of a reported wait. `read` caps it at the present, because a sign ahead of the clock is not believed. */
  let waitsUntil: string | null = null;
  let grace: { dispose(): void } | null = null;

  const read = async (): Promise<void> => {
    const beat = await launches.heartbeat(runDir);
    // Keeps the last signs where the heartbeat is not of this launch.
    if (beat?.launch_id === known.launch_id) {
      const { last_progress_at, events, sleeps = [] } = beat;
      signs = { last_progress_at, events, sleeps };
    }
    if (spoken && signs.events === 0) signs = { ...signs, events: 1 };
    const now = clock.now();
    for (const sign of [worked, waitsUntil !== null && waitsUntil > now ? now : waitsUntil])
      if (sign !== null && (signs.last_progress_at ?? '') < sign) signs = { ...signs, last_progress_at: sign };
  };
  const afterGrace = (): Promise<void> =>
    new Promise((resolve) => {
      grace = timers.at(clock.after(clock.now(), graceSeconds), resolve);
    });

  return {
    async look() {
      await read();
      const first = judgeSilence(process, signs, clock.now());
      if (first.kind !== 'suspect') return first;
      const before = await launches.activity(runDir, known, process.is_agent);
      await afterGrace();
      await read();
      const { alive, cpu_seconds } = await launches.activity(runDir, known, process.is_agent);
      if (!alive) return 'gone';
      const now = clock.now();
      const active = cpu_seconds - before.cpu_seconds >= activeShare * graceSeconds;
      if (active) worked = now;
      const probe: Probe = active ? { kind: 'progress', last_heartbeat_at: now } : { kind: 'silent' };
      const second = judgeSilence(process, signs, now, probe);
      if (second.kind === 'suspect') throw new Error('Broken invariant: suspect after the probe.');
      return second;
    },
    spoke: () => {
      spoken = true;
    },
    waits: (seconds) => {
      waitsUntil = clock.after(clock.now(), Math.min(Math.max(seconds, 0), longestWait));
    },
    dispose: () => grace?.dispose(),
  };
}
