import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { heartbeatSchema, launchTicketSchema, processRecordSchema, runFiles } from '../contracts/launch';
import type { ExitRecord, LaunchTicket, ProcessRecord } from '../contracts/launch';
import type { Launches, Outcome } from '../engine/ports';
import type { WorkerSignal } from '../workers/worker';
import { createFileAtomic, writeFileAtomic } from './atomicFile';
import { concludeLost, concludeUnstarted, namesOf, revokeTicket, unobservedExit } from './launchConclusion';
import { createSignalTail, readRunFile, watchRun } from './launchFiles';
import { launchStanding } from './launchStanding';
import { startLaunch } from './launchStart';
import type { SupervisorProgram } from './launchStart';
import { done, errorMessage, refused } from './outcome';
import { isAlive } from './processes';

/** Worker processes of one workspace, each known by its run directory alone. See contracts/launch.ts for the files. */
export function createLaunches(program: SupervisorProgram): Launches {
  return {
    prepare: prepareLaunch,
    async start(runDir) {
      const started = await startLaunch(runDir, program);
      if (started.kind === 'running') program.spare?.prepare();
      return started;
    },
    ended: endOfLaunch,
    requestStop,
    async heartbeat(runDir) {
      const beat = await readRunFile(runDir, runFiles.heartbeat, heartbeatSchema);
      return beat.kind === 'ok' ? beat.value : null;
    },
  };
}

/** Records of all runs below `missions/` that have begun and not ended: for `runsInsideWorker`. Some may be dead. */
export async function liveRuns(missionsDir: string): Promise<readonly ProcessRecord[]> {
  const live: ProcessRecord[] = [];
  for (const mission of await namesIn(missionsDir)) {
    const runsDir = path.join(missionsDir, mission, 'runs');
    for (const run of await namesIn(runsDir)) {
      const names = await namesIn(path.join(runsDir, run));
      if (!names.includes(runFiles.process) || names.includes(runFiles.exit)) continue;
      const record = await readRunFile(path.join(runsDir, run), runFiles.process, processRecordSchema);
      if (record.kind === 'ok') live.push(record.value);
    }
  }
  return live;
}

async function prepareLaunch(
  runDir: string,
  prompt: string,
  files: readonly { readonly path: string; readonly content: string }[],
  ticket: LaunchTicket,
): Promise<Outcome<{ readonly prompt_sha256: string }>> {
  const checked = launchTicketSchema.safeParse(ticket);
  if (!checked.success) return refused('COMMAND_INVALID', `The launch ticket is not valid: ${checked.error.message}`);
  const stray = files.find((file) => !staysInside(file.path));
  if (stray !== undefined)
    return refused(
      'COMMAND_INVALID',
      `A file of the launch would leave the run directory or replace one of its own: ${stray.path}`,
    );
  const prepared = done({ prompt_sha256: createHash('sha256').update(prompt).digest('hex').toUpperCase() });
  try {
    await mkdir(runDir, { recursive: true, mode: 0o700 });
    const present = await presentTicket(runDir);
    if (present?.launch_id === ticket.launch_id) return prepared;
    if (present !== null)
      return refused('COMMAND_INVALID', `${runDir} already holds another launch: ${present.launch_id}`);
    for (const file of files) {
      const target = path.join(runDir, ...file.path.split('/'));
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await writeFileAtomic(target, file.content);
    }
    await writeFileAtomic(path.join(runDir, runFiles.prompt), prompt);
    await createFileAtomic(path.join(runDir, runFiles.ticket), `${JSON.stringify(checked.data, null, 2)}\n`);
    return prepared;
  } catch (error) {
    return refused(
      'STATE_STORE_UNWRITABLE',
      `${runDir} cannot be written: ${errorMessage(error)}`,
      'Free space or make the folder writable, then resume.',
    );
  }
}

async function presentTicket(runDir: string): Promise<LaunchTicket | null> {
  for (const name of [runFiles.ticket, runFiles.claimed, runFiles.revoked]) {
    const found = await readRunFile(runDir, name, launchTicketSchema);
    if (found.kind === 'ok') return found.value;
  }
  return null;
}

function staysInside(file: string): boolean {
  const own: readonly string[] = Object.values(runFiles);
  const parts = file.split('/');
  return (
    file !== '' &&
    !/[\\:\0]/.test(file) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..') &&
    !own.includes(file.toLowerCase())
  );
}

/** Stop before the start means: never start. */
async function requestStop(runDir: string, reason: string): Promise<void> {
  const standing = await launchStanding(runDir);
  if (standing.kind === 'ended' || standing.kind === 'void') return;
  const process = standing.kind === 'running' || standing.kind === 'lost' ? standing.process : null;
  const request = { launch_id: namesOf(standing.ticket, process).launch_id, reason, at: new Date().toISOString() };
  await createFileAtomic(path.join(runDir, runFiles.stop), `${JSON.stringify(request)}\n`);
  if (standing.kind === 'waiting' && (await revokeTicket(runDir)))
    await concludeUnstarted(runDir, standing.ticket, 'revoked');
}

async function endOfLaunch(runDir: string, onSignal: (signal: WorkerSignal) => void): Promise<ExitRecord> {
  const tail = createSignalTail(runDir);
  const watch = watchRun(runDir, [runFiles.signals, runFiles.exit, runFiles.claimed, runFiles.revoked]);
  let failures = 0;
  try {
    for (;;) {
      try {
        const exit = await conclude(runDir);
        for (const signal of await tail.next()) onSignal(signal);
        if (exit !== null) return exit;
        failures = 0;
      } catch (error) {
        // The file system may recover; what nobody could look at is not called gone.
        failures += 1;
        if (failures === 10) {
          const words = `The run directory cannot be read: ${errorMessage(error)}`;
          return { ...unobservedExit(namesOf(null, null), 'supervisor_lost', words), tree_gone: false };
        }
      }
      await watch.changed();
    }
  } finally {
    watch.dispose();
  }
}

/** The exit record when the run has ended; writes it where nobody else can any more. */
async function conclude(runDir: string): Promise<ExitRecord | null> {
  const standing = await launchStanding(runDir);
  switch (standing.kind) {
    case 'ended':
      return lastWord(runDir, standing.exit, standing.process);
    case 'lost':
      await concludeLost(runDir, standing);
      break;
    case 'revoked':
      await concludeUnstarted(runDir, standing.ticket, 'revoked');
      break;
    case 'waiting':
      if (Date.parse(standing.ticket.expires_at) > Date.now() || !(await revokeTicket(runDir))) return null;
      await concludeUnstarted(runDir, standing.ticket, 'expired');
      break;
    case 'void':
      return {
        ...unobservedExit(namesOf(null, null), 'spawn_failed', `Nothing was started here: ${standing.reason}.`),
      };
    case 'claimed':
    case 'running':
      return null;
  }
  const after = await launchStanding(runDir);
  return after.kind === 'ended' ? after.exit : null;
}

/** A worker could write exit.json while its supervisor lives, which then replaces it: wait for the supervisor's end. */
async function lastWord(runDir: string, exit: ExitRecord, process: ProcessRecord | null): Promise<ExitRecord | null> {
  if (process === null) return exit;
  for (let waited = 0; waited < 1000 && (await isAlive(process.supervisor)); waited += 5) await sleep(5);
  if (await isAlive(process.supervisor)) return null;
  const standing = await launchStanding(runDir);
  return standing.kind === 'ended' ? standing.exit : exit;
}

async function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []); // not there yet, or not a folder: nothing runs in it
}
