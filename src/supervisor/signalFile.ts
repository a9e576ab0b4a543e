import { open } from 'node:fs/promises';
import { redactText, type Secrets } from '../adapters/system/redact';
import type { WorkerSignal } from '../contracts/launch';

const megabyte = 1024 * 1024;
/**
 * Bytes for signals that the owner acts on; each kind has its own room, so that others cannot use it up. `announced`
 * holds the first change of each path. All rooms together are no more than a reader takes at once
 * (adapters/launches/files.ts).
 */
const rooms = {
  session: megabyte / 4,
  waiting: megabyte / 4,
  announced: 2 * megabyte,
  turn_ended: megabyte / 4,
  final: 2 * megabyte,
} as const;
const roomOfOthers = 3 * megabyte;
const longestLine = megabyte;

/** Writes signals.jsonl: one signal a line, redacted and bounded; drops a signal that has no room left. */
export async function createSignalFile(file: string, secrets: Secrets) {
  const handle = await open(file, 'wx', 0o600);
  const left: Record<keyof typeof rooms | 'others', number> = { ...rooms, others: roomOfOthers };
  const announced = new Set<string>();
  let closed = false;
  const roomOf = (signal: WorkerSignal): keyof typeof left => {
    if (signal.kind === 'file_change')
      return left.announced === 0 || announced.has(signal.path) ? 'others' : 'announced';
    return signal.kind in rooms ? (signal.kind as keyof typeof rooms) : 'others';
  };
  return {
    async write(signals: readonly WorkerSignal[]): Promise<void> {
      let lines = '';
      for (const signal of signals) {
        const room = roomOf(signal);
        if (left[room] === 0) continue;
        const line = `${redactText(lineOf(signal), secrets).text}\n`;
        const bytes = Buffer.byteLength(line);
        if (bytes > left[room]) {
          left[room] = 0;
          continue;
        }
        lines += line;
        left[room] -= bytes;
        if (signal.kind === 'file_change') announced.add(signal.path);
      }
      // Ignores signals that were written after the launch ended.
      if (lines !== '' && !closed) await handle.appendFile(lines);
    },
    async close(): Promise<void> {
      if (!closed) await handle.close();
      closed = true;
    },
  };
}

function lineOf(signal: WorkerSignal): string {
  const line = JSON.stringify(signal);
  return line.length <= longestLine || signal.kind !== 'final' ? line : JSON.stringify({ ...signal, structured: null });
}
