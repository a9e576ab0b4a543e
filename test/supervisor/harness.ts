import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive, killTree } from '../../src/adapters/processes/tree';
import { createLaunches } from '../../src/adapters/launches/launches';
import { openSupervisorCopy, type SupervisorFile } from '../../src/adapters/user/programCopy';
import {
  exitRecordSchema,
  processRecordSchema,
  runFiles,
  type ExitRecord,
  type LaunchTicket,
  type ProcessIdentity,
  type ProcessRecord,
  type WorkerSignal,
} from '../../src/contracts/launch';
import { openUserStateFolder } from '../../src/adapters/user/folder';
import type { JournalledLaunch } from '../../src/engine/ports/launches';

/** The built program; `node scripts/build.mjs --tests` builds it with the tests. */
export const supervisorFile = path.join(process.cwd(), 'dist', 'supervisor.cjs');
export async function supervisorCopy(): Promise<SupervisorFile> {
  const state = await openUserStateFolder();
  if (!state.ok) assert.fail(state.refusal.reason);
  const opened = await openSupervisorCopy({ supervisorFile, toolVersion: '0.0.0' }, state.value);
  return opened.ok ? opened.value : assert.fail(opened.refusal.reason);
}
export const programFile = (name: string): string => path.join(process.cwd(), 'test', 'supervisor', 'programs', name);

export type Run = Awaited<ReturnType<typeof newRun>>;

const made: { folder: string; nonce: string }[] = [];

/** A run directory of its own in a scratch folder; nothing of it is alive after `cleanUp`. */
export async function newRun(
  argv: readonly string[],
  changes: Partial<LaunchTicket> = {},
  environment: Readonly<Record<string, string | undefined>> = { PATH: process.env['PATH'] },
) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mission-supervisor-'));
  const runDir = path.join(folder, 'runs', '1-T1');
  const ticket: LaunchTicket = {
    schema_version: '1.0.0',
    mission_id: 'demo-20260102T030405Z-abc123',
    run_id: randomUUID(),
    task_id: 'T1',
    launch_id: randomUUID(),
    fence: 1,
    nonce: randomBytes(16).toString('hex'),
    issued_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 600_000).toISOString(),
    worker: 'command',
    argv: [...argv],
    cwd: folder,
    env: {},
    env_names: [],
    heartbeat_interval_seconds: 1,
    max_runtime_seconds: 600,
    grace_seconds: 0.3,
    ...changes,
  };
  made.push({ folder, nonce: ticket.nonce });
  const program = { supervisor: await supervisorCopy(), environment, sessionVariables: [] };
  const launches = createLaunches(program);
  /** What an owner's journal says of it. */
  const known: JournalledLaunch = {
    launch_id: ticket.launch_id,
    nonce: ticket.nonce,
    process: null,
    max_runtime_seconds: ticket.max_runtime_seconds,
    grace_seconds: ticket.grace_seconds,
  };
  const signals: WorkerSignal[] = [];
  let prepared = false;
  const run = {
    folder,
    runDir,
    ticket,
    launches,
    signals,
    program,
    known,
    async prepare(prompt = ''): Promise<void> {
      const outcome = await launches.prepare(runDir, prompt, [], ticket);
      assert.equal(outcome.ok, true, JSON.stringify(outcome));
      prepared = true;
    },
    /** Prepares it if no test did. Returns the processes of the launch, also where the worker has ended already. */
    async start(): Promise<ProcessRecord> {
      if (!prepared) await run.prepare();
      const started = await launches.start(runDir, known);
      if (started.kind === 'running') return started.process;
      // A quick worker may end before its start is answered; the record of its processes stays.
      assert.equal(started.kind === 'ended' && started.exit.reason, 'exited', JSON.stringify(started));
      return processRecordSchema.parse(JSON.parse(await run.read(runFiles.process)));
    },
    awaitExit: (): Promise<ExitRecord> => launches.awaitExit(runDir, known, (signal) => signals.push(signal)),
    /** Prepared, started, ended. */
    async whole(prompt?: string): Promise<ExitRecord> {
      await run.prepare(prompt);
      const started = await launches.start(runDir, known);
      assert.notEqual(started.kind, 'refused', JSON.stringify(started));
      return run.awaitExit();
    },
    read: (name: string): Promise<string> => readFile(path.join(runDir, name), 'utf8'),
  };
  return run;
}

/** Ends what a failed test left alive, by nonce and identity, and removes the folders. */
export async function cleanUp(): Promise<void> {
  for (const { folder, nonce } of made.splice(0)) {
    const runDir = path.join(folder, 'runs', '1-T1');
    const record = await readFile(path.join(runDir, runFiles.process), 'utf8').catch(() => null);
    const supervisor = record === null ? null : processRecordSchema.parse(JSON.parse(record)).supervisor;
    if (supervisor !== null && (await isAlive(supervisor))) await killTree({ root: supervisor, nonce }, { graceMs: 0 });
    await killTree({ root: null, nonce }, { graceMs: 0 });
    // A process that was just ended may have made a file meanwhile.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

export async function until<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const end = performance.now() + 90_000; performance.now() < end;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    await sleep(10);
  }
  assert.fail(`never happened: ${what}`);
}

/** The identity of the process that wrote its pid to a file. */
export async function identityFrom(file: string): Promise<ProcessIdentity> {
  // The file is there a moment before its text is.
  const pid = await until(`a pid in ${file}`, async () => Number(await readFile(file, 'utf8').catch(() => '')) || null);
  const identity = await identityOf(pid);
  assert.ok(identity, `process ${pid} of ${file} is not alive`);
  return identity;
}

export async function exitOf(runDir: string): Promise<ExitRecord> {
  return exitRecordSchema.parse(JSON.parse(await readFile(path.join(runDir, runFiles.exit), 'utf8')));
}
