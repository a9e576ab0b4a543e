import type { Canceling } from '../../engine/ports/drafts';

/** Ctrl+C, SIGTERM, SIGHUP or the death of the parent that re-executed this command asks for the end, until disposed. */
export function interruption(): Canceling & { dispose(): void } {
  const listeners = new Set<() => void>();
  let requested = false;
  const ask = (): void => {
    if (requested) return;
    requested = true;
    for (const listener of listeners) listener();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, ask);
  process.on('disconnect', ask);
  process.channel?.unref();
  return {
    requested: () => requested,
    onRequest(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    dispose() {
      for (const signal of signals) process.off(signal, ask);
      process.off('disconnect', ask);
    },
  };
}
