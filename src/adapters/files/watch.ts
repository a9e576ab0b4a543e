import { watch, type FSWatcher } from 'node:fs';

/**
 * Calls `look` at once and soon after a change in the folder. Also calls it every `fallbackMs` (at
 * least 1 s), because file events get lost or do not exist. Calls never overlap. A change during
 * one leads to another. `look` must not reject.
 */
export function watchFolder(
  folder: string,
  look: () => Promise<void>,
  options: { readonly fallbackMs: number; readonly keepAlive: boolean },
): { dispose(): void } {
  let disposed = false;
  let looking = false;
  let again = false;
  const run = async (): Promise<void> => {
    if (disposed) return;
    again = looking;
    if (looking) return;
    looking = true;
    await look();
    looking = false;
    if (again) void run();
  };
  let watcher: FSWatcher | null = null;
  const unwatch = (): void => {
    watcher?.close();
    watcher = null;
  };
  try {
    watcher = watch(folder, { persistent: options.keepAlive });
    watcher.on('change', () => void run());
    watcher.on('error', unwatch); // the timer continues
  } catch {
    watcher = null; // no watches left, or none on this file system: only the timer works
  }
  const timer = setInterval(() => void run(), Math.max(1000, options.fallbackMs));
  if (!options.keepAlive) timer.unref();
  void run();
  return {
    dispose() {
      disposed = true;
      clearInterval(timer);
      unwatch();
    },
  };
}
