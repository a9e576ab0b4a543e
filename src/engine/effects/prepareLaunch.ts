import type { LaunchTicket } from '../../contracts/launch';
import type { AgentName, Confinement } from '../../contracts/vocabulary/workers';
import type { Effect } from '../../core/mission/effects';
import type { PreparedLaunch } from '../../core/model/facts';
import type { Report } from '../../core/model/inputs';
import type { Launch } from '../../core/model/attempt';
import { laneOf } from '../../core/model/lanes';
import type { Mission } from '../../core/model/state';
import type { PlannedTask } from '../../core/plan/approvedPlan';
import { constraintsOn, isFileLevelOnly } from '../../core/plan/delegation';
import { frozenContext } from './frozenContext';
import { buildPrompt, type PromptContext, type PromptInput } from '../../workers/shared/prompt';
import { buildValidatorPrompt } from '../../workers/shared/validatorPrompt';
import { untried } from '../../base/text/words';
import { heldBack, notHeldBack, onlyReads, readOnlyLinks, straysWords } from '../../core/confinement/words';
import { agentWorkers } from '../../workers/registry';
import type { AgentWorker, LaunchRequest } from '../../workers/worker';
import { versionStanding } from '../../workers/versions';
import type { EngineOptions } from '../ports/context';
import { hostsOf } from '../plans/agentNetwork';
import { refusalOfExtraArguments } from '../plans/extraArguments';
import { changedHostStep, refusalOfChangedHost, speaksTo } from '../plans/speaksTo';
import type { EnginePorts } from '../ports/engine';
import type { ResolvedWorker } from '../ports/workers';
import { done, type Outcome, type Refusal } from '../../base/outcome';
import { foldersToRemove } from '../../core/confinement/folders';
import { noWidening } from '../../core/recovery/permission/widening';
import { environmentOf } from './launchEnvironment';
import { impossibleIn, usable } from './impossibleLaunch';
import { assign } from './assign';
import { holdBack, type Held } from './confine';
import { sandboxState } from '../../core/confinement/sandboxState';
import { mayRemember } from '../../core/lifecycle/memory';
import { launchNote } from './launchNote';
import { launchById } from './launchById';
import { isApproved } from '../../core/lifecycle/planWait';
import { planReport } from './planHash';
import { writeOutcome } from './writeOutcome';
import type { EffectRun } from './effectRun';

/** What will run, without the ticket. */
interface Draft {
  readonly worker: LaunchTicket['worker'];
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly env_names: readonly string[];
  readonly prompt: string;
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly prepared: Omit<PreparedLaunch, 'prompt_sha256'>;
}

/** Writes the run directory with its ticket. Starts nothing. A refused launch leaves nothing behind. */
export async function prepareLaunch({ effect, mission, ports, options }: EffectRun<'prepareLaunch'>): Promise<Report> {
  const { row, lane } = launchById(mission, effect.launch_id);
  const plan = await planReport(mission, lane, ports);
  // Launches nothing by another plan: the launch waits for the approved one.
  if (!isApproved(mission, plan.observed)) return plan;
  const report = await prepare(effect, mission, ports, options);
  if (report.type === 'LaunchWasPrepared') return report;
  await ports.folders.removeEmpty(foldersToRemove(mission, row.task.task_id, ports.paths.scope.comparison));
  return report;
}

async function prepare(
  effect: Extract<Effect, { kind: 'prepareLaunch' }>,
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<Report> {
  const { launch, lane, row } = launchById(mission, effect.launch_id);
  const { task } = row;
  const state = sandboxState(mission, lane);
  if (launch.purpose.kind === 'worker') await writeOutcome(mission, row, ports);
  const assigned = launch.purpose.kind === 'worker' ? assign(mission, task, launch, ports) : null;
  if (assigned && !assigned.allowed) return assigned.report;
  const environment = launch.purpose.kind === 'worker' ? await environmentOf(mission, launch, ports) : usable;
  const impossible = (refusal: Refusal): Report => impossibleIn(environment, launch, refusal);
  if (!environment.ok) return impossible(environment.refusal);
  const context = launch.purpose.kind === 'worker' ? await frozenContext(mission, task, ports) : done(null);
  if (!context.ok) return impossible(context.refusal);
  const agent = await agentOf(mission, task, launch, ports);
  if (!agent.ok) return impossible(agent.refusal);
  const programWords = agent.value ? [agent.value.executable, ...agent.value.extra_args] : commandOf(task, launch);
  const hosts = agent.value ? hostsOf(agent.value.name, agent.value.hosts, agent.value.provider) : null;
  const sandboxed = await holdBack(mission, task, launch, { programWords, hosts }, ports);
  if (!sandboxed.ok) return impossible(sandboxed.refusal);
  const draft = agent.value
    ? draftAgent(mission, task, launch, { ...agent.value, sandboxed: sandboxed.value, context: context.value }, ports)
    : draftCommand(mission, task, launch, sandboxed.value);
  const { sandbox } = sandboxed.value;
  const now = ports.clock.now();
  const ticket: LaunchTicket = {
    schema_version: '1.0.0',
    mission_id: mission.mission_id,
    run_id: mission.run_id,
    task_id: task.task_id,
    launch_id: launch.launch_id,
    fence: options.fence,
    nonce: launch.nonce,
    issued_at: now,
    expires_at: ports.clock.after(now, options.ticket_seconds),
    worker: draft.worker,
    argv: [...draft.argv],
    ...(sandbox && {
      sandbox: {
        ...{ means: sandbox.means, argv: [...sandbox.argv] },
        ...(sandbox.layers && { layers: sandbox.layers }),
        ...(state === 'read_only' && { read_only: [...row.scope.paths], scratch: [...(mission.plan.scratch ?? [])] }),
        ...(sandbox.hosts && { hosts: [...sandbox.hosts] }),
        ...(sandbox.ports && { ports: [...sandbox.ports] }),
      },
    }),
    ...(mission.plan.limits ? { limits: mission.plan.limits } : {}),
    cwd: ports.paths.workspace_dir,
    ...(launch.adjustment?.resume_session_id && { resumed: true }),
    env: { ...draft.env },
    env_names: [...draft.env_names],
    heartbeat_interval_seconds: task.heartbeat_interval_seconds,
    max_runtime_seconds: task.max_runtime_seconds,
    grace_seconds: options.grace_seconds,
  };
  const written = await ports.launches.prepare(
    ports.paths.runDir(mission.mission_id, launch.run_dir),
    draft.prompt,
    [...draft.files, ...(assigned ? [assigned.file] : [])],
    ticket,
  );
  if (!written.ok) {
    await ports.folders.removeEmpty(sandbox?.folders ?? []);
    return impossible(written.refusal);
  }
  return {
    type: 'LaunchWasPrepared',
    launch_id: launch.launch_id,
    prepared: {
      ...draft.prepared,
      confinement_detail: `${draft.prepared.confinement_detail}${state === 'read_only' ? onlyReads(sandbox !== null) : ''}`,
      sandbox_state: state,
      prompt_sha256: written.value.prompt_sha256,
    },
    ...(environment.modes.length > 0 && { modes: environment.modes }),
  };
}

/**
 * Returns what confines the launch, in one word and in sentences. `detail`: the sentences about the worker's own line.
 */
function confined(
  { sandbox, lacking, noTree, network }: Held,
  confinement: Confinement,
  detail: string,
): Pick<PreparedLaunch, 'confinement' | 'confinement_detail' | 'sandbox'> {
  return {
    confinement,
    confinement_detail: `${detail}${lacking === null ? '' : ` ${notHeldBack(lacking, confinement === 'os_sandbox')}`}${sandbox?.layers?.tree || noTree !== null ? straysWords(noTree) : ''}${readOnlyLinks(sandbox?.held ?? [])}${network}`,
    ...(sandbox ? { sandbox } : {}),
  };
}

function commandOf(task: PlannedTask, { purpose }: Launch): readonly string[] {
  return purpose.kind === 'verify' ? (task.verify[purpose.index] ?? []) : task.command;
}

function draftCommand(mission: Mission, task: PlannedTask, launch: Launch, sandboxed: Held): Draft {
  const argv = commandOf(task, launch);
  const detail = 'A command of the plan runs with the rights of this user; its changes are observed afterwards.';
  return {
    worker: 'command',
    argv,
    env: {},
    env_names: mission.plan.env_names,
    prompt: '',
    files: [],
    prepared: {
      worker: 'command',
      cli_version: null,
      version_tested: null,
      argv,
      ...(sandboxed.sandbox
        ? confined(
            sandboxed,
            'task_sandbox',
            `${heldBack({ ...sandboxed.sandbox, services: mission.plan.services, noLayers: sandboxed.noLayers })} ${detail}`,
          )
        : confined(sandboxed, 'none', detail)),
      env_names: mission.plan.env_names,
      model: null,
    },
  };
}

function schemaFor(task: PlannedTask, { claims }: EnginePorts): object {
  if (task.validator) return claims.report;
  return mayRemember(task) ? claims.remembering : claims.schema;
}

function promptFor({ validator, milestone }: PlannedTask, input: PromptInput): string {
  return validator ? buildValidatorPrompt({ ...input, ...validator, milestone: milestone ?? '' }) : buildPrompt(input);
}

type FoundAgent = ResolvedWorker & { readonly name: AgentName };

/** The CLI that the launch runs; null: it runs a command of the plan. */
async function agentOf(
  { approved_here }: Mission,
  { worker }: PlannedTask,
  launch: Launch,
  ports: EnginePorts,
): Promise<Outcome<FoundAgent | null>> {
  if (worker === 'command' || launch.purpose.kind !== 'worker') return { ok: true, value: null };
  const found = await ports.workers.resolve(worker);
  if (!found.ok) return found;
  // Checks them again, because settings may have changed since the start.
  const { extra_args, provider } = found.value;
  const refusal =
    refusalOfExtraArguments(worker, extra_args, ports.workers.surface) ??
    refusalOfChangedHost(worker, provider?.hosts, approved_here?.speaks_to, changedHostStep);
  return refusal ? { ok: false, refusal } : { ok: true, value: { ...found.value, name: worker } };
}

/** The command line without any widened permission. */
function leastPrivileged(worker: AgentWorker, request: LaunchRequest): readonly string[] {
  const { add_directories: addDirectories, skip_git_repo_check, trust_workspace } = noWidening;
  return worker.launch({
    ...request,
    addDirectories,
    skipGitRepoCheck: skip_git_repo_check,
    trustWorkspace: trust_workspace,
    resumeSessionId: null,
  }).argv;
}

function draftAgent(
  mission: Mission,
  task: PlannedTask,
  launch: Launch,
  {
    name,
    executable,
    version,
    extra_args,
    env_names,
    default_model,
    provider,
    sandboxed,
    context,
  }: FoundAgent & {
    readonly sandboxed: Held;
    readonly context: PromptContext | null;
  },
  ports: EnginePorts,
): Draft {
  const worker = agentWorkers[name];
  const { adjustment } = launch;
  const { widening } = adjustment ?? { widening: noWidening };
  const selected = laneOf(mission, task.task_id)?.phases.find(({ phase }) => phase === 3)?.selected;
  const model = selected ? selected.resolved_id : (task.model ?? default_model);
  const request: LaunchRequest = {
    executable,
    version,
    workspaceDir: ports.paths.workspace_dir,
    runDir: ports.paths.runDir(mission.mission_id, launch.run_dir),
    sessionId: launch.session_id,
    resumeSessionId: adjustment?.resume_session_id ?? null,
    model,
    fileLevelOnly: isFileLevelOnly(name, mission.plan),
    writes: task.writes,
    addDirectories: widening.add_directories,
    skipGitRepoCheck: widening.skip_git_repo_check,
    trustWorkspace: widening.trust_workspace,
    resultSchema: schemaFor(task, ports),
    ...(provider && { providerArgs: provider.args }),
    extraArgs: extra_args,
    ...(sandboxed.by === null ? {} : { heldBy: sandboxed.by }),
  };
  const line = worker.launch(request);
  const names = [...new Set([...worker.environmentNames, ...env_names])];
  return {
    worker: name,
    argv: line.argv,
    env: line.env,
    env_names: names,
    prompt: promptFor(task, {
      runId: mission.run_id,
      taskId: task.task_id,
      planId: mission.plan.plan_id,
      description: task.description,
      prompt: task.prompt,
      acceptanceCriteria: task.acceptance_criteria,
      paths: task.paths,
      forbiddenPaths: task.forbidden_paths,
      allowed: mission.plan.scope_allowed,
      forbidden: mission.plan.scope_forbidden,
      constraints: constraintsOn(name, mission.plan),
      writes: task.writes,
      context,
      note: launchNote(mission, task, launch),
      ...(mayRemember(task) && { remembers: true }),
    }),
    files: line.files,
    prepared: {
      worker: name,
      cli_version: version,
      version_tested: version === null ? null : versionStanding(version, worker.testedVersions) === 'tested',
      argv: line.argv,
      ...(adjustment?.recovery_id === null && { least_argv: leastPrivileged(worker, request) }),
      ...confined(
        sandboxed,
        line.confinement,
        `${line.confinementDetail}${sandboxed.sandbox ? untried(sandboxed.sandbox.means) : ''}`,
      ),
      env_names: names,
      ...(provider && { speaks_to: speaksTo(provider) }),
      model,
    },
  };
}
