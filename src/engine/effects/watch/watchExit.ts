import type { WorkerSignal } from '../../../contracts/launch';
import type { EnginePorts } from '../../ports/engine';

/** Seconds that a finished agent may be silent: hooks, servers and reports of its CLI end in less. */
export const exitGraceSeconds = 15;
/** The same for a CLI that reports only the end of a turn while it runs. It may begin another turn by itself. */
export const turnGraceSeconds = 60;
/** Seconds. A timer that fires later shows that the machine slept, which was not the agent's time. */
const longestDelay = 5;

export interface ExitWatch {
  /** Call with each signal. Returns the seconds that the agent may be quiet from now on; null: it still works. */
  saw(signal: WorkerSignal): number | null;
  dispose(): void;
}

/** Calls `onStays` once, when a finished agent gave neither a signal nor output for its grace. */
export function watchExit(
  runDir: string,
  { launches, clock, timers }: Pick<EnginePorts, 'launches' | 'clock' | 'timers'>,
  onStays: (quiet_seconds: number) => void,
): ExitWatch {
  let grace: number | null = null;
  let timer: { dispose(): void } | null = null;
  let hasReported = false;

  const waitUntil = (due: string, seconds: number): void => {
    timer?.dispose();
    const mine = timers.at(due, () => void look(due, seconds, mine));
    timer = mine;
  };
  const look = async (due: string, seconds: number, mine: { dispose(): void }): Promise<void> => {
    const written = await launches.lastOutput(runDir).catch(() => null);
    // A signal came meanwhile, or the launch has ended.
    if (timer !== mine) return;
    const now = clock.now();
    if (now > clock.after(due, longestDelay)) {
      waitUntil(clock.after(now, seconds), seconds);
      return;
    }
    // Ignores a time ahead of the clock, because a worker can write that file.
    const later = written !== null && clock.after(written, 0) <= now ? clock.after(written, seconds) : now;
    if (later > now) {
      waitUntil(later, seconds);
      return;
    }
    timer = null;
    hasReported = true;
    onStays(seconds);
  };

  return {
    saw(signal) {
      grace = graceAfter(grace, signal);
      timer?.dispose();
      timer = null;
      if (grace !== null && !hasReported) waitUntil(clock.after(clock.now(), grace), grace);
      return grace;
    },
    dispose() {
      timer?.dispose();
      timer = null;
    },
  };
}

export function hasToldItsEnd(signals: readonly WorkerSignal[]): boolean {
  return signals.reduce<number | null>(graceAfter, null) !== null;
}

/** Returns the seconds that an agent may be quiet after a signal; null: it works, or has begun another turn. */
function graceAfter(before: number | null, signal: WorkerSignal): number | null {
  switch (signal.kind) {
    case 'final':
      return exitGraceSeconds;
    case 'turn_ended':
      return turnGraceSeconds;
    case 'usage':
    case 'denial':
    case 'error':
    case 'hook':
      return before;
    default:
      return null;
  }
}
