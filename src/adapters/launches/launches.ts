import path from 'node:path';
import { sha256Of } from '../files/bytes/sha256';
import { lstat, mkdir, readdir, unlink } from 'node:fs/promises';
import {
  activitySchema,
  heartbeatSchema,
  isClaimantFile,
  launchTicketSchema,
  processRecordSchema,
  runFiles,
  stopRequestSchema,
  type LaunchTicket,
  type ProcessRecord,
} from '../../contracts/launch';
import { workPlaces } from '../../contracts/vocabulary/confinement';
import type { JournalledLaunch, Launches, LaunchStandingFacts } from '../../engine/ports/launches';
import { createFileAtomic, moveIfThere, writeFileAtomic } from '../files/atomic';
import { workerEnvironment } from './environment';
import { concludeUnstarted, endTree, revokeTicket } from './conclude';
import { endOfLaunch } from './wait';
import {
  allRuns,
  namesOrNone,
  signalsSoFar,
  valueIn,
  leaveChange,
  leaveOutcome,
  launchStanding,
  processOf,
} from './files';
import { startLaunch, type SupervisorProgram } from './start';
import { errorHelp, done, errorCode, errorWords, refused, type Outcome } from '../../base/outcome';
import { processTable, membersIn, treeCpuSeconds } from '../processes/tree';

/** The worker processes of one workspace, by run directory. See contracts/launch.ts for the files. */
export function createLaunches(program: SupervisorProgram): Launches {
  const stops = new Map<string, number>();
  return {
    async prepare(runDir, prompt, files, ticket) {
      const hold = await program.startsHeld?.();
      return hold ? { ok: false, refusal: hold } : prepareLaunch(runDir, prompt, files, ticket);
    },
    async start(runDir, known, { secrets = {}, ahead = false } = {}) {
      const started = await startLaunch(runDir, known, { ...program, secrets });
      if (ahead && started.kind === 'running') void program.spare?.prepare();
      return started;
    },
    async awaitExit(runDir, known, onSignal) {
      const stopAskedAt = (): number | null => stops.get(known.launch_id) ?? null;
      const exit = await endOfLaunch(runDir, known, onSignal, stopAskedAt, program.overdueMs ?? 30_000);
      stops.delete(known.launch_id);
      return exit;
    },
    async requestStop(runDir, known, reason) {
      // Kept in memory too, because the worker could remove the request file.
      if (!stops.has(known.launch_id)) stops.set(known.launch_id, performance.now());
      // Ends the tree if the request cannot be written, because the supervisor would never see it.
      await requestStop(runDir, known, reason).catch(() => endTree(known, known.process, { supervisorToo: true }));
    },
    async proveGone(runDir, known) {
      const end = await endTree(known, await processOf(runDir, known), { supervisorToo: true });
      return { gone: end.gone, survivors: end.survivors.map((survivor) => survivor.pid) };
    },
    activity: launchActivity,
    leaveOutcome,
    leaveChange,
    standing: standingFacts,
    unpassed(names) {
      const { environment, sessionVariables } = program;
      const { values } = workerEnvironment({ kind: 'command', names, sessionVariables }, environment);
      return Object.keys(environment).filter((name) => environment[name] !== undefined && !(name in values));
    },
    lastOutput: async (runDir) => (await valueIn(runDir, runFiles.activity, activitySchema))?.last_output_at ?? null,
    signals: signalsSoFar,
    heartbeat: (runDir) => valueIn(runDir, runFiles.heartbeat, heartbeatSchema),
  };
}

/** Process records of all runs below `missions/` without an exit record. Some of the processes may be dead. */
export async function liveRuns(missionsDir: string): Promise<readonly ProcessRecord[]> {
  const live: ProcessRecord[] = [];
  for (const { runDir } of await allRuns(missionsDir)) {
    const names = await namesOrNone(runDir);
    if (!names.includes(runFiles.process) || names.includes(runFiles.exit)) continue;
    const record = await valueIn(runDir, runFiles.process, processRecordSchema);
    if (record !== null) live.push(record);
  }
  return live;
}

const lookThere = 'Look at that folder and move it away, then retry the task.';
const reportIt = 'Report it: this is a mistake of Mission Control.';

async function prepareLaunch(
  runDir: string,
  prompt: string,
  files: readonly { readonly path: string; readonly content: string }[],
  ticket: LaunchTicket,
): Promise<Outcome<{ readonly prompt_sha256: string }>> {
  const checked = launchTicketSchema.safeParse(ticket);
  if (!checked.success)
    return refused(
      'COMMAND_INVALID',
      `The launch ticket is not valid: ${checked.error.issues.map(({ path: at }) => `/${at.join('/')}`).join(', ')}.`,
      reportIt,
    );
  const stray = files.find((file) => !staysInside(file.path));
  if (stray !== undefined) {
    const reason = `A file of the launch would leave the run directory or replace one of its own: ${stray.path}.`;
    return refused('COMMAND_INVALID', reason, reportIt);
  }
  const prepared = done({ prompt_sha256: sha256Of(prompt) });
  try {
    await mkdir(runDir, { recursive: true, mode: 0o700 });
    if (!(await lstat(runDir)).isDirectory())
      return refused('NON_COMPLIANT', `${runDir} is not a folder of its own.`, lookThere);
    const present = await presentTicket(runDir);
    if (present?.launch_id === ticket.launch_id) {
      // An owner died before it could journal the ticket. It is written anew, because it decides what runs.
      if (!(await withdrawTicket(runDir))) return prepared;
    } else if (present !== null) {
      return refused('COMMAND_INVALID', `${runDir} already holds another launch, ${present.launch_id}.`, lookThere);
    } else {
      const planted = (await readdir(runDir, { withFileTypes: true })).find(
        (entry) => entry.isSymbolicLink() || ofALaunch.has(entry.name) || isClaimantFile(entry.name),
      );
      if (planted !== undefined)
        return refused(
          'NON_COMPLIANT',
          `${runDir} already holds ${planted.name}, which no launch has left there. Another program put it there; nothing was started.`,
          lookThere,
        );
    }
    const occupied = await makeWorkFolders(runDir);
    if (occupied !== null) return refused('NON_COMPLIANT', `${occupied} is not a folder of its own.`, lookThere);
    await Promise.all([
      ...files.map(async (file) => {
        const target = path.join(runDir, ...file.path.split('/'));
        await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
        await writeFileAtomic(target, file.content);
      }),
      writeFileAtomic(path.join(runDir, runFiles.prompt), prompt),
    ]);
    // Writes the ticket last, so that a supervisor that finds it finds all other files.
    await createFileAtomic(path.join(runDir, runFiles.ticket), `${JSON.stringify(checked.data, null, 2)}\n`);
    return prepared;
  } catch (error) {
    return refused(
      'STATE_STORE_UNWRITABLE',
      `${runDir} cannot be written: ${errorWords(error)}.`,
      errorHelp(error, 'Make the folder writable for your user, then resume.'),
    );
  }
}

/**
 * Makes the folders of the run directory that the worker may write. Returns the obstacle, because a link there would
 * lead out.
 */
async function makeWorkFolders(runDir: string): Promise<string | null> {
  for (const place of [workPlaces.folder, workPlaces.tmp]) {
    const folder = path.join(runDir, place);
    try {
      await mkdir(folder, { mode: 0o700 });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      if (!(await lstat(folder)).isDirectory()) return folder;
    }
  }
  return null;
}

/** Files that only a supervisor or an owner writes during a launch. */
const ofALaunch: ReadonlySet<string> = new Set([
  ...[runFiles.claimed, runFiles.revoked, runFiles.process, runFiles.signals, runFiles.stdout, runFiles.stderr],
  ...[runFiles.heartbeat, runFiles.stop, runFiles.exit, runFiles.outcome, runFiles.change],
  ...[runFiles.supervisorLog, runFiles.reserve],
]);

/** Removes a ticket so that it can be written anew. False: it was taken or revoked. */
async function withdrawTicket(runDir: string): Promise<boolean> {
  const aside = path.join(runDir, `.${runFiles.ticket}.withdrawn`);
  if (!(await moveIfThere(path.join(runDir, runFiles.ticket), aside))) return false;
  await unlink(aside);
  return true;
}

async function presentTicket(runDir: string): Promise<LaunchTicket | null> {
  for (const name of [runFiles.ticket, runFiles.claimed, runFiles.revoked]) {
    const found = await valueIn(runDir, name, launchTicketSchema);
    if (found !== null) return found;
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

/** Requests a stop; before the start it prevents the start. Replaces a file that is no stop request of this launch. */
async function requestStop(runDir: string, known: JournalledLaunch, reason: string): Promise<void> {
  const standing = await launchStanding(runDir, known);
  if (standing.kind === 'ended' || standing.kind === 'void') return;
  const request = { launch_id: known.launch_id, reason, at: new Date().toISOString() };
  const file = path.join(runDir, runFiles.stop);
  const text = `${JSON.stringify(request)}\n`;
  if (!(await createFileAtomic(file, text))) {
    const present = await valueIn(runDir, runFiles.stop, stopRequestSchema);
    if (present?.launch_id !== known.launch_id) await writeFileAtomic(file, text);
  }
  if (standing.kind === 'waiting' && (await revokeTicket(runDir)))
    await concludeUnstarted(runDir, standing.ticket, 'revoked');
}

/** Says whether a process of the launch lives, and the CPU seconds used so far, collected children included. */
async function launchActivity(
  runDir: string,
  known: JournalledLaunch,
  exceptRoot: boolean,
): Promise<{ readonly alive: boolean; readonly cpu_seconds: number }> {
  const process = await processOf(runDir, known);
  const carriers = await processTable.carriers(known.nonce);
  const table = await processTable.list();
  const root = process?.worker ?? null;
  const members = membersIn(
    table,
    await processTable.bootId(),
    { root, nonce: known.nonce, namespace: process?.namespace },
    carriers,
  );
  const except = exceptRoot && root !== null ? root.pid : null;
  return { alive: members.length > 0, cpu_seconds: treeCpuSeconds(table, members, except) };
}

async function standingFacts(runDir: string, known: JournalledLaunch): Promise<LaunchStandingFacts> {
  const { kind } = await launchStanding(runDir, known);
  switch (kind) {
    case 'waiting':
    case 'revoked':
    case 'void':
      return 'unstarted';
    case 'taken':
    case 'running':
      return 'supervised';
    case 'ended':
    case 'lost':
      return kind;
  }
}
