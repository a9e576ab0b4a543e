import { head } from '../shared/json';
import { limits } from '../shared/stream';
import type { SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { StreamParser, WorkerSignal } from '../worker';
import { refusedWrite } from '../../base/refusedWrite';

type Denial = Extract<WorkerSignal, { kind: 'denial' }>;

/** The most output lines shown of one chunk. */
const linesPerChunk = 50;
const mostDenials = 20;
const longestMessage = 64 * 1024;

/**
 * Output of a plain program without an event format: every line is progress, of a chunk with many lines the last 50.
 * Only the exit code shows success, so there is no `final` signal: `finalSeen` and `finalOk` just say that the output
 * has ended. `lastMessage` is the end of stdout, at most 64 Ki characters.
 *
 * @param heldBy the sandbox around it: what standard error reports of refused writes are its denials, each line once
 * @param layered the workspace, where a layer takes what it writes there: nothing there is refused
 */
export function createCommandParser(heldBy: SandboxMeans | null = null, layered: string | null = null): StreamParser {
  const unfinished = { stdout: '', stderr: '' };
  let lines = 0;
  let output = '';
  let ended = false;
  const denials = new Map<string, Denial>();

  const refused = (line: string): readonly Denial[] => {
    const found = heldBy === null || denials.size >= mostDenials ? null : refusedWrite(line, heldBy);
    const reason = head(line.trim(), limits.detail);
    if (found === null || denials.has(reason)) return [];
    const isOutside = found.path?.startsWith('/') === true && !found.path.startsWith(`${layered ?? ''}/`);
    if (layered !== null && !isOutside) return [];
    const denial: Denial = { kind: 'denial', tool: null, path: found.path, reason, source: 'stderr' };
    denials.set(reason, denial);
    return [denial];
  };
  const shown = (text: string): WorkerSignal => ({ kind: 'progress', text: head(text, limits.detail) });

  return {
    push(channel, chunk) {
      if (channel === 'stdout') output = (output + chunk).slice(-longestMessage);
      const recent: string[] = [];
      const denied: Denial[] = [];
      let from = 0;
      for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', from)) {
        const line = unfinished[channel] + chunk.slice(from, Math.min(at, from + limits.detail + 1));
        unfinished[channel] = '';
        lines += 1;
        from = at + 1;
        const text = line.replace(/\r$/, '');
        if (text.trim() === '') continue;
        if (channel === 'stderr') denied.push(...refused(text));
        recent.push(text);
        if (recent.length > linesPerChunk) recent.shift();
      }
      // Keeps the beginning of an unfinished line.
      unfinished[channel] = (unfinished[channel] + chunk.slice(from, from + limits.detail + 1)).slice(
        0,
        limits.detail + 1,
      );
      return [...recent.map(shown), ...denied];
    },
    end() {
      ended = true;
      const rest = [unfinished.stdout, unfinished.stderr].filter((line) => line.trim() !== '');
      lines += rest.length;
      const denied = refused(unfinished.stderr);
      unfinished.stdout = '';
      unfinished.stderr = '';
      return [...rest.map(shown), ...denied];
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
      denials: [...denials.values()],
      fileChanges: [],
      counts: { events: lines, unknown: 0, malformed: 0, oversized: 0, toolUses: 0 },
    }),
  };
}
