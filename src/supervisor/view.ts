import { launchTicketSchema, runFiles } from '../contracts/launch';
import type { ExitRecord, LaunchTicket } from '../contracts/launch';
import { createSignalTail, readRunFile, watchRun } from '../adapters/launchFiles';
import { readLiveFacts } from '../adapters/liveFacts';
import { launchStanding } from '../adapters/launchStanding';
import type { LaunchStanding } from '../adapters/launchStanding';
import { terminal } from '../core/text/terminal';
import { createScreen } from './screen';
import type { Screen } from './screen';
import { signalLine } from '../core/text/signalLine';
import { endLines, headerLine, statusLine } from './viewLines';

/** An owner that lives notices a dead supervisor sooner; without one there is nothing to wait for. */
const patienceMs = 10_000;

/**
 * Shows a run while it lives and how it ended; attached to a finished run it shows its signals and its end. Starts
 * and stops nothing: Ctrl+C and a hang-up leave the worker alone. `hold` keeps a terminal open at the end until
 * Enter is pressed. Answers with the exit code: 0, or 1 when there is no run.
 */
export async function viewRun(runDir: string, options: { readonly hold: boolean }): Promise<number> {
  const screen = createScreen(process.stdout);
  const held = holdSignals(screen);
  const tail = createSignalTail(runDir);
  const watch = watchRun(runDir, Object.values(runFiles));
  let header = false;
  let lostSince: number | null = null;
  try {
    while (!screen.closed()) {
      const standing = await launchStanding(runDir);
      if (standing.kind === 'void') {
        screen.line(terminal`Nothing to show: ${standing.reason}.`);
        return 1;
      }
      const signals = await tail.next();
      if (!header) {
        const ticket = await ticketOf(runDir, standing);
        if (ticket !== null) screen.line(headerLine(ticket));
        header = ticket !== null;
      }
      for (const signal of signals) {
        const line = signalLine(signal);
        if (line !== null) screen.line(line);
      }
      if (standing.kind === 'ended' || standing.kind === 'revoked') {
        showEnd(screen, runDir, standing.kind === 'ended' ? standing.exit : null);
        return 0;
      }
      if (standing.kind === 'lost') {
        lostSince ??= performance.now();
        if (performance.now() - lostSince > patienceMs) {
          screen.line(
            terminal`The supervisor of this run is gone. Mission Control settles the run when the mission is opened.`,
          );
          return 0;
        }
      }
      screen.status(statusLine(standing, await readLiveFacts(runDir), new Date().toISOString()));
      await screen.flush();
      await watch.changed();
    }
    return 0;
  } finally {
    watch.dispose();
    await screen.end();
    if (options.hold && !screen.closed()) await held.untilDismissed();
  }
}

function showEnd(screen: Screen, runDir: string, exit: ExitRecord | null): void {
  screen.status(terminal``);
  for (const line of endLines(exit, runDir)) screen.line(line);
}

async function ticketOf(runDir: string, standing: LaunchStanding): Promise<LaunchTicket | null> {
  if ('ticket' in standing && standing.ticket !== null) return standing.ticket;
  const ticket = await readRunFile(runDir, runFiles.claimed, launchTicketSchema);
  return ticket.kind === 'ok' ? ticket.value : null;
}

/** The signals of a terminal: while the run lives they end nothing, afterwards they close the view. */
function holdSignals(screen: Screen): { untilDismissed(): Promise<void> } {
  let dismiss: (() => void) | null = null;
  process.on('SIGINT', () => {
    if (dismiss === null)
      screen.line(
        terminal`The worker goes on. Close this terminal to stop looking; use Stop Worker or \`mission stop\` to stop it.`,
      );
    else dismiss();
  });
  process.on('SIGHUP', () => dismiss?.());
  return {
    async untilDismissed() {
      if (!process.stdin.isTTY) return;
      screen.prompt(terminal`Press Enter to close.`);
      await new Promise<void>((resolve) => {
        dismiss = resolve;
        for (const event of ['data', 'end', 'close', 'error']) process.stdin.once(event, () => resolve());
        process.stdin.resume();
      });
    },
  };
}
