import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runFiles } from '../contracts/launch';
import type { ExitRecord, Heartbeat, LaunchTicket } from '../contracts/launch';
import type { LaunchStanding } from '../adapters/launchStanding';
import type { WorkerSignal } from '../workers/worker';

/** Everything a line is made of may come from a worker: `plain` takes the teeth out, the screen cuts to its width. */

export function headerLine(ticket: LaunchTicket): string {
  const model = ticket.model === undefined || ticket.model === null ? '' : `, model ${ticket.model}`;
  return plain(`Mission ${ticket.mission_id}, task ${ticket.task_id}: ${ticket.worker}${model}`);
}

/** One line per signal; null for what says nothing to a person. */
export function signalLine(signal: WorkerSignal): string | null {
  switch (signal.kind) {
    case 'session':
      return plain(`session ${signal.sessionId}${signal.model === null ? '' : `, model ${signal.model}`}`);
    case 'progress':
      return signal.text.trim() === '' ? null : `  ${plain(signal.text)}`;
    case 'message': {
      const first = signal.text.split(/\r?\n/).find((line) => line.trim() !== '');
      return first === undefined ? null : `> ${plain(first)}`;
    }
    case 'tool_use':
      return plain(`* ${signal.tool}${signal.detail === '' ? '' : `: ${signal.detail}`}`);
    case 'file_change':
      return plain(`${{ add: '+', update: '~', delete: '-', unknown: '?' }[signal.change]} ${signal.path}`);
    case 'denial':
      return plain(
        `! denied${signal.tool === null ? '' : ` ${signal.tool}`}${signal.path === null ? '' : ` ${signal.path}`}: ${signal.reason}`,
      );
    case 'usage': {
      const { inputTokens, outputTokens } = signal.usage;
      return plain(`  tokens: ${inputTokens ?? '?'} in, ${outputTokens ?? '?'} out`);
    }
    case 'error':
      return plain(`! ${signal.fatal ? 'error' : 'warning'}: ${signal.message}`);
    case 'final':
      return plain(
        signal.ok ? '= finished' : `= finished with an error${signal.reason === null ? '' : `: ${signal.reason}`}`,
      );
  }
}

export function statusLine(standing: LaunchStanding, beat: Heartbeat | null, nowMs: number): string {
  switch (standing.kind) {
    case 'waiting':
    case 'claimed':
      return 'waiting for the worker to start';
    case 'lost':
      return 'the supervisor does not answer';
    case 'running': {
      const running = `running ${duration(nowMs - Date.parse(standing.process.started_at))}`;
      return beat === null
        ? running
        : `${running}, last progress ${duration(nowMs - Date.parse(beat.last_progress_at))} ago`;
    }
    case 'ended':
    case 'revoked':
    case 'void':
      return '';
  }
}

/** The end of a run; the worker's exit code comes last. */
export function endLines(exit: ExitRecord | null, runDir: string): readonly string[] {
  if (exit === null) return ['The launch was revoked: nothing was started.'];
  const lines = [
    `Ended after ${duration(Date.parse(exit.ended_at) - Date.parse(exit.started_at))}: ${reasonWords[exit.reason]}.`,
  ];
  if (exit.error !== null) lines.push(exit.error);
  if (exit.leftovers.length > 0) lines.push(`${exit.leftovers.length} process(es) it left behind were ended.`);
  if (!exit.tree_gone)
    lines.push(
      `Not proven gone: ${exit.survivors.length === 0 ? 'its processes cannot be seen' : `process ${exit.survivors.join(', ')}`}.`,
    );
  const failed = exit.exit_code !== 0 && exit.stderr_tail.trim() !== '';
  if (failed)
    lines.push(
      ...exit.stderr_tail
        .split('\n')
        .slice(-5)
        .map((line) => `  ${line}`),
    );
  lines.push(`Output: ${path.join(runDir, runFiles.stdout)}`);
  lines.push(
    exit.signal !== null
      ? `Worker ended by ${exit.signal}.`
      : exit.exit_code === null
        ? 'Worker: no exit code.'
        : `Worker exit code ${exit.exit_code}.`,
  );
  return lines.map(plain);
}

/** Without escape sequences, control characters and those that turn the direction of writing or cannot be seen. */
export function plain(text: string): string {
  return stripVTControlCharacters(text.slice(0, 4000))
    .replace(/\t/g, '  ')
    .replace(/\r?\n/g, ' ')
    .replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|\p{Cs}/gu, '');
}

/** Cut to a number of terminal columns; wide characters take two, marks none. */
export function fit(text: string, columns: number): string {
  let used = 0;
  let kept = '';
  for (const character of text) {
    used += widthOf(character);
    if (used > columns - 1 && kept.length + character.length < text.length) return `${kept}…`;
    if (used > columns) return kept;
    kept += character;
  }
  return kept;
}

/** `5 s`, `2 min 5 s`, `1 h 2 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const reasonWords: { readonly [R in ExitRecord['reason']]: string } = {
  exited: 'the worker ended by itself',
  deadline: 'its time was over',
  stop_requested: 'it was stopped',
  log_failed: 'its output could not be recorded',
  spawn_failed: 'it could not be started',
  expired: 'the launch ticket had expired, nothing was started',
  revoked: 'the launch was revoked, nothing was started',
  supervisor_lost: 'its supervisor died',
};

function widthOf(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x1100) return 1;
  const wide =
    code <= 0x115f ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    code >= 0x1f300;
  return wide ? 2 : 1;
}
