import type { Probe } from '../../core/ledger/heartbeat';
import {
  judgeSilence,
  noSigns,
  type ProcessLiveness,
  type Silence,
  type SignsOfLife,
  type WatchedProcess,
} from '../../core/ledger/silence';
import type { EnginePorts } from '../ports/engine';
import type { KnownLaunch } from '../ports/launches';

/** What is watched: a launch whose worker has started. */
export interface Watched {
  readonly runDir: string;
  readonly known: KnownLaunch;
  readonly process: WatchedProcess;
}

export interface Watch {
  /** A stream event was seen. */
  spoke(): void;
  dispose(): void;
}

type WatchPorts = Pick<EnginePorts, 'launches' | 'clock' | 'timers'>;

/** From the suspicion to the second look; seconds. */
const graceSeconds = 5;
/** What counts as work of its processes: CPU seconds per second. Source: decisions.md section 7. */
const activeShare = 0.01;
/** Until the next look when this one failed; the deadline of the run holds meanwhile. Seconds. */
const afterFailureSeconds = 30;

/**
 * Looks at the heartbeat of a running process at the moments at which it could have gone silent, and at no others: a
 * timer at the next boundary, a probe after a short grace, and `onSilent` once when nothing speaks for it any more.
 */
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
    // How it ended is told by its end.
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
    dispose() {
      disposed = true;
      timer?.dispose();
      observer.dispose();
    },
  };
}

export interface Observer {
  /** How the process stands now; one that is suspect is probed first, which takes a moment. */
  look(): Promise<'gone' | Exclude<ProcessLiveness, { readonly kind: 'suspect' }>>;
  spoke(): void;
  dispose(): void;
}

export function createObserver({ runDir, known, process }: Watched, { launches, clock, timers }: WatchPorts): Observer {
  let signs: SignsOfLife = noSigns;
  let spoken = false;
  /** Work of its processes that a probe found; the supervisor tells only whole intervals. */
  let worked: string | null = null;
  let grace: { dispose(): void } | null = null;

  const read = async (): Promise<void> => {
    const beat = await launches.heartbeat(runDir);
    // Gone, unreadable or of another launch: what was known before still holds.
    if (beat?.launch_id === known.launch_id) {
      const { last_progress_at, events, sleeps = [] } = beat;
      signs = { last_progress_at, events, sleeps };
    }
    if (spoken && signs.events === 0) signs = { ...signs, events: 1 };
    if (worked !== null && (signs.last_progress_at ?? '') < worked) signs = { ...signs, last_progress_at: worked };
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
      const before = await launches.activity(runDir, known, process.speaks);
      await afterGrace();
      await read();
      const { alive, cpu_seconds } = await launches.activity(runDir, known, process.speaks);
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
    dispose: () => grace?.dispose(),
  };
}
