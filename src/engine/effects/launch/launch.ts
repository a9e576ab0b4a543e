import { heldBack, notHeldBack, readOnlyLinks, straysWords } from '../../../core/confinement/words';
import { untried } from '../../../base/text/words';
import { done, type Outcome } from '../../../base/outcome';
import type { ExitRecord, LaunchTicket, ProcessRecord, WorkerSignal } from '../../../contracts/launch';
import type { AgentName } from '../../../contracts/vocabulary/workers';
import type { Silence, WatchedProcess } from '../../../core/ledger/heartbeat';
import type { PreparedLaunch } from '../../../core/model/facts';
import { agentWorkers } from '../../../workers/registry';
import { versionStanding } from '../../../workers/versions';
import type { LaunchLine, LaunchRequest } from '../../../workers/worker';
import { hostsOf, speaksTo } from '../../plans/providerHosts';
import { refusalOfExtraArguments } from '../../plans/extraArguments';
import type { EnginePorts } from '../../ports/engine';
import type { JournalledLaunch, StartOptions } from '../../ports/launches';
import type { ResolvedWorker } from '../../ports/workers';
import { confineLaunch, type BoundLaunch, type Confined, type ConfinedMission } from './confine';
import { watchWorker } from '../watch/watchWorker';

export type FoundAgent = ResolvedWorker & { readonly name: AgentName };

/** Everything in which launches differ before they start. */
export interface LaunchOrder {
  readonly mission: ConfinedMission;
  /** The agent, or the argv of a command of the plan. */
  readonly runs: FoundAgent | readonly string[];
  readonly own?: readonly string[];
  readonly bound: Omit<BoundLaunch, 'worker'>;
  /** What the launch line of an agent depends on beside the machine. */
  readonly asked: Omit<
    LaunchRequest,
    'executable' | 'version' | 'workspaceDir' | 'runDir' | 'providerArgs' | 'extraArgs' | 'heldBy'
  >;
  readonly prompt: string;
  readonly files: LaunchLine['files'];
  /** What stays readable and is not to be written; absent: the sandbox alone decides. */
  readonly read_only?: Pick<NonNullable<LaunchTicket['sandbox']>, 'read_only' | 'scratch'>;
  /** The rest of the ticket. `env`: variables in addition to those of the line. */
  readonly ticket: Omit<
    LaunchTicket,
    'schema_version' | 'mission_id' | 'issued_at' | 'expires_at' | 'worker' | 'argv' | 'sandbox' | 'cwd' | 'env_names'
  >;
  readonly ticket_seconds: number;
  readonly sandbox_state: NonNullable<PreparedLaunch['sandbox_state']>;
  /** What its line asks for without any widened permission; absent: it asks for no more. */
  readonly least?: Partial<LaunchRequest>;
}

type LaunchPorts = Pick<EnginePorts, 'sandboxes' | 'folders' | 'paths' | 'clock' | 'launches'>;

/** Looks for an agent that may be started with its configured arguments. */
export async function findAgent(
  name: AgentName,
  { workers }: Pick<EnginePorts, 'workers'>,
): Promise<Outcome<FoundAgent>> {
  const found = await workers.resolve(name);
  if (!found.ok) return found;
  // Checks them again, because settings may have changed since the start.
  const refusal = refusalOfExtraArguments(name, found.value.extra_args, workers.surface);
  return refusal ? { ok: false, refusal } : done({ ...found.value, name });
}

/** Writes the run directory of a launch with its ticket. Starts nothing. A refused launch leaves nothing behind. */
export async function prepare(order: LaunchOrder, ports: LaunchPorts): Promise<Outcome<PreparedLaunch>> {
  const { mission, runs, own, bound, ticket: given } = order;
  const agent = isAgent(runs) ? runs : null;
  const worker = agent && agentWorkers[agent.name];
  const program = {
    programWords: isAgent(runs) ? [runs.executable, ...runs.extra_args] : runs,
    ...(own && { own }),
    hosts: agent && hostsOf(agent.name, agent.hosts, agent.provider),
  };
  const confined = await confineLaunch(mission, { ...bound, worker }, program, ports);
  if (!confined.ok) return confined;
  const { sandbox, by } = confined.value;
  const runDir = ports.paths.runDir(mission.mission_id, bound.run_dir);
  const request: LaunchRequest | null = agent && {
    ...{ executable: agent.executable, version: agent.version, workspaceDir: ports.paths.workspace_dir, runDir },
    ...order.asked,
    ...(agent.provider && { providerArgs: agent.provider.args }),
    extraArgs: agent.extra_args,
    ...(by && { heldBy: by }),
  };
  const line = worker && request ? worker.launch(request) : commandLine(program.programWords, mission, confined.value);
  const env_names = worker ? [...new Set([...worker.environmentNames, ...agent.env_names])] : mission.plan.env_names;
  const now = ports.clock.now();
  const ticket: LaunchTicket = {
    ...given,
    schema_version: '1.0.0',
    mission_id: mission.mission_id,
    issued_at: now,
    expires_at: ports.clock.after(now, order.ticket_seconds),
    worker: agent?.name ?? 'command',
    argv: [...line.argv],
    ...(sandbox && {
      sandbox: {
        ...{ means: sandbox.means, argv: [...sandbox.argv] },
        ...(sandbox.layers && { layers: sandbox.layers }),
        ...order.read_only,
        ...(sandbox.hosts && { hosts: [...sandbox.hosts] }),
        ...(sandbox.ports && { ports: [...sandbox.ports] }),
      },
    }),
    cwd: ports.paths.workspace_dir,
    env: { ...line.env, ...given.env },
    env_names: [...env_names],
  };
  const written = await ports.launches.prepare(runDir, order.prompt, [...line.files, ...order.files], ticket);
  if (!written.ok) {
    await ports.folders.removeEmpty(sandbox?.folders ?? []);
    return written;
  }
  const version = agent?.version ?? null;
  return done({
    worker: ticket.worker,
    cli_version: version,
    version_tested: worker && version !== null ? versionStanding(version, worker.testedVersions) === 'tested' : null,
    argv: line.argv,
    ...(order.least && worker && request && { least_argv: worker.launch({ ...request, ...order.least }).argv }),
    confinement: line.confinement,
    confinement_detail: `${line.confinementDetail}${worker && sandbox ? untried(sandbox.means) : ''}${limitWords(confined.value, line)}`,
    ...(sandbox && { sandbox }),
    env_names,
    ...(agent?.provider && { speaks_to: speaksTo(agent.provider) }),
    model: request?.model ?? null,
    sandbox_state: order.sandbox_state,
    prompt_sha256: written.value.prompt_sha256,
  });
}

function isAgent(runs: LaunchOrder['runs']): runs is FoundAgent {
  return 'executable' in runs;
}

function commandLine(argv: readonly string[], { plan }: ConfinedMission, { sandbox, noLayers }: Confined): LaunchLine {
  const [program = '', ...rest] = argv;
  const detail = 'A command of the plan runs with the rights of this user; its changes are observed afterwards.';
  return {
    argv: [program, ...rest],
    env: {},
    files: [],
    confinement: sandbox ? 'task_sandbox' : 'none',
    confinementDetail: sandbox ? `${heldBack({ ...sandbox, services: plan.services, noLayers })} ${detail}` : detail,
    lastMessageFile: null,
  };
}

/** Returns the sentences about what confines a launch in addition to its own line. */
function limitWords({ sandbox, lacking, noTree, network }: Confined, { confinement }: LaunchLine): string {
  const unheld = lacking === null ? '' : ` ${notHeldBack(lacking, confinement === 'os_sandbox')}`;
  const strays = sandbox?.layers?.tree || noTree !== null ? straysWords(noTree) : '';
  return `${unheld}${strays}${readOnlyLinks(sandbox?.held ?? [])}${network}`;
}

/** A prepared launch, by what becomes of it. `Result`: what its start or its end amounts to. */
export interface Purpose<Result> {
  /** Absolute. */
  readonly runDir: string;
  readonly known: JournalledLaunch;
  /** Null: its silence is not watched, because it was not started or is given up. */
  readonly watched: WatchedProcess | null;
  /** Called before its supervisor is started. A result: it cannot be started. */
  beforeStart(): Promise<{ readonly start: StartOptions } | { readonly result: Result }>;
  onStart(process: ProcessRecord): Promise<Result>;
  refused(reason: string): Result;
  listen(): Listener;
  /** @param signals what it reported before the wait; empty: the listener has seen all of it */
  onEnd(exit: ExitRecord, signals: readonly WorkerSignal[]): Promise<Result>;
}

export interface Listener {
  /** Returns the seconds that it may be silent from now on; null: as long as before. */
  onSignal(signal: WorkerSignal): number | null;
  onSilent(silence: Silence): void;
  dispose(): void | Promise<void>;
}

type RunPorts = Pick<EnginePorts, 'launches' | 'clock' | 'timers'>;

/** Starts a supervisor for the ticket, or attaches to the one that took it: never a second worker. */
export async function startLaunch<Result>(purpose: Purpose<Result>, { launches }: RunPorts): Promise<Result> {
  const { runDir, known } = purpose;
  const before = await purpose.beforeStart();
  if ('result' in before) return before.result;
  const started = await launches.start(runDir, known, before.start);
  switch (started.kind) {
    case 'running':
      return purpose.onStart(started.process);
    case 'ended':
      return purpose.onEnd(started.exit, await launches.signals(runDir));
    case 'refused':
      return purpose.refused(started.reason);
  }
}

/** Waits until the tree of a launch is gone, and watches meanwhile whether it is silent. */
export async function awaitLaunch<Result>(purpose: Purpose<Result>, ports: RunPorts): Promise<Result> {
  const { runDir, known, watched } = purpose;
  const listener = purpose.listen();
  const watch = watched
    ? watchWorker({ runDir, known, process: watched }, ports, (silence) => listener.onSilent(silence))
    : null;
  let exit: ExitRecord;
  try {
    exit = await ports.launches.awaitExit(runDir, known, (signal) => {
      watch?.spoke();
      if (signal.kind === 'waiting') watch?.waits(signal.seconds ?? 0);
      const quiet = listener.onSignal(signal);
      if (quiet !== null) watch?.waits(quiet);
    });
  } finally {
    watch?.dispose();
    await listener.dispose();
  }
  return purpose.onEnd(exit, []);
}
