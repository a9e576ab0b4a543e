import { oneLine, withoutEnd } from '../../base/text/plainLine';
import type { ExitRecord, StreamSummary } from '../../contracts/launch';
import { reservedPaths } from '../../contracts/vocabulary/plan';
import { done, refused, type Outcome } from '../../base/outcome';
import { agentWorkers } from '../../workers/registry';
import { readsOnly } from '../../workers/shared/launchLine';
import { awaitLaunch, findAgent, prepare, startLaunch, type Purpose } from '../effects/launch/launch';
import { launchTimes } from '../ports/engine';
import type { Canceling, DraftPorts } from '../ports/drafts';
import type { JournalledLaunch } from '../ports/launches';
import type { DraftRequest } from './input';

/** Seconds that one answer may take, and that its agent may say nothing. */
const draftSeconds = { longest: 900, silent: 300 } as const;

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

/** Read-only, until its tree is gone. A launch not proven gone, canceled or without an answer is refused. */
export async function askAgent(session: DraftSession, ports: DraftPorts): Promise<Outcome<Answered>> {
  const { draft_id, number, request, cancel } = session;
  const agent = await findAgent(request.worker, ports);
  if (!agent.ok) return agent;
  const { default_model: model } = agent.value;
  const { title } = agentWorkers[request.worker];
  const name = `${number}-${draftTask}`;
  const runDir = ports.paths.runDir(draft_id, name);
  const owner = await ports.drafts.owner();
  const known: JournalledLaunch = {
    launch_id: ports.ids.uuid(),
    nonce: ports.ids.hex(32),
    process: null,
    max_runtime_seconds: draftSeconds.longest,
    grace_seconds: launchTimes.grace_seconds,
  };
  const { process: _, ...identity } = known;
  const ready = await prepare(
    {
      mission: {
        mission_id: draft_id,
        confinement: request.confinement ?? 'preferred',
        agent_network: request.agent_network ?? 'open',
        plan: { env_names: [], folders: [] },
      },
      runs: agent.value,
      bound: { boundary: { writable: [], sealed: reservedPaths, network: true }, run_dir: name, granted: [] },
      asked: { ...readsOnly, sessionId: ports.ids.uuid(), model },
      prompt: session.prompt,
      files: [],
      ticket: {
        ...identity,
        ...{ run_id: draft_id, task_id: draftTask, role: 'planner', fence: 0, model },
        ...(owner && { ends_with: owner }),
        env: {},
        heartbeat_interval_seconds: 30,
      },
      ticket_seconds: launchTimes.ticket_seconds,
      sandbox_state: 'read_only',
    },
    ports,
  );
  if (!ready.ok) return ready;
  const stop = (reason: string): Promise<void> => ports.launches.requestStop(runDir, known, reason);
  if (cancel.requested()) {
    // The stop request keeps every process from starting what was prepared.
    await stop(canceledWords);
    return canceled();
  }
  session.onLaunch({ run_dir: runDir, number });
  const asked = cancel.onRequest(() => void stop(canceledWords));
  let run: Outcome<EndedDraft>;
  try {
    run = await startLaunch(draftLaunch({ runDir, known, cancel }, ports), ports);
  } finally {
    asked.dispose();
  }
  if (!run.ok) return run;
  const { exit, stopped } = run.value;
  const left = exit.tree_gone ? null : await survivorsOf(runDir, known, ports);
  if (left !== null) {
    const why = `Processes of ${title} are not proven gone: ${left}.`;
    return refused('DRAFT_FAILED', why, 'End them by hand; the draft was discarded.');
  }
  if (cancel.requested()) return canceled();
  const { summary } = exit;
  const whole = exit.reason === 'exited' && exit.exit_code === 0 && summary?.finalSeen === true && summary.finalOk;
  if (!whole) return refused('DRAFT_FAILED', whyNot(exit, stopped, title), lookAt(runDir), 'mission doctor');
  const sandboxed = ready.value.sandbox !== undefined;
  return done({ summary, started_at: exit.started_at, ended_at: exit.ended_at, sandboxed });
}

interface EndedDraft {
  readonly exit: ExitRecord;
  /** Why it was stopped; null: no silence stopped it. */
  readonly stopped: string | null;
}

function draftLaunch(
  { runDir, known, cancel }: Pick<Purpose<unknown>, 'runDir' | 'known'> & Pick<DraftSession, 'cancel'>,
  ports: DraftPorts,
): Purpose<Outcome<EndedDraft>> {
  let stopped: string | null = null;
  return {
    ...{ runDir, known },
    watched: known.process && {
      task_id: draftTask,
      started_at: known.process.started_at,
      timeout_seconds: draftSeconds.silent,
      is_agent: true,
    },
    beforeStart: () => Promise.resolve({ start: {} }),
    onStart: (process) => awaitLaunch(draftLaunch({ runDir, known: { ...known, process }, cancel }, ports), ports),
    refused: (reason) => (cancel.requested() ? canceled() : refused('LAUNCH_REFUSED', reason, 'mission doctor')),
    listen: () => ({
      onSignal: () => null,
      onSilent({ age_seconds }) {
        stopped = `There was no sign of life for ${age_seconds} s.`;
        void ports.launches.requestStop(runDir, known, stopped);
      },
      dispose: () => undefined,
    }),
    onEnd: (exit) => Promise.resolve(done({ exit, stopped })),
  };
}

async function survivorsOf(run_dir: string, known: JournalledLaunch, { launches }: DraftPorts): Promise<string | null> {
  const { gone, survivors } = await launches.proveGone(run_dir, known);
  if (gone) return null;
  return survivors.length === 0 ? 'unknown ones' : survivors.map((pid) => `process ${pid}`).join(', ');
}

const canceledWords = 'a person canceled the draft';

function canceled(): Outcome<never> {
  const reason = 'The draft was canceled; its agent is gone and nothing was written.';
  return refused('DRAFT_CANCELED', reason, 'Draft again when you want to.');
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
