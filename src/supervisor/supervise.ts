import { existsSync, realpathSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  runFiles,
  type CacheChanges,
  type ExitRecord,
  type LaunchTicket,
  type ProcessIdentity,
  type ProcessRecord,
  type StopRequest,
} from '../contracts/launch';
import { writeFileAtomic } from '../adapters/files/atomic';
import { carriedEnvironment, requestedIn } from '../adapters/launches/environment';
import { keepLayers } from '../adapters/sandbox/layers/keepLayers';
import { takeOver } from '../adapters/sandbox/layers/landing';
import { namesOf, unobservedExit } from '../adapters/launches/conclude';
import { nonceVariable } from '../adapters/processes/facts';
import { killTree, type TreeEnd, type TreeTarget } from '../adapters/processes/tree';
import { deadlineWords } from '../base/text/endWords';
import { passedValues, redactText, secretValues, unsaidIn, type Secrets } from '../adapters/system/redact';
import { agentWorkers } from '../workers/registry';
import { type Recorder, createRecorder } from './recorder';
import { createMonitor } from './monitor';
import { openPortNetwork } from './network/portNetwork';
import { heldBackDenial, openProviderNetwork, withHeldBack, type ProviderNetwork } from './network/providerNetwork';
import { endedByFileSize, excessWords, heldLimits, type ExceededLimit } from './limits';
import { makeLimitGroup, type LimitGroup } from '../adapters/processes/limitGroup';
import { openShortTemporary, temporaryVariable } from './temporary';
import { type WorkerEnd, startWorker, type WorkerProcess, type WorkerStart } from './workerProcess';
import { rm } from 'node:fs/promises';
import { startFault } from '../adapters/processes/startFault';
import { withoutVanished } from '../adapters/sandbox/bubblewrap/dropMissingMounts';
import { inside } from '../adapters/sandbox/facts/facts';

/**
 * Starts the worker and waits until its whole process tree is gone. Resolves with the exit record to write; null: an
 * owner has concluded the run already, and no process was started. If it rejects after `onStarted`, the worker may
 * still run.
 */
export async function superviseWorker(
  run: SupervisedRun,
  stop: AbortSignal,
  onStarted: () => void,
  makeGroup: typeof makeLimitGroup = makeLimitGroup,
): Promise<ExitRecord | null> {
  const { limits, launch_id } = run.ticket;
  const made = limits === undefined ? null : await makeGroup(`mission-control-${launch_id}`, limits);
  const group = typeof made === 'string' ? null : made;
  let around: { readonly ticket: LaunchTicket; readonly close: () => Promise<void> } | null = null;
  try {
    const network = await openProviderNetwork(run.ticket);
    // Only agents have hosts, only commands of a plan have ports. Only a launch without a sandbox needs the third.
    around = network ?? (await openPortNetwork(run.ticket)) ?? (await openShortTemporary(run.ticket));
    return await superviseInGroup({ ...run, ticket: around?.ticket ?? run.ticket, network }, stop, onStarted, group);
  } finally {
    await group?.remove();
    await around?.close();
  }
}

export interface SupervisedRun {
  readonly runDir: string;
  readonly ticket: LaunchTicket;
  readonly supervisor: ProcessIdentity;
}

async function superviseInGroup(
  { runDir, ticket, supervisor, network }: SupervisedRun & { readonly network: ProviderNetwork | null },
  stop: AbortSignal,
  onStarted: () => void,
  group: LimitGroup | null,
): Promise<ExitRecord | null> {
  const carried = carriedEnvironment(process.env);
  const named = { ...carried, ...ticket.env };
  const inherited = { ...named, ...temporaryVariable(ticket, named) };
  const record: ProcessRecord = {
    launch_id: ticket.launch_id,
    nonce: ticket.nonce,
    supervisor,
    worker: null,
    env_names: [...Object.keys(inherited), nonceVariable].sort(),
    started_at: new Date().toISOString(),
  };
  const writeRecord = (written: ProcessRecord): Promise<void> =>
    writeFileAtomic(path.join(runDir, runFiles.process), `${JSON.stringify(written)}\n`);
  await writeRecord(record);
  // Starts nothing, because an owner that took this supervisor for dead has recorded that nothing runs here.
  if (existsSync(path.join(runDir, runFiles.exit))) return null;
  const unstarted = (why: string): ExitRecord =>
    isAborted(stop)
      ? unobservedExit(namesOf(ticket, record), 'stop_requested', 'Stopped before the worker was started.')
      : unobservedExit(namesOf(ticket, record), 'spawn_failed', why);
  if (isAborted(stop)) return unstarted('');

  const writable = writableAgainstTicket(ticket);
  if (writable !== null)
    return unstarted(`the ticket is read-only, and its sandbox would let the worker write ${writable}`);

  const graceMs = ticket.grace_seconds * 1000;
  const started = await startRecorded(
    { runDir, ticket, environment: inherited, stop, group },
    [...secretValues(inherited), ...unsaidIn(JSON.stringify(ticket), passedTo(ticket.worker, carried))],
    onStarted,
  );
  if (started.kind === 'failed') return unstarted(started.reason);
  const { worker, recorder, recorded } = started;
  network?.onHeldBack((host) => recorder.tell(heldBackDenial(host, recorder.secrets)));

  const ownGroup = worker.inGroup ? group : null;
  const stopped: Stopped[] = [];
  const { identity: root, namespace } = worker;
  const target = (): TreeTarget => ({ root, nonce: ticket.nonce, namespace, seen: monitor.seen() });
  const end = (reason: ExitRecord['reason'], sentence: string | null, exceeded: ExceededLimit | null = null): void => {
    if (stopped.length > 0 || worker.hasEnded()) return;
    const grace = sentence === ownerGone ? Math.min(graceMs, unwantedGraceMs) : graceMs;
    const tree = killTree(target(), exceeded === null ? { graceMs: grace } : { graceMs: 0, unasked: true });
    stopped.push({ reason, sentence, exceeded, tree });
    tree.then(
      () => worker.giveUp(),
      () => worker.giveUp(),
    );
  };
  const monitor = createMonitor(
    { runDir, ticket, worker: root, namespace, recorder, group: ownGroup },
    {
      onDeadline: () => end('deadline', deadlineWords(ticket.max_runtime_seconds)),
      onStop: (request: StopRequest) => end('stop_requested', request.reason),
      onOwnerGone: () => end('stop_requested', ownerGone),
      onExcess: (limit, used) => end('resource_limit', excessWords(ticket, limit, used), limit),
    },
  );
  stop.addEventListener('abort', () => end('stop_requested', 'The supervisor was asked to end (SIGTERM).'));
  if (isAborted(stop)) end('stop_requested', 'The supervisor was asked to end (SIGTERM).');
  recorder.onFailure((sentence) => end('log_failed', sentence));
  // Throws no error from here on, because the worker runs and would be left unsupervised.
  const seen: ProcessRecord = { ...record, worker: root, ...(namespace === null ? {} : { namespace }) };
  await writeRecord(seen).catch((error: unknown) => recorder.fail(error));

  const exit = await worker.whenEnded;
  // Writes the record even if a person puts the run directory back; it then says that output may be missing.
  const away = existsSync(runDir)
    ? null
    : `The run directory ${runDir} was removed or moved away while the worker ran.`;
  const [how] = stopped;
  const justEnded = namespace === null ? worker.pid : null;
  const tree = await (how === undefined ? killTree({ ...target(), justEnded }, { graceMs }) : how.tree);
  monitor.dispose();
  // Waits a limited time, because a process outside the tree may hold the pipes open. Later output is not the worker's.
  const output = await recorder.finish(recorded, 3000);
  const layers = how === undefined && tree.gone ? ticket.sandbox?.layers : undefined;
  // Also of a launch that was ended, because it wrote what it wrote.
  const written = ticket.sandbox?.layers;
  const strays = written && (await takeOver(written, runDir, { gone: tree.gone, secrets: recorder.all }));
  const caches = layers === undefined ? null : await keepLayers(layers);
  const fileExcess = worker.fileLimit && endedByFileSize(exit) ? ('file_mb' as const) : null;
  const exceeded = how === undefined ? ((await ownGroup?.exceeded()) ?? fileExcess) : how.exceeded;
  const sentence = how === undefined ? exceeded && excessWords(ticket, exceeded, null) : how.sentence;
  const problems = [sentence, away, output.error].filter((problem) => problem !== null);
  return {
    schema_version: '1.0.0',
    ...namesOf(ticket, record),
    reason: how?.reason ?? (exceeded === null ? 'exited' : 'resource_limit'),
    ...(how === undefined || namespace === null ? { exit_code: exit.code, signal: exit.signal } : ofSignal(exit)),
    ended_at: new Date().toISOString(),
    ...(ticket.limits === undefined ? {} : { limits: heldLimits(worker.fileLimit, ownGroup?.holds ?? [], exceeded) }),
    tree_gone: tree.gone,
    survivors: tree.survivors.map((survivor) => survivor.pid),
    leftovers: (how === undefined ? tree.members : []).map((leftover) => leftover.pid),
    error: problems.length === 0 ? null : redactText([...new Set(problems)].join(' '), recorder.secrets).text,
    stdout: output.stdout,
    stderr: output.stderr,
    stderr_tail: output.stderrTail,
    summary: withHeldBack(output.summary, network, recorder.secrets),
    ...(caches && { caches: withoutSecrets(caches, recorder.secrets) }),
    ...(strays && { strays }),
    ...lastOf(recorder),
  };
}

function passedTo(worker: LaunchTicket['worker'], carried: Readonly<Record<string, string>>): Secrets {
  if (worker === 'command') return passedValues(requestedIn(carried));
  return passedValues(requestedIn(carried, worker, agentWorkers[worker].environmentNames), 'in texts');
}

/** A worker chose the names. */
function withoutSecrets(caches: CacheChanges, secrets: Recorder['secrets']): CacheChanges {
  const clean = (names: readonly string[]): readonly string[] => names.map((name) => redactText(name, secrets).text);
  return { ...caches, names: clean(caches.names), changed: clean(caches.changed), left_out: clean(caches.left_out) };
}

function lastOf(recorder: Recorder): Pick<ExitRecord, 'last'> {
  const { waiting, actions, hooks } = recorder.progress();
  if (waiting === null && actions.length + hooks.length === 0) return {};
  return {
    last: {
      ...(waiting && { waiting }),
      ...(actions.length > 0 && { actions }),
      ...(hooks.length > 0 && { hooks }),
    },
  };
}

const ownerGone = 'The process that wanted its answer has ended.';
/** Milliseconds; short, because no process waits for the answer of this worker. */
const unwantedGraceMs = 1000;

/** Decodes a signal of ours that ended the worker, which bubblewrap reports as 128 plus its number. */
function ofSignal({ code, signal }: WorkerEnd): Pick<ExitRecord, 'exit_code' | 'signal'> {
  const sent = (['SIGTERM', 'SIGKILL'] as const).find((name) => code === 128 + os.constants.signals[name]);
  return sent === undefined ? { exit_code: code, signal } : { exit_code: null, signal: sent };
}

/** A function, because the compiler narrows `signal.aborted` for good. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** The reason why the worker was ended; only the first stop counts. */
interface Stopped {
  readonly reason: ExitRecord['reason'];
  readonly sentence: string | null;
  readonly exceeded: ExceededLimit | null;
  readonly tree: Promise<TreeEnd>;
}

type RecordedStart =
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
async function startRecorded(
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

/**
 * The first path that a read-only ticket names and that its sandbox would let the worker write. Null: none, or the
 * ticket is not read-only. Profiles of Seatbelt are not read here.
 */
function writableAgainstTicket({ sandbox, cwd }: Pick<LaunchTicket, 'sandbox' | 'cwd'>): string | null {
  if (sandbox?.means !== 'bubblewrap' || sandbox.read_only === undefined) return null;
  const root = realpathSync(cwd);
  const scratch = (sandbox.scratch ?? []).map((relative) => path.resolve(root, relative));
  const isScratch = (file: string): boolean => scratch.some((folder) => inside(file, folder));
  const mounts = mountsOf(sandbox).filter(({ at, writes }) => !writes || !isScratch(at));
  return sandbox.read_only.find((relative) => canWrite(path.resolve(root, relative), mounts)) ?? null;
}

interface Mount {
  readonly at: string;
  readonly writes: boolean;
}

function mountsOf({ argv, layers }: NonNullable<LaunchTicket['sandbox']>): readonly Mount[] {
  // What is written there reaches nothing.
  const view = layers?.tree && path.join(path.dirname(layers.tree.up), 'view');
  const end = argv.lastIndexOf('--');
  const landed = layers?.tree?.lands?.map(({ name }) => ({ at: path.join(layers.tree?.at ?? '', name), writes: true }));
  const mounted = argv.slice(0, end === -1 ? argv.length : end).flatMap((word, index): readonly Mount[] => {
    if (word === '--bind' || word === '--dev-bind' || word === '--ro-bind')
      return [{ at: argv[index + 2] ?? '', writes: word !== '--ro-bind' && argv[index + 1] !== view }];
    if (word === '--overlay') return [{ at: argv[index + 3] ?? '', writes: false }];
    return word === '--tmpfs' ? [{ at: argv[index + 1] ?? '', writes: false }] : [];
  });
  return [...mounted, ...(landed ?? [])];
}

/** The last mount that covers a path decides about it; later ones below it decide about parts. */
function canWrite(file: string, mounts: readonly Mount[]): boolean {
  const covering = mounts.findLastIndex(({ at }) => inside(file, at));
  if (mounts[covering]?.writes === true) return true;
  return mounts.slice(covering + 1).some(({ at, writes }) => writes && inside(at, file));
}
