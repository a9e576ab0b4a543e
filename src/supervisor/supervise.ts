import { existsSync } from 'node:fs';
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
import type { Recorder } from './recorder';
import { createMonitor } from './monitor';
import { startRecorded } from './recordedStart';
import { writableAgainstTicket } from './readOnly';
import { openPortNetwork } from './network/portNetwork';
import { heldBackDenial, openProviderNetwork, withHeldBack, type ProviderNetwork } from './network/providerNetwork';
import { endedByFileSize, excessWords, heldLimits, type ExceededLimit } from './limits';
import { makeLimitGroup, type LimitGroup } from '../adapters/processes/limitGroup';
import { openShortTemporary, temporaryVariable } from './temporary';
import type { WorkerEnd } from './workerProcess';

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
