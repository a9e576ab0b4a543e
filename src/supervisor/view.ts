import { launchTicketSchema, runFiles, type LaunchTicket } from '../contracts/launch';
import { createSignalTail, readRunFile, watchRun } from '../adapters/launches/files';
import { readChange } from '../adapters/launches/change';
import { readOutcome } from '../adapters/launches/outcome';
import { readLiveFacts } from '../adapters/launches/liveFacts';
import { launchStanding, type LaunchStanding } from '../adapters/launches/runState';
import { terminal, type TerminalText } from '../base/text/marked/terminal';
import { createScreen, type Screen } from './screen';
import { launchChangeLines } from '../core/view/events/eventLine';
import { signalLine } from '../core/view/mission/signalLine';
import { endLines, headerLine, orchestratorEndLine, plannerEndLine, outcomeLines, statusLine } from './viewLines';
import { followOutcome } from './viewOutcome';

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
function terminalKeys(screen: Screen): {
  /** Resolves at the next Enter, Ctrl+C or hang-up. */
  closing(): Promise<void>;
} {
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
    closing: () =>
      new Promise<void>((resolve) => {
        close = resolve;
        for (const event of ['data', 'end', 'close', 'error']) process.stdin.once(event, () => resolve());
        process.stdin.resume();
      }),
  };
}
