import {
  launchTicketSchema,
  runFiles,
  type LaunchTicket,
  type TaskOutcome,
  type ExitRecord,
} from '../contracts/launch';
import {
  createSignalTail,
  readRunFile,
  watchRun,
  readChange,
  readLiveFacts,
  readOutcome,
  launchStanding,
  type LaunchStanding,
} from '../adapters/launches/files';
import { terminal, type TerminalText } from '../base/text/marked/terminal';
import { createScreen, type Screen } from './screen';
import { launchChangeLines } from '../core/view/events/eventLine';
import { signalLine, short, waitsText } from '../core/view/mission/signalLine';
import path from 'node:path';
import { isOwned } from '../adapters/state/lease';
import { stateFolderOf } from '../adapters/state/folder';
import { durationText, liveText, type LiveWorkerView } from '../contracts/page/liveView';
import { codeWords, signalWords } from '../base/text/endWords';
import { limited } from '../base/text/oneLine';
import { paletteSentence, stepTexts } from '../base/text/steps';
import { taskSentence } from '../base/text/words';
import type { LiveFacts } from '../core/view/mission/missionView';

/** Milliseconds that a run without supervisor is watched; a living owner concludes it sooner. */
const patienceMs = 10_000;

/**
 * Shows the signals and the end of a run, even of one that has ended. Starts and stops nothing: Ctrl+C and a hang-up
 * leave the worker alone. `hold` keeps a terminal open until Enter is pressed, and shows there what became of the task.
 * Returns the exit code: 0, or 1 when there is no run.
 */
export async function viewRun(runDir: string, options: { readonly hold: boolean }): Promise<number> {
  const screen = createScreen(process.stdout);
  const keys = terminalKeys(screen);
  const hold = options.hold && process.stdin.isTTY;
  try {
    const end = await showRun(runDir, screen);
    if (end.kind === 'closed') return 0;
    const closing = hold ? keys.closing() : null;
    const hint = closing === null ? terminal`` : terminal` Press Enter to close this terminal.`;
    if (end.kind === 'void') screen.line(terminal`Nothing to show: ${end.reason}.${hint}`);
    else if (end.kind === 'lost')
      screen.line(
        terminal`The supervisor of this run is gone. Mission Control settles the run when the mission is opened.${hint}`,
      );
    else for (const line of endLines(end, runDir, hint)) screen.line(line);
    const launchId = end.kind === 'ended' ? end.exit.launch_id : end.kind === 'void' ? null : end.ticket?.launch_id;
    const role = end.kind === 'void' ? undefined : (await ticketOf(runDir, end))?.role;
    if (role !== undefined) screen.line(role === 'planner' ? plannerEndLine : orchestratorEndLine);
    else if (typeof launchId === 'string') {
      if (closing !== null) await followOutcome(runDir, launchId, screen, closing);
      else {
        const outcome = await readOutcome(runDir, launchId);
        for (const line of outcome === null ? [] : outcomeLines(outcome)) screen.line(line);
      }
    }
    await screen.end();
    if (!screen.closed()) await closing;
    return end.kind === 'void' ? 1 : 0;
  } finally {
    await screen.end();
  }
}

type End =
  | Extract<LaunchStanding, { readonly kind: 'ended' | 'revoked' | 'lost' | 'void' }>
  /** The terminal or pipe was closed. */
  | { readonly kind: 'closed' };

/** Shows signals and status until the run has ended or the screen is closed. */
async function showRun(runDir: string, screen: Screen): Promise<End> {
  const tail = createSignalTail(runDir);
  const watch = watchRun(runDir, Object.values(runFiles));
  let header = false;
  let changeRead = false;
  let lostSince: number | null = null;
  try {
    while (!screen.closed()) {
      const standing = await launchStanding(runDir);
      if (standing.kind === 'void') return standing;
      const signals = await tail.next();
      if (!header) {
        const ticket = await ticketOf(runDir, standing);
        if (ticket !== null) screen.line(headerLine(ticket));
        header = ticket !== null;
      }
      if (header && !changeRead && standing.kind !== 'waiting') {
        changeRead = true;
        for (const line of await changeLines(runDir, standing)) screen.line(line);
      }
      for (const signal of signals) {
        const line = signalLine(signal);
        if (line !== null) screen.line(line, 'cut');
      }
      if (standing.kind === 'ended' || standing.kind === 'revoked') {
        screen.status(terminal``);
        return standing;
      }
      if (standing.kind === 'lost') {
        lostSince ??= performance.now();
        if (performance.now() - lostSince > patienceMs) return standing;
      }
      screen.status(statusLine(standing, await readLiveFacts(runDir), new Date().toISOString()));
      await screen.flush();
      await watch.changed();
    }
    return { kind: 'closed' };
  } finally {
    watch.dispose();
  }
}

async function ticketOf(runDir: string, standing: LaunchStanding): Promise<LaunchTicket | null> {
  if ('ticket' in standing && standing.ticket !== null) return standing.ticket;
  const ticket = await readRunFile(runDir, runFiles.claimed, launchTicketSchema);
  return ticket.kind === 'ok' ? ticket.value : null;
}

/**
 * Returns the lines about the changed launch line. The owner writes them before the start, so they are there once the
 * ticket was taken.
 */
async function changeLines(runDir: string, standing: LaunchStanding): Promise<readonly TerminalText[]> {
  const ticket = await ticketOf(runDir, standing);
  const change = ticket && (await readChange(runDir, ticket.launch_id));
  return change ? launchChangeLines(change).map((line) => terminal`${line}`) : [];
}

/** Handles the terminal's keys and signals: they close the view, but only after the run has ended. */
function terminalKeys(screen: Screen) {
  let close: (() => void) | null = null;
  process.on('SIGINT', () => {
    if (close === null)
      screen.line(
        terminal`The worker goes on. Close this terminal to stop looking; use Stop Worker or \`mission stop\` to stop it.`,
      );
    else close();
  });
  process.on('SIGHUP', () => close?.());
  return {
    /** Resolves at the next Enter, Ctrl+C or hang-up. */
    closing: () =>
      new Promise<void>((resolve) => {
        close = resolve;
        for (const event of ['data', 'end', 'close', 'error']) process.stdin.once(event, () => resolve());
        process.stdin.resume();
      }),
  };
}

/** Milliseconds that an answer to "does a process run missions here?" is used. */
const ownerEveryMs = 5000;
/** Milliseconds between looks once an outcome is shown, because it changes only when a person decides about a block. */
const patientMs = 10_000;

/**
 * Follows a task after the worker's end. Shows that it is not decided yet, then what became of it. Also shows each
 * change of that (a blocked task is canceled). Resolves when the outcome is final or the view is closed.
 */
async function followOutcome(runDir: string, launchId: string, screen: Screen, closing: Promise<void>): Promise<void> {
  const began = performance.now();
  const closed = closing.then(() => true);
  const owner = ownerLook(stateFolderOf(path.resolve(runDir, '../../../../..')).leaseDb);
  const missionId = path.basename(path.resolve(runDir, '../..'));
  let watch = watchRun(runDir, [runFiles.outcome]);
  let shown = '';
  let deserted = false;
  try {
    for (;;) {
      const outcome = await readOutcome(runDir, launchId);
      const lines = outcome === null ? [] : outcomeLines(outcome);
      const text = lines.join('\n');
      if (outcome === null) {
        const owned = await owner();
        if (!owned && !deserted) for (const line of resumeLines(missionId)) screen.line(line);
        deserted = !owned;
        if (shown === '') screen.status(undecidedLine(performance.now() - began, owned));
      } else if (text !== shown) {
        for (const line of lines) screen.line(line);
        screen.status(terminal``);
        if (shown === '') {
          watch.dispose();
          watch = watchRun(runDir, [runFiles.outcome], patientMs);
        }
        shown = text;
      }
      await screen.flush();
      if (screen.closed() || (outcome !== null && isFinal(outcome))) return;
      if (await Promise.race([closed, watch.changed().then(() => false)])) return;
    }
  } finally {
    watch.dispose();
  }
}

function isFinal({ status }: TaskOutcome): boolean {
  return status === 'done' || status === 'failed' || status === 'canceled';
}

/** Says whether a process held the lease within the last `ownerEveryMs`. */
function ownerLook(file: string): () => Promise<boolean> {
  let last: { readonly at: number; readonly owned: boolean } | null = null;
  return async () => {
    if (last === null || performance.now() - last.at > ownerEveryMs)
      last = { at: performance.now(), owned: await isOwned(file) };
    return last.owned;
  };
}

export function headerLine(ticket: LaunchTicket): TerminalText {
  const model = ticket.model === undefined || ticket.model === null ? '' : `, model ${ticket.model}`;
  if (ticket.role === 'planner') return terminal`Draft of a plan: ${ticket.worker}${model}`;
  return terminal`Mission ${ticket.mission_id}, task ${ticket.task_id}: ${ticket.role === 'orchestrator' ? 'orchestrator ' : ''}${ticket.worker}${model}`;
}

/** @param now ISO-8601 */
function statusLine(standing: LaunchStanding, live: LiveFacts | null, now: string): TerminalText {
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
const plannerEndLine = terminal`What it answered becomes a DRAFT, or goes back to it with what was found. Nothing runs before a person approves it.`;

/** A session of the runtime orchestrator decides about a task; whether that counts is decided elsewhere. */
const orchestratorEndLine = terminal`What it decided counts if nothing in the workspace was changed meanwhile: Mission Control and \`mission status\` say what became of it.`;

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
function outcomeLines(outcome: TaskOutcome): readonly TerminalText[] {
  const sentence = taskSentence(outcome);
  return [
    terminal`${limited(/[.!?]$/.test(sentence) ? sentence : `${sentence}.`, 2000)}`,
    ...stepLines(outcome.next ?? []),
  ];
}

/** Shown until the task is decided. @param owned a process runs missions in this workspace */
function undecidedLine(forMs: number, owned: boolean): TerminalText {
  return owned
    ? terminal`Not decided yet: being verified, for ${durationText(forMs)}`
    : terminal`Not decided yet, because no process runs this mission now.`;
}

/** Says how to continue a mission that no owner runs. */
function resumeLines(missionId: string): readonly TerminalText[] {
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
