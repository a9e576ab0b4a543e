import path from 'node:path';
import { runFiles, type ExitRecord, type LaunchTicket, type TaskOutcome } from '../contracts/launch';
import { durationText, liveText, type LiveWorkerView } from '../contracts/page/liveView';
import type { LaunchStanding } from '../adapters/launches/runState';
import { codeWords, signalWords } from '../base/text/endWords';
import { limited } from '../base/text/oneLine';
import { paletteSentence, stepTexts } from '../base/text/steps';
import { terminal, type TerminalText } from '../base/text/marked/terminal';
import { taskSentence } from '../base/text/words';
import type { LiveFacts } from '../core/view/mission/missionView';
import { short, waitsText } from '../core/view/mission/signalLine';

export function headerLine(ticket: LaunchTicket): TerminalText {
  const model = ticket.model === undefined || ticket.model === null ? '' : `, model ${ticket.model}`;
  if (ticket.role === 'planner') return terminal`Draft of a plan: ${ticket.worker}${model}`;
  return terminal`Mission ${ticket.mission_id}, task ${ticket.task_id}: ${ticket.role === 'orchestrator' ? 'orchestrator ' : ''}${ticket.worker}${model}`;
}

/** @param now ISO-8601 */
export function statusLine(standing: LaunchStanding, live: LiveFacts | null, now: string): TerminalText {
  switch (standing.kind) {
    case 'waiting':
    case 'taken':
      return terminal`waiting for the worker to start`;
    case 'lost':
      return terminal`the supervisor does not answer`;
    case 'running':
      return terminal`${liveText({ ...unknown, ...live, ...waits(live), started_at: standing.process.started_at }, now)}`;
    case 'ended':
    case 'revoked':
    case 'void':
      return terminal``;
  }
}

function waits(live: LiveFacts | null): Pick<LiveWorkerView, 'waits'> {
  return live?.waiting ? { waits: waitsText(live.waiting) } : {};
}

const unknown: Pick<LiveWorkerView, 'last_progress_at' | 'last_output_at' | 'output_bytes' | 'output_lines'> = {
  last_progress_at: null,
  last_output_at: null,
  output_bytes: null,
  output_lines: null,
};

/** A launch drafted a plan. The terminal or window that asked for the plan shows what becomes of it. */
export const plannerEndLine = terminal`What it answered becomes a DRAFT, or goes back to it with what was found. Nothing runs before a person approves it.`;

/** A session of the runtime orchestrator decides about a task; whether that counts is decided elsewhere. */
export const orchestratorEndLine = terminal`What it decided counts if nothing in the workspace was changed meanwhile: Mission Control and \`mission status\` say what became of it.`;

/** The end of a run. The last line says how the worker ended and carries the hint. */
export function endLines(
  end: Extract<LaunchStanding, { readonly kind: 'ended' | 'revoked' }>,
  runDir: string,
  hint: TerminalText = terminal``,
): readonly TerminalText[] {
  if (end.kind === 'revoked') return [terminal`The launch was revoked: nothing was started.${hint}`];
  const { exit } = end;
  const stopped = exit.reason === 'stop_requested' ? exit.error : null;
  const lines = [
    terminal`Ended after ${durationText(Date.parse(exit.ended_at) - Date.parse(exit.started_at))}: ${stopped ? short(stopped) : `${reasonWords[exit.reason]}.`}`,
  ];
  if (exit.error !== null && exit.error !== stopped) lines.push(terminal`${short(exit.error)}`);
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
      ? terminal`Worker ended by ${signalWords(exit.signal)}.${hint}`
      : exit.exit_code === null
        ? terminal`Worker ended without an exit code.${hint}`
        : terminal`Worker exited with code ${codeWords(exit.exit_code)}.${hint}`,
  );
  return lines;
}

/** Returns what became of the task, including verification, and a person's next steps if it waits for one. */
export function outcomeLines(outcome: TaskOutcome): readonly TerminalText[] {
  const sentence = taskSentence(outcome);
  return [
    terminal`${limited(/[.!?]$/.test(sentence) ? sentence : `${sentence}.`, 2000)}`,
    ...stepLines(outcome.next ?? []),
  ];
}

/** Shown until the task is decided. @param owned a process runs missions in this workspace */
export function undecidedLine(forMs: number, owned: boolean): TerminalText {
  return owned
    ? terminal`Not decided yet: being verified, for ${durationText(forMs)}`
    : terminal`Not decided yet, because no process runs this mission now.`;
}

/** Says how to continue a mission that no owner runs. */
export function resumeLines(missionId: string): readonly TerminalText[] {
  return stepLines(stepTexts([{ command: 'resume', args: { mission: missionId } }]));
}

/** Lists commands of the palette first, because they are at hand where a terminal of VS Code shows this. */
function stepLines(steps: NonNullable<TaskOutcome['next']>): readonly TerminalText[] {
  const palette = paletteSentence(steps.map(({ title }) => title));
  if (palette === null) return [];
  return [
    terminal`What you can do: ${palette} in the command palette. On the command line:`,
    ...steps.map(({ line }) => terminal`  ${short(line)}`),
  ];
}

const reasonWords: { readonly [R in ExitRecord['reason']]: string } = {
  exited: 'the worker ended by itself',
  deadline: 'its time was over',
  stop_requested: 'it was stopped',
  resource_limit: 'its processes took more than they may',
  log_failed: 'its output could not be recorded',
  spawn_failed: 'it could not be started',
  expired: 'the launch ticket had expired, nothing was started',
  revoked: 'the launch was revoked, nothing was started',
  supervisor_lost: 'its supervisor died',
  run_dir_gone: 'its run directory was removed or moved away',
};
