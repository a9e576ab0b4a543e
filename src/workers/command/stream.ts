import { head } from '../shared/json';
import { limits } from '../shared/stream';
import type { StreamParser } from '../worker';
import type { WorkerSignal } from '../../contracts/launch';

/** The most output lines shown of one chunk. */
const linesPerChunk = 50;
const longestMessage = 64 * 1024;

/**
 * Output of a plain program without an event format: every line is progress, of a chunk with many lines the last 50.
 * Only the exit code shows success, so there is no `final` signal: `finalSeen` and `finalOk` just say that the output
 * has ended. `lastMessage` is the end of stdout, at most 64 Ki characters.
 */
export function createCommandParser(): StreamParser {
  const unfinished = { stdout: '', stderr: '' };
  let lines = 0;
  let output = '';
  let ended = false;
  const shown = (text: string): WorkerSignal => ({ kind: 'progress', text: head(text, limits.detail) });

  return {
    push(channel, chunk) {
      if (channel === 'stdout') output = (output + chunk).slice(-longestMessage);
      const recent: string[] = [];
      let from = 0;
      for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
        const line = unfinished[channel] + chunk.slice(from, Math.min(at, from + limits.detail + 1));
        unfinished[channel] = '';
        lines += 1;
        from = at + 1;
        const text = line.replace(/\r$/, '');
        if (text.trim() === '') continue;
        recent.push(text);
        if (recent.length > linesPerChunk) recent.shift();
      }
      // Keeps the beginning of an unfinished line.
      unfinished[channel] = (unfinished[channel] + chunk.slice(from, from + limits.detail + 1)).slice(
        0,
        limits.detail + 1,
      );
      return recent.map(shown);
    },
    end() {
      ended = true;
      const rest = [unfinished.stdout, unfinished.stderr].filter((line) => line.trim() !== '');
      lines += rest.length;
      unfinished.stdout = '';
      unfinished.stderr = '';
      return rest.map(shown);
    },
    summary: () => ({
      sessionId: null,
      model: null,
      cliVersion: null,
      usage: null,
      usageSpan: null,
      finalSeen: ended,
      finalOk: ended,
      finalReason: null,
      lastMessage: output === '' ? null : output,
      structured: null,
      denials: [],
      fileChanges: [],
      counts: { events: lines, unknown: 0, malformed: 0, oversized: 0, toolUses: 0 },
    }),
  };
}
