import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runFiles, type LaunchTicket } from '../../contracts/launch';
import type { JournalledLaunch, LaunchStart } from '../../engine/ports/launches';
import { supervisorEnvironment, workerEnvironment } from './environment';
import { concludeLost, concludeUnstarted, endTree, revokeTicket } from './conclude';
import { concludeVoid, lastWord, unreadable } from './wait';
import { watchRun, launchStanding } from './files';
import type { NodeFile, SupervisorFile } from '../user/programCopy';
import { errorWords, type Refusal } from '../../base/outcome';
import { asNode } from '../system/ownProgram';
import { endOf, type SpareSupervisor, type StartedSupervisor } from './spare';

export interface SupervisorProgram {
  readonly supervisor: SupervisorFile;
  /** The owner's environment; the worker gets the variables that its ticket names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables that agent CLIs set for their own sessions (`AgentWorker.sessionVariables` of all of them). */
  readonly sessionVariables: readonly string[];
  /** The Node, or Electron running as Node, that runs it. Default: the one that runs this process. */
  readonly node?: NodeFile;
  /** A supervisor started in advance for the next launch. */
  readonly spare?: SpareSupervisor | null;
  /** Says why this user starts nothing now. Absent: this caller asks no such hold. */
  readonly startsHeld?: () => Promise<Refusal | null>;
  /** Variables of one launch with their values, in addition to those that its ticket names. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Milliseconds that a supervisor may be late before it is ended with its worker; default 30,000. */
  readonly overdueMs?: number;
}

/** Starts a supervisor for a ticket, or attaches to the one that took it. Idempotent across processes. */
export async function startLaunch(
  runDir: string,
  known: JournalledLaunch,
  program: SupervisorProgram,
): Promise<LaunchStart> {
  const watch = watchRun(runDir, [runFiles.process, runFiles.exit, runFiles.claimed], 500);
  const look: Look = { child: null, silentSince: null };
  let failures = 0;
  try {
    for (;;) {
      try {
        const found = await startOrAttach(runDir, known, program, look);
        if (found?.kind === 'running') return found;
        if (found !== null) {
          await leavesSoon(look.child);
          return found;
        }
        failures = 0;
      } catch (error) {
        // Refuses only if no supervisor can have the ticket, because a worker that may run is never left alone.
        const sentence = `The supervisor cannot be started: ${errorWords(error)}`;
        if (await revokeTicket(runDir).catch(() => false)) return refusedStart(sentence);
        failures += 1;
        if (failures === patience) return { kind: 'ended', exit: unreadable(known, error) };
      }
      await watch.changed();
    }
  } finally {
    watch.dispose();
  }
}

interface Look {
  child: StartedSupervisor | null;
  /** The time since which a supervisor runs without a worker; `performance.now()`. */
  silentSince: number | null;
}

/** Failed looks in a row, half a second apart, before it gives up. */
const patience = 10;

/** Waits for a supervisor that comes too late for its ticket, because the caller may remove the run directory. */
async function leavesSoon(child: StartedSupervisor | null): Promise<void> {
  const began = performance.now();
  while (child?.end() === null && performance.now() - began < 5000) await sleep(5);
}

/** Looks at the run once; null: look again. */
async function startOrAttach(
  runDir: string,
  known: JournalledLaunch,
  program: SupervisorProgram,
  look: Look,
): Promise<LaunchStart | null> {
  const standing = await launchStanding(runDir, known);
  switch (standing.kind) {
    case 'ended': {
      const exit = await lastWord(runDir, known, standing.exit, standing.process, false);
      if (exit !== null) return { kind: 'ended', exit };
      // An exit record beside a living supervisor is not that supervisor's.
      return standing.process?.worker ? { kind: 'running', process: standing.process } : null;
    }
    case 'running':
      if (standing.process.worker !== null) return { kind: 'running', process: standing.process };
      if (isOverdue(look, program)) await endTree(known, standing.process, { supervisorToo: true });
      return null;
    case 'lost':
      return { kind: 'ended', exit: await concludeLost(runDir, known, standing) };
    case 'revoked':
      return refusedStart('The launch ticket was revoked.');
    case 'void': {
      const exit = await concludeVoid(known, standing.reason);
      return exit.reason === 'spawn_failed' ? refusedStart(standing.reason) : { kind: 'ended', exit };
    }
    case 'taken':
      if (standing.claimant !== null && isOverdue(look, program))
        await endTree(known, null, { claimant: standing.claimant });
      return null;
    case 'waiting':
      return startWaiting(runDir, standing.ticket, program, look);
  }
}

/** Counts from the first look that found no worker. Time in which the machine sleeps is no delay. */
function isOverdue(look: Look, program: SupervisorProgram): boolean {
  look.silentSince ??= performance.now();
  return performance.now() - look.silentSince > (program.overdueMs ?? 30_000);
}

async function startWaiting(
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
  // Asked right before the start, because a stop of everything first holds starts and then looks for tickets.
  const hold = look.child === null ? await program.startsHeld?.() : null;
  if (hold) {
    if (!(await revokeTicket(runDir))) return null;
    await concludeUnstarted(runDir, ticket, 'revoked');
    return refusedStart(hold.reason);
  }
  const end = look.child === null ? null : look.child.end();
  if (look.child === null) look.child = await startSupervisor(runDir, ticket, program);
  // A spare that died while it waited has not taken the ticket.
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

/** The command that shows a launch in an integrated terminal; it starts no worker. */
export function viewCommand(
  runDir: string,
  supervisor: string,
): { readonly file: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  return { file: process.execPath, args: [supervisor, 'view', runDir], env: asNode };
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
  const carried = { ...values, ...program.secrets };
  const environment = supervisorEnvironment(program.environment, carried);
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
