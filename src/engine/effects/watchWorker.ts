import type { Probe } from '../../core/ledger/heartbeat';
import { judgeSilence, noSigns, type Silence, type SignsOfLife, type WatchedProcess } from '../../core/ledger/silence';
import type { EnginePorts } from '../ports/hostPorts';
import type { KnownLaunch } from '../ports';

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
export function watchWorker(
  { runDir, known, process }: Watched,
  ports: Pick<EnginePorts, 'launches' | 'clock' | 'timers'>,
  onSilent: (silence: Silence) => void,
): Watch {
  const { launches, clock, timers } = ports;
  let disposed = false;
  let timer: { dispose(): void } | null = null;
  let signs: SignsOfLife = noSigns;
  let spoken = false;
  /** Work of its processes that a probe found; the supervisor tells only whole intervals. */
  let worked: string | null = null;

  const at = (time: string, look: () => Promise<void>): void => {
    if (disposed) return;
    timer = timers.at(time, () => {
      look().catch(() => at(clock.after(clock.now(), afterFailureSeconds), first));
    });
  };
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

  async function first(): Promise<void> {
    await read();
    const liveness = judgeSilence(process, signs, clock.now());
    if (liveness.kind === 'alive') {
      at(liveness.boundary, first);
      return;
    }
    const before = await launches.activity(runDir, known, process.speaks);
    at(clock.after(clock.now(), graceSeconds), () => second(before.cpu_seconds));
  }

  async function second(cpuBefore: number): Promise<void> {
    await read();
    const { alive, cpu_seconds } = await launches.activity(runDir, known, process.speaks);
    // How it ended is told by its end.
    if (!alive || disposed) return;
    const now = clock.now();
    const active = cpu_seconds - cpuBefore >= activeShare * graceSeconds;
    if (active) worked = now;
    const probe: Probe = active ? { kind: 'progress', last_heartbeat_at: now } : { kind: 'silent' };
    const liveness = judgeSilence(process, signs, now, probe);
    if (liveness.kind === 'alive') {
      at(liveness.boundary, first);
      return;
    }
    disposed = true;
    const { last_heartbeat_at, timeout_seconds, age_seconds, found } = liveness;
    onSilent({ last_heartbeat_at, timeout_seconds, age_seconds, found });
  }

  at(clock.now(), first);
  return {
    spoke: () => {
      spoken = true;
    },
    dispose() {
      disposed = true;
      timer?.dispose();
    },
  };
}
