import { rm } from 'node:fs/promises';
import path from 'node:path';
import { runFiles, type LaunchTicket } from '../contracts/launch';
import { startFault } from '../adapters/processes/startFault';
import { withoutVanished } from '../adapters/sandbox/bubblewrap/dropMissingMounts';
import { redactText, type Secrets } from '../adapters/system/redact';
import { createRecorder, type Recorder } from './recorder';
import { startWorker, type WorkerProcess, type WorkerStart } from './workerProcess';

export type RecordedStart =
  | {
      readonly kind: 'started';
      readonly worker: WorkerProcess;
      readonly recorder: Recorder;
      /** Resolves when both pipes have ended. */
      readonly recorded: Promise<void>;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Starts the worker and records its output. Builds a sandbox anew if it failed because a socket
 * vanished. Leaves no trace in the log, because nothing has run in it.
 */
export async function startRecorded(
  start: Omit<WorkerStart, 'onSpawned'>,
  secrets: Secrets,
  onSpawned: () => void,
): Promise<RecordedStart> {
  const { runDir, ticket } = start;
  for (let left = mostSandboxes - 1; ; left -= 1) {
    const standing = withoutVanishedSockets(ticket);
    const recorder = await createRecorder(runDir, ticket, secrets);
    let recorded = Promise.resolve();
    const started = await startWorker({
      ...start,
      ticket: standing,
      onSpawned(stdout, stderr) {
        onSpawned();
        recorded = recorder.follow(stdout, stderr);
      },
    });
    if (started.kind === 'started') return { ...started, recorder, recorded };
    const { stderrTail } = await recorder.finish(recorded, 3000);
    const changed = wordsOf(withoutVanishedSockets(ticket)) < wordsOf(standing);
    if (!changed || !started.saidWhy || left === 0 || start.stop.aborted) {
      const why = started.saidWhy ? await whyOf(start, stderrTail) : '';
      return { kind: 'failed', reason: redactText(started.reason + why, secrets).text };
    }
    for (const file of [runFiles.stdout, runFiles.stderr, runFiles.signals]) await rm(path.join(runDir, file));
  }
}

/** Looks at the worker's own program where the sandbox says that it could not execute it. */
async function whyOf(
  { ticket, environment }: Pick<WorkerStart, 'ticket' | 'environment'>,
  said: string,
): Promise<string> {
  if (said === '') return 'its sandbox ended without a word';
  const fault = /\bexecvp\b/.test(said) ? await startFault(ticket.argv[0] ?? '', ticket.cwd, environment) : null;
  return fault ?? said;
}

/** Attempts, because sockets come and go all the time where many programs run. */
const mostSandboxes = 20;

function withoutVanishedSockets(ticket: LaunchTicket): LaunchTicket {
  const { sandbox } = ticket;
  if (sandbox?.means !== 'bubblewrap') return ticket;
  return { ...ticket, sandbox: { ...sandbox, argv: withoutVanished(sandbox.argv) } };
}

function wordsOf({ sandbox }: LaunchTicket): number {
  return sandbox?.argv.length ?? 0;
}
