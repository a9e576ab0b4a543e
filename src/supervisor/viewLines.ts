import path from 'node:path';
import { runFiles } from '../contracts/launch';
import type { ExitRecord, Heartbeat, LaunchTicket } from '../contracts/launch';
import type { LaunchStanding } from '../adapters/launchStanding';
import { limited } from '../core/text/oneLine';
import { terminal, type TerminalText } from '../core/text/terminal';
import type { WorkerSignal } from '../workers/worker';

export function headerLine(ticket: LaunchTicket): TerminalText {
  const model = ticket.model === undefined || ticket.model === null ? '' : `, model ${ticket.model}`;
  return terminal`Mission ${ticket.mission_id}, task ${ticket.task_id}: ${ticket.worker}${model}`;
}

/** One line per signal; null for what says nothing to a person. */
export function signalLine(signal: WorkerSignal): TerminalText | null {
  switch (signal.kind) {
    case 'session':
      return terminal`session ${short(signal.sessionId)}${signal.model === null ? '' : terminal`, model ${short(signal.model)}`}`;
    case 'progress':
      return signal.text.trim() === '' ? null : terminal`| ${short(signal.text.trimEnd())}`;
    case 'message': {
      const first = signal.text.split(/\r?\n/).find((line) => line.trim() !== '');
      return first === undefined ? null : terminal`> ${short(first)}`;
    }
    case 'tool_use':
      return terminal`* ${short(signal.tool)}${signal.detail === '' ? '' : terminal`: ${short(signal.detail)}`}`;
    case 'file_change':
      return terminal`${{ add: '+', update: '~', delete: '-', unknown: '?' }[signal.change]} ${short(signal.path)}`;
    case 'denial': {
      const what = [signal.tool, signal.path].filter((part) => part !== null).map(short);
      return terminal`! ${terminal.join(['denied', ...what], ' ')}: ${short(signal.reason)}`;
    }
    case 'usage': {
      const { inputTokens, outputTokens } = signal.usage;
      return terminal`  tokens: ${inputTokens ?? '?'} in, ${outputTokens ?? '?'} out`;
    }
    case 'error':
      return terminal`! ${signal.fatal ? 'error' : 'warning'}: ${short(signal.message)}`;
    case 'final':
      return signal.ok
        ? terminal`= finished`
        : terminal`= finished with an error${signal.reason === null ? '' : terminal`: ${short(signal.reason)}`}`;
  }
}

export function statusLine(standing: LaunchStanding, beat: Heartbeat | null, nowMs: number): TerminalText {
  switch (standing.kind) {
    case 'waiting':
    case 'claimed':
      return terminal`waiting for the worker to start`;
    case 'lost':
      return terminal`the supervisor does not answer`;
    case 'running': {
      const running = terminal`running ${duration(nowMs - Date.parse(standing.process.started_at))}`;
      return beat === null
        ? running
        : terminal`${running}, last progress ${duration(nowMs - Date.parse(beat.last_progress_at))} ago`;
    }
    case 'ended':
    case 'revoked':
    case 'void':
      return terminal``;
  }
}

/** The end of a run; the worker's exit code comes last. */
export function endLines(exit: ExitRecord | null, runDir: string): readonly TerminalText[] {
  if (exit === null) return [terminal`The launch was revoked: nothing was started.`];
  const lines = [
    terminal`Ended after ${duration(Date.parse(exit.ended_at) - Date.parse(exit.started_at))}: ${reasonWords[exit.reason]}.`,
  ];
  if (exit.error !== null) lines.push(terminal`${short(exit.error)}`);
  if (exit.leftovers.length > 0) lines.push(terminal`${exit.leftovers.length} process(es) it left behind were ended.`);
  if (!exit.tree_gone)
    lines.push(
      terminal`Not proven gone: ${exit.survivors.length === 0 ? 'its processes cannot be seen' : `process ${exit.survivors.join(', ')}`}.`,
    );
  const failed = exit.exit_code !== 0 && exit.stderr_tail.trim() !== '';
  if (failed)
    lines.push(
      ...exit.stderr_tail
        .split('\n')
        .slice(-5)
        .map((line) => terminal`| ${short(line)}`),
    );
  lines.push(terminal`Output: ${path.join(runDir, runFiles.stdout)}`);
  lines.push(
    exit.signal !== null
      ? terminal`Worker ended by ${exit.signal}.`
      : exit.exit_code === null
        ? terminal`Worker: no exit code.`
        : terminal`Worker exit code ${exit.exit_code}.`,
  );
  return lines;
}

/** A value of a worker: what is longer than any screen is cut here, the rest where the width is known. */
function short(text: string): ReturnType<typeof limited> {
  return limited(text, 2000);
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
