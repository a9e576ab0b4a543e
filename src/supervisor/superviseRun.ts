import { unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runFiles } from '../contracts/launch';
import { concludeUnstarted, namesOf, unobservedExit } from '../adapters/launches/conclude';
import { removeLayers } from '../adapters/sandbox/layers/keepLayers';
import { errorMessage } from '../base/outcome';
import { identityOf } from '../adapters/processes/table';
import { leaveExitRecord } from './exitFile';
import { superviseWorker, type SupervisedRun } from './supervise';
import { takeTicket } from './takeTicket';
import { terminal } from '../base/text/marked/terminal';
import { complain } from './screen';

/** Bytes reserved on the disk, so that exit.json can be written even if it is full. */
const reservedBytes = 512 * 1024;

/**
 * Owns one run, from taking its ticket to exit.json. SIGTERM is a stop request. Returns the program's exit code, which
 * is 0 even if there was no ticket to take.
 */
export async function ownRun(runDir: string): Promise<number> {
  ignoreTerminal();
  const stop = new AbortController();
  process.on('SIGTERM', () => stop.abort());

  const supervisor = await identityOf(process.pid);
  if (supervisor === null) throw new Error('cannot read the identity of this very process');
  const taken = await takeTicket(runDir, supervisor);
  switch (taken.kind) {
    case 'lost':
      complain(terminal`No launch ticket to claim here: nothing was started.`);
      return 0;
    case 'expired':
      await concludeUnstarted(runDir, taken.ticket, 'expired');
      complain(terminal`The launch ticket has expired: nothing was started.`);
      return 0;
    case 'invalid':
      await leaveExitRecord(
        runDir,
        unobservedExit(namesOf(null, null), 'spawn_failed', `The launch ticket is not valid: ${taken.reason}`),
      );
      complain(terminal`The launch ticket is not valid: ${taken.reason}`);
      return 0;
    case 'won':
      return own({ runDir, ticket: taken.ticket, supervisor }, stop.signal);
  }
}

/** Ignores the terminal's signals, because a supervisor outlives a closed terminal and its interrupt key. */
export function ignoreTerminal(): void {
  for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => undefined);
}

async function own(run: SupervisedRun, stop: AbortSignal): Promise<number> {
  const { runDir, ticket } = run;
  const worker = { started: false };
  try {
    await writeFile(path.join(runDir, runFiles.reserve), Buffer.alloc(reservedBytes, 1), { mode: 0o600, flag: 'wx' });
    const record = await superviseWorker(run, stop, () => (worker.started = true));
    if (record !== null) await leaveExitRecord(runDir, record);
    else await unlink(path.join(runDir, runFiles.reserve));
    // Afterwards, because an owner reads the layers of a launch that has no record.
    const { layers } = ticket.sandbox ?? {};
    if (layers) await removeLayers(layers, layers.tree?.goes_on === true && record?.exit_code === 0);
    return 0;
  } catch (error) {
    // Records no end, because a started worker may still run: the owner finds this supervisor dead and ends the tree.
    if (worker.started) throw error;
    await leaveExitRecord(
      runDir,
      unobservedExit(namesOf(ticket, null), 'spawn_failed', `The run could not be set up: ${errorMessage(error)}`),
    );
    return 1;
  }
}
