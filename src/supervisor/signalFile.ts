import { open } from 'node:fs/promises';
import { redactText } from '../adapters/system/redact';
import type { WorkerSignal } from '../workers/worker';

/** Bytes of ordinary signals; final signals may use a little more. */
const limit = 4 * 1024 * 1024;
const limitOfFinals = limit + 2 * 1024 * 1024;
const longestLine = 1024 * 1024;

export interface SignalFile {
  write(signals: readonly WorkerSignal[]): Promise<void>;
  close(): Promise<void>;
}

/** signals.jsonl: one signal a line, redacted, bounded; past the bound only the final ones are written. */
export async function createSignalFile(file: string, secrets: readonly string[]): Promise<SignalFile> {
  const handle = await open(file, 'wx', 0o600);
  let size = 0;
  let closed = false;
  return {
    async write(signals) {
      let lines = '';
      for (const signal of signals) {
        if (size > limit && signal.kind !== 'final') continue;
        const line = `${redactText(lineOf(signal), secrets).text}\n`;
        if (size + line.length > limitOfFinals) continue;
        lines += line;
        size += Buffer.byteLength(line);
      }
      if (lines !== '') await handle.appendFile(lines);
    },
    async close() {
      if (!closed) await handle.close();
      closed = true;
    },
  };
}

function lineOf(signal: WorkerSignal): string {
  const line = JSON.stringify(signal);
  return line.length <= longestLine || signal.kind !== 'final' ? line : JSON.stringify({ ...signal, structured: null });
}
