import { spawn } from 'node:child_process';
import { open, readFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { runFiles } from '../contracts/launch';
import type { LaunchTicket } from '../contracts/launch';
import type { LaunchStart } from '../engine/ports';
import { writeFileAtomic } from './atomicFile';
import { supervisorEnvironment, workerEnvironment } from './environment';
import { concludeLost, concludeUnstarted, revokeTicket } from './launchConclusion';
import { watchRun } from './launchFiles';
import { launchStanding } from './launchStanding';
import { errorCode, errorMessage } from './outcome';
import { endOf } from './spareSupervisor';
import type { SpareSupervisor, StartedSupervisor } from './spareSupervisor';

/** How the owner starts supervisors. */
export interface SupervisorProgram {
  /** The built `supervisor.js` of this installation. */
  readonly supervisorFile: string;
  /** Folder of this version's copy, `.mission-control/bin/<version>`: an update in mid-mission harms nothing. */
  readonly binDir: string;
  /** The owner's environment, from which the worker gets what its ticket names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Node, or Electron that is told to be Node. Default: what runs this. */
  readonly execPath?: string;
  /** Started ahead, for the next launch. */
  readonly spare?: SpareSupervisor | null;
}

/** Starts a supervisor for an unclaimed ticket; attaches to a claimed one. Idempotent, also between processes. */
export async function startLaunch(runDir: string, program: SupervisorProgram): Promise<LaunchStart> {
  const watch = watchRun(runDir, [runFiles.process, runFiles.exit, runFiles.claimed], 500);
  let child: StartedSupervisor | null = null;
  try {
    for (;;) {
      const standing = await launchStanding(runDir);
      switch (standing.kind) {
        case 'ended':
          return { kind: 'ended', exit: standing.exit };
        case 'running':
          if (standing.process.worker !== null) return { kind: 'running', process: standing.process };
          break;
        case 'lost':
          await concludeLost(runDir, standing);
          continue;
        case 'revoked':
          return refusedStart('The launch ticket was revoked.');
        case 'void':
          return refusedStart(standing.reason);
        case 'claimed':
          break;
        case 'waiting':
          if (Date.parse(standing.ticket.expires_at) <= Date.now()) {
            if (!(await revokeTicket(runDir))) continue;
            await concludeUnstarted(runDir, standing.ticket, 'expired');
            return refusedStart('The launch ticket has expired.');
          }
          if (child === null) child = await startSupervisor(runDir, standing.ticket, program);
          // A spare that died while it waited has claimed nothing.
          else if (child.spare && child.end() !== null)
            child = await startSupervisor(runDir, standing.ticket, { ...program, spare: null });
          else if (child.end() !== null && (await revokeTicket(runDir))) {
            await concludeUnstarted(runDir, standing.ticket, 'revoked');
            return refusedStart(
              `The supervisor ended without claiming the ticket (${child.end() ?? ''}). ${await supervisorLog(runDir)}`,
            );
          }
          break;
      }
      await watch.changed();
    }
  } catch (error) {
    return refusedStart(`The supervisor cannot be started: ${errorMessage(error)}`);
  } finally {
    watch.dispose();
  }
}

/** What an integrated terminal runs to show a launch; it starts nothing. */
export function viewCommand(
  runDir: string,
  program: Pick<SupervisorProgram, 'supervisorFile' | 'execPath'>,
): { readonly file: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const electron = process.versions['electron'] !== undefined;
  return {
    file: program.execPath ?? process.execPath,
    args: [program.supervisorFile, 'view', runDir],
    env: electron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
  };
}

async function startSupervisor(
  runDir: string,
  ticket: LaunchTicket,
  program: SupervisorProgram,
): Promise<StartedSupervisor> {
  const { values } = workerEnvironment(ticket.worker, program.environment, ticket.env_names);
  const environment = supervisorEnvironment(program.environment, values, process.versions['electron'] !== undefined);
  const spare = program.spare?.take({ run_dir: runDir, environment });
  if (spare) return spare;
  const file = await keepCopy(program);
  const log = await open(path.join(runDir, runFiles.supervisorLog), 'a', 0o600);
  try {
    const child = spawn(program.execPath ?? process.execPath, [file, 'own', runDir], {
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

/** The copy lies where a worker can write: it is compared with ours before every start. */
async function keepCopy(program: SupervisorProgram): Promise<string> {
  const copy = path.join(program.binDir, 'supervisor.js');
  const wanted = await readFile(program.supervisorFile);
  const present = await readFile(copy).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (present?.equals(wanted) !== true) {
    await mkdir(program.binDir, { recursive: true, mode: 0o700 });
    await writeFileAtomic(copy, wanted);
  }
  return copy;
}

async function supervisorLog(runDir: string): Promise<string> {
  const text = await readFile(path.join(runDir, runFiles.supervisorLog), 'utf8').catch(() => '');
  return text.slice(-2000).trim();
}

function refusedStart(reason: string): LaunchStart {
  return { kind: 'refused', reason };
}
