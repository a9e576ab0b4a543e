import { existsSync } from 'node:fs';
import path from 'node:path';
import { runFiles } from '../contracts/launch';
import type { ExitRecord, LaunchTicket, ProcessIdentity, ProcessRecord, StopRequest } from '../contracts/launch';
import { writeFileAtomic } from '../adapters/files/atomic';
import { carriedEnvironment } from '../adapters/launches/environment';
import { namesOf, unobservedExit } from '../adapters/launches/conclude';
import { nonceVariable } from '../adapters/processes/facts';
import { killTree } from '../adapters/processes/tree';
import type { TreeEnd, TreeTarget } from '../adapters/processes/tree';
import { redactText, secretValues } from '../adapters/system/redact';
import { createMonitor } from './monitor';
import { createRecorder } from './recorder';
import { startWorker } from './workerProcess';

/**
 * Starts the worker and stays with it until its whole tree is gone. Answers with the record to leave. When it rejects
 * after `onStarted`, nothing may be claimed about the worker. Null: an owner has settled the run already, nothing was started.
 */
export async function superviseWorker(
  runDir: string,
  ticket: LaunchTicket,
  supervisor: ProcessIdentity,
  stop: AbortSignal,
  onStarted: () => void,
): Promise<ExitRecord | null> {
  const inherited = { ...carriedEnvironment(process.env), ...ticket.env };
  const environment = { ...inherited, [nonceVariable]: ticket.nonce };
  const record: ProcessRecord = {
    launch_id: ticket.launch_id,
    nonce: ticket.nonce,
    supervisor,
    worker: null,
    env_names: Object.keys(environment).sort(),
    started_at: new Date().toISOString(),
  };
  const writeRecord = (worker: ProcessIdentity | null): Promise<void> =>
    writeFileAtomic(path.join(runDir, runFiles.process), `${JSON.stringify({ ...record, worker })}\n`);
  await writeRecord(null);
  // Whoever took us for dead after the claim has reported that nothing runs here: so it must stay.
  if (existsSync(path.join(runDir, runFiles.exit))) return null;
  if (isAborted(stop))
    return unobservedExit(namesOf(ticket, record), 'stop_requested', 'Stopped before the worker was started.');

  const recorder = await createRecorder(runDir, ticket, secretValues(inherited));
  const graceMs = ticket.grace_seconds * 1000;
  let recorded = Promise.resolve();
  const started = await startWorker(runDir, ticket, environment, (stdout, stderr) => {
    onStarted();
    recorded = recorder.follow(stdout, stderr);
  });
  if (started.kind === 'failed') {
    await recorded;
    await recorder.close();
    return unobservedExit(namesOf(ticket, record), 'spawn_failed', redactText(started.reason, recorder.secrets).text);
  }
  const { worker } = started;

  const stopped: Stopped[] = [];
  const target = (): TreeTarget => ({ root: worker.identity, nonce: ticket.nonce, seen: monitor.seen() });
  const end = (reason: ExitRecord['reason'], words: string | null): void => {
    if (stopped.length > 0 || worker.hasEnded()) return;
    const tree = killTree(target(), { graceMs });
    stopped.push({ reason, words, tree });
    tree.then(
      () => worker.giveUp(),
      () => worker.giveUp(),
    );
  };
  const monitor = createMonitor(runDir, ticket, worker.identity, recorder, {
    onDeadline: () => end('deadline', `The worker ran longer than ${ticket.max_runtime_seconds} seconds.`),
    onStop: (request: StopRequest) => end('stop_requested', request.reason),
  });
  stop.addEventListener('abort', () => end('stop_requested', 'The supervisor was asked to end (SIGTERM).'));
  if (isAborted(stop)) end('stop_requested', 'The supervisor was asked to end (SIGTERM).');
  recorder.onFailure((words) => end('log_failed', words));
  // The worker is alive from here on: what cannot be written is reported, not thrown.
  await writeRecord(worker.identity).catch((error: unknown) => recorder.fail(error));

  const exit = await worker.ended;
  // Put back meanwhile, it gets the record all the same; that not everything stands in it is then said.
  const away = existsSync(runDir)
    ? null
    : `The run directory ${runDir} was removed or moved away while the worker ran.`;
  const [how] = stopped;
  const tree = await (how === undefined ? killTree({ ...target(), justEnded: worker.pid }, { graceMs }) : how.tree);
  monitor.dispose();
  // Somebody outside the tree may hold the pipes open; nothing that comes later is the worker's.
  const output = await recorder.finish(recorded, 3000);
  const problems = [how?.words ?? null, away, output.error].filter((words) => words !== null);
  return {
    schema_version: '1.0.0',
    ...namesOf(ticket, record),
    reason: how?.reason ?? 'exited',
    exit_code: exit.code,
    signal: exit.signal,
    ended_at: new Date().toISOString(),
    tree_gone: tree.gone,
    survivors: tree.survivors.map((survivor) => survivor.pid),
    leftovers: (how === undefined ? tree.members : []).map((leftover) => leftover.pid),
    error: problems.length === 0 ? null : redactText([...new Set(problems)].join(' '), recorder.secrets).text,
    stdout: output.stdout,
    stderr: output.stderr,
    stderr_tail: output.stderrTail,
    summary: output.summary,
  };
}

/** A function, because the compiler takes an answer for good and a signal changes. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** At most one stop counts: the first. */
interface Stopped {
  readonly reason: ExitRecord['reason'];
  readonly words: string | null;
  readonly tree: Promise<TreeEnd>;
}
