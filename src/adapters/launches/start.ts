import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { runFiles, type LaunchTicket } from '../../contracts/launch';
import type { KnownLaunch, LaunchStart } from '../../engine/ports/launches';
import { supervisorEnvironment, workerEnvironment } from './environment';
import { concludeLost, concludeUnstarted, endTree, revokeTicket } from './conclude';
import { concludeVoid, lastWord, unreadable } from './wait';
import { watchRun } from './files';
import { launchStanding } from './standing';
import type { NodeFile } from '../user/node';
import { errorMessage } from '../../base/outcome';
import { endOf, type SpareSupervisor, type StartedSupervisor } from './spare';
import type { SupervisorFile } from '../user/supervisorCopy';

/** How the owner starts supervisors. */
export interface SupervisorProgram {
  readonly supervisor: SupervisorFile;
  /** The owner's environment, from which the worker gets what its ticket names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What agent CLIs around us set about their own sessions (`AgentWorker.sessionVariables` of all of them). */
  readonly sessionVariables: readonly string[];
  /** What runs it: Node, or Electron that is told to be Node. Default: what runs this. */
  readonly node?: NodeFile;
  /** Started ahead, for the next launch. */
  readonly spare?: SpareSupervisor | null;
  /** How late a supervisor may be before it is ended with its worker, milliseconds. Default: 30,000. */
  readonly overdueMs?: number;
}

/** Starts a supervisor for an unclaimed ticket; attaches to a claimed one. Idempotent, also between processes. */
export async function startLaunch(
  runDir: string,
  known: KnownLaunch,
  program: SupervisorProgram,
): Promise<LaunchStart> {
  const watch = watchRun(runDir, [runFiles.process, runFiles.exit, runFiles.claimed], 500);
  const look: Look = { child: null, silentSince: null };
  let failures = 0;
  try {
    for (;;) {
      try {
        const found = await startOrAttach(runDir, known, program, look);
        if (found !== null) return found;
        failures = 0;
      } catch (error) {
        // Refused only where it is certain that nobody has the ticket: a worker that may run is never left alone.
        const words = `The supervisor cannot be started: ${errorMessage(error)}`;
        if (await revokeTicket(runDir).catch(() => false)) return refusedStart(words);
        failures += 1;
        if (failures === patience) return { kind: 'ended', exit: unreadable(known, error) };
      }
      await watch.changed();
    }
  } finally {
    watch.dispose();
  }
}

/** What one start remembers between its looks. */
interface Look {
  child: StartedSupervisor | null;
  /** Since when a supervisor is there and has started no worker. */
  silentSince: number | null;
}

/** Looks in a row that may fail, half a second apart. */
const patience = 10;

/** One look at the run: null where it is to be looked at again. */
async function startOrAttach(
  runDir: string,
  known: KnownLaunch,
  program: SupervisorProgram,
  look: Look,
): Promise<LaunchStart | null> {
  const standing = await launchStanding(runDir, known);
  switch (standing.kind) {
    case 'ended': {
      const exit = await lastWord(runDir, known, standing.exit, standing.process, false);
      if (exit !== null) return { kind: 'ended', exit };
      // A record beside a supervisor that lives is not its own.
      return standing.process?.worker ? { kind: 'running', process: standing.process } : null;
    }
    case 'running':
      if (standing.process.worker !== null) return { kind: 'running', process: standing.process };
      look.silentSince ??= performance.now();
      if (performance.now() - look.silentSince > (program.overdueMs ?? 30_000))
        await endTree(known, standing.process, { supervisorToo: true });
      return null;
    case 'lost':
      return { kind: 'ended', exit: await concludeLost(runDir, known, standing) };
    case 'revoked':
      return refusedStart('The launch ticket was revoked.');
    case 'void': {
      const exit = await concludeVoid(known, standing.reason);
      return exit.reason === 'spawn_failed' ? refusedStart(standing.reason) : { kind: 'ended', exit };
    }
    case 'claimed':
      return null;
    case 'waiting':
      return claimWaiting(runDir, standing.ticket, program, look);
  }
}

async function claimWaiting(
  runDir: string,
  ticket: LaunchTicket,
  program: SupervisorProgram,
  look: Look,
): Promise<LaunchStart | null> {
  if (Date.parse(ticket.expires_at) <= Date.now()) {
    if (!(await revokeTicket(runDir))) return null;
    await concludeUnstarted(runDir, ticket, 'expired');
    return refusedStart('The launch ticket has expired.');
  }
  const end = look.child === null ? null : look.child.end();
  if (look.child === null) look.child = await startSupervisor(runDir, ticket, program);
  // A spare that died while it waited has claimed nothing.
  else if (look.child.spare && end !== null)
    look.child = await startSupervisor(runDir, ticket, { ...program, spare: null });
  else if (end !== null && (await revokeTicket(runDir))) {
    await concludeUnstarted(runDir, ticket, 'revoked');
    return refusedStart(
      `The supervisor ended before it started the worker (${end}); what it said is in ${runFiles.supervisorLog} of the run directory.`,
    );
  }
  return null;
}

/** What an integrated terminal runs to show a launch; it starts nothing. */
export function viewCommand(
  runDir: string,
  supervisor: string,
): { readonly file: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const electron = process.versions['electron'] !== undefined;
  return {
    file: process.execPath,
    args: [supervisor, 'view', runDir],
    env: electron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
  };
}

async function startSupervisor(
  runDir: string,
  ticket: LaunchTicket,
  program: SupervisorProgram,
): Promise<StartedSupervisor> {
  const { values } = workerEnvironment(
    { kind: ticket.worker, names: ticket.env_names, sessionVariables: program.sessionVariables },
    program.environment,
  );
  const environment = supervisorEnvironment(program.environment, values, process.versions['electron'] !== undefined);
  const spare = program.spare?.take({ run_dir: runDir, environment });
  if (spare) return spare;
  const file = await program.supervisor();
  const node = (await program.node?.()) ?? process.execPath;
  const log = await open(path.join(runDir, runFiles.supervisorLog), 'a', 0o600);
  try {
    const child = spawn(node, [file, 'own', runDir], {
      cwd: runDir,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', log.fd],
      env: environment,
    });
    return { spare: false, end: endOf(child) };
  } finally {
    await log.close();
  }
}

function refusedStart(reason: string): LaunchStart {
  return { kind: 'refused', reason };
}
