import { oneLine, withoutEnd } from '../../base/text/plainLine';
import type { ExitRecord, LaunchTicket } from '../../contracts/launch';
import { reservedPaths } from '../../contracts/vocabulary/plan';
import { done, refused, type Outcome } from '../../base/outcome';
import { agentWorkers } from '../../workers/registry';
import { readsOnly } from '../../workers/shared/launchLine';
import type { StreamSummary } from '../../workers/worker';
import { holdWithin } from '../effects/confine';
import { watchWorker } from '../effects/watchWorker';
import { hostsOf } from '../plans/agentNetwork';
import { refusalOfExtraArguments } from '../plans/extraArguments';
import type { Canceling, DraftPorts } from '../ports/drafts';
import type { JournalledLaunch } from '../ports/launches';
import type { DraftRequest } from './input';

/** Seconds that one answer may take, and that its agent may say nothing. */
const draftSeconds = { longest: 900, silent: 300, ticket: 60, grace: 10 } as const;

/** The role of a launch that drafts, and the name of its task in its run directory. */
export const draftTask = 'draft';

export interface DraftSession {
  readonly draft_id: string;
  /** Counts the launches of this draft, from 1. */
  readonly number: number;
  readonly request: DraftRequest;
  readonly prompt: string;
  readonly cancel: Canceling;
  /** Called with the absolute run directory once the launch is prepared. */
  readonly onLaunch: (launch: { readonly run_dir: string; readonly number: number }) => void;
}

/** How one launch went; `sandboxed`: the operating system let it write nothing in the workspace. */
export interface Answered {
  readonly summary: Pick<StreamSummary, 'structured' | 'lastMessage'>;
  readonly started_at: string;
  readonly ended_at: string;
  readonly sandboxed: boolean;
}

/**
 * Starts the agent under a supervisor of its own, read-only, and waits until its tree is gone. A launch whose processes
 * are not proven gone, that was canceled, or that left no answer, is refused.
 */
export async function askAgent(session: DraftSession, ports: DraftPorts): Promise<Outcome<Answered>> {
  const { draft_id, number, request, cancel } = session;
  const { worker: name } = request;
  const worker = agentWorkers[name];
  const found = await ports.workers.resolve(name);
  if (!found.ok) return found;
  const { executable, version, extra_args, env_names, default_model: model } = found.value;
  const { hosts: configured, provider } = found.value;
  const unsafe = refusalOfExtraArguments(name, extra_args, ports.workers.surface);
  if (unsafe) return { ok: false, refusal: unsafe };
  const run_name = `${number}-${draftTask}`;
  const run_dir = ports.paths.runDir(draft_id, run_name);
  const sandboxed = await holdWithin(
    {
      mission_id: draft_id,
      confinement: request.confinement ?? 'preferred',
      agent_network: request.agent_network ?? 'open',
      plan: { env_names: [] },
    },
    { boundary: { writable: [], sealed: reservedPaths, network: true }, worker, run_dir: run_name, granted: [] },
    { programWords: [executable, ...extra_args], hosts: hostsOf(name, configured, provider) },
    ports,
  );
  if (!sandboxed.ok) return sandboxed;
  const { sandbox } = sandboxed.value;
  const launch_id = ports.ids.uuid();
  const line = worker.launch({
    ...{ executable, version, model, runDir: run_dir },
    workspaceDir: ports.paths.workspace_dir,
    sessionId: ports.ids.uuid(),
    ...readsOnly,
    ...(provider && { providerArgs: provider.args }),
    extraArgs: extra_args,
    ...(sandboxed.value.by && { heldBy: sandboxed.value.by }),
  });
  const owner = await ports.drafts.owner();
  const now = ports.clock.now();
  const known: JournalledLaunch = {
    launch_id,
    nonce: ports.ids.hex(32),
    process: null,
    max_runtime_seconds: draftSeconds.longest,
    grace_seconds: draftSeconds.grace,
  };
  const ticket: LaunchTicket = {
    schema_version: '1.0.0',
    mission_id: draft_id,
    run_id: draft_id,
    task_id: draftTask,
    role: 'planner',
    launch_id,
    fence: 0,
    nonce: known.nonce,
    issued_at: now,
    expires_at: ports.clock.after(now, draftSeconds.ticket),
    worker: name,
    argv: [...line.argv],
    ...(sandbox && {
      sandbox: {
        ...{ means: sandbox.means, argv: [...sandbox.argv] },
        ...(sandbox.layers && { layers: sandbox.layers }),
        ...(sandbox.hosts && { hosts: [...sandbox.hosts] }),
      },
    }),
    cwd: ports.paths.workspace_dir,
    model,
    ...(owner && { ends_with: owner }),
    env: { ...line.env },
    env_names: [...new Set([...worker.environmentNames, ...env_names])],
    heartbeat_interval_seconds: 30,
    max_runtime_seconds: known.max_runtime_seconds,
    grace_seconds: known.grace_seconds,
  };
  const prepared = await ports.launches.prepare(run_dir, session.prompt, line.files, ticket);
  if (!prepared.ok) return prepared;
  if (cancel.requested()) {
    // The stop request keeps every process from starting what was prepared.
    await ports.launches.requestStop(run_dir, known, canceledWords);
    return canceled();
  }
  session.onLaunch({ run_dir, number });
  const run = await runToEnd(run_dir, known, session, ports);
  if (!run.ok) return run;
  const { exit, stopped } = run.value;
  const left = exit.tree_gone ? null : await survivorsOf(run_dir, known, ports);
  if (left !== null)
    return refused(
      'DRAFT_FAILED',
      `Processes of ${worker.title} are not proven gone: ${left}.`,
      'End them by hand; the draft was discarded.',
    );
  if (cancel.requested()) return canceled();
  const { summary } = exit;
  const whole = exit.reason === 'exited' && exit.exit_code === 0 && summary?.finalSeen === true && summary.finalOk;
  if (!whole) return refused('DRAFT_FAILED', whyNot(exit, stopped, worker.title), lookAt(run_dir), 'mission doctor');
  return done({ summary, started_at: exit.started_at, ended_at: exit.ended_at, sandboxed: sandbox !== null });
}

async function runToEnd(
  run_dir: string,
  launch: JournalledLaunch,
  { cancel }: DraftSession,
  ports: DraftPorts,
): Promise<Outcome<{ readonly exit: ExitRecord; readonly stopped: string | null }>> {
  const asked = cancel.onRequest(() => void ports.launches.requestStop(run_dir, launch, canceledWords));
  try {
    const started = await ports.launches.start(run_dir, launch);
    if (started.kind === 'refused')
      return cancel.requested() ? canceled() : refused('LAUNCH_REFUSED', started.reason, 'mission doctor');
    if (started.kind === 'ended') return done({ exit: started.exit, stopped: null });
    const known = { ...launch, process: started.process };
    let stopped: string | null = null;
    const watched = {
      ...{ runDir: run_dir, known },
      process: {
        task_id: draftTask,
        started_at: started.process.started_at,
        timeout_seconds: draftSeconds.silent,
        is_agent: true,
      },
    };
    const watch = watchWorker(watched, ports, ({ age_seconds }) => {
      stopped = `There was no sign of life for ${age_seconds} s.`;
      void ports.launches.requestStop(run_dir, known, stopped);
    });
    try {
      const exit = await ports.launches.awaitExit(run_dir, known, (signal) => {
        watch.spoke();
        if (signal.kind === 'waiting') watch.waits(signal.seconds ?? 0);
      });
      return done({ exit, stopped });
    } finally {
      watch.dispose();
    }
  } finally {
    asked.dispose();
  }
}

async function survivorsOf(run_dir: string, known: JournalledLaunch, { launches }: DraftPorts): Promise<string | null> {
  const { gone, survivors } = await launches.proveGone(run_dir, known);
  if (gone) return null;
  return survivors.length === 0 ? 'unknown ones' : survivors.map((pid) => `process ${pid}`).join(', ');
}

const canceledWords = 'a person canceled the draft';

function canceled(): Outcome<never> {
  return refused(
    'DRAFT_CANCELED',
    'The draft was canceled; its agent is gone and nothing was written.',
    'Draft again when you want to.',
  );
}

function whyNot(exit: ExitRecord, stopped: string | null, title: string): string {
  const how =
    stopped ??
    (exit.reason === 'deadline'
      ? `It took longer than ${draftSeconds.longest} s.`
      : exit.reason === 'stop_requested'
        ? 'A person or another program stopped it.'
        : plain(exit.summary?.finalReason ?? exit.error ?? lastLine(exit.stderr_tail) ?? codeOf(exit)));
  return `${title} ended without an answer: ${how}`;
}

function codeOf({ exit_code, signal, summary }: ExitRecord): string {
  if (exit_code === 0) return summary?.finalSeen === false ? 'it broke off' : 'it said that it failed';
  return exit_code === null ? `signal ${signal ?? 'unknown'}` : `exit code ${exit_code}`;
}

function lastLine(text: string): string | null {
  return text.trim().split('\n').at(-1)?.slice(0, 400) || null;
}

function plain(text: string): string {
  return `${withoutEnd(oneLine(text).slice(0, 600))}.`;
}

function lookAt(run_dir: string): string {
  return `See that it is signed in; what it said is in ${run_dir}.`;
}
