import type { LaunchTicket } from '../../contracts/launch';
import type { Effect } from '../../core/mission/effects';
import type { PreparedLaunch } from '../../core/model/facts';
import type { Report } from '../../core/model/inputs';
import { changesAtEnd } from '../../core/observation/verifyChange';
import { rowOf, type Launch, type Mission } from '../../core/model/state';
import type { PlannedTask } from '../../core/plan/approvedPlan';
import { buildPrompt } from '../../workers/shared/prompt';
import { agentWorkers } from '../../workers/registry';
import { versionStanding } from '../../workers/versions';
import type { EngineOptions } from '../ports/context';
import { refusalOfExtraArguments } from '../plans/extraArguments';
import type { EnginePorts } from '../ports/engine';
import type { Outcome } from '../../base/outcome';
import { assign } from './assign';
import { launchById } from './launchById';

/** What is going to run: everything but the ticket. */
interface Draft {
  readonly worker: LaunchTicket['worker'];
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly env_names: readonly string[];
  readonly prompt: string;
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly prepared: Omit<PreparedLaunch, 'prompt_sha256'>;
}

/** Writes the run directory with its ticket. Nothing is started by it. */
export async function prepareLaunch(
  effect: Extract<Effect, { kind: 'prepareLaunch' }>,
  mission: Mission,
  ports: EnginePorts,
  options: EngineOptions,
): Promise<Report> {
  const { launch, row } = launchById(mission, effect.launch_id);
  const { task } = row;
  const assigned = launch.purpose.kind === 'worker' ? assign(mission, task, launch, ports) : null;
  if (assigned && !assigned.allowed) return assigned.report;
  const drafted =
    launch.purpose.kind === 'worker' && task.worker !== 'command'
      ? await draftAgent(mission, task, launch, ports)
      : draftCommand(mission, task, launch);
  if (!drafted.ok)
    return {
      type: 'LaunchWasImpossible',
      launch_id: launch.launch_id,
      code: drafted.refusal.code,
      reason: drafted.refusal.reason,
    };
  const draft = drafted.value;
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
    cwd: ports.paths.workspace_dir,
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
  if (!written.ok)
    return {
      type: 'LaunchWasImpossible',
      launch_id: launch.launch_id,
      code: written.refusal.code,
      reason: written.refusal.reason,
    };
  return {
    type: 'LaunchWasPrepared',
    launch_id: launch.launch_id,
    prepared: { ...draft.prepared, prompt_sha256: written.value.prompt_sha256 },
  };
}

function draftCommand(mission: Mission, task: PlannedTask, launch: Launch): Outcome<Draft> {
  const argv = launch.purpose.kind === 'verify' ? (task.verify[launch.purpose.index] ?? []) : task.command;
  return {
    ok: true,
    value: {
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
        confinement: 'none',
        confinement_detail:
          'A command of the plan runs with the rights of this user; its changes are observed afterwards.',
        env_names: mission.plan.env_names,
        model: null,
      },
    },
  };
}

async function draftAgent(
  mission: Mission,
  task: PlannedTask,
  launch: Launch,
  ports: EnginePorts,
): Promise<Outcome<Draft>> {
  if (task.worker === 'command') throw new Error('A command task has no agent.');
  const found = await ports.workers.resolve(task.worker);
  if (!found.ok) return found;
  const { executable, version, extra_args, env_names, default_model } = found.value;
  // The start was refused with them already; settings may have changed since.
  const refusal = refusalOfExtraArguments(task.worker, extra_args, ports.workers.surface);
  if (refusal) return { ok: false, refusal };
  const worker = agentWorkers[task.worker];
  const model = task.model ?? default_model;
  const line = worker.launch({
    executable,
    version,
    workspaceDir: ports.paths.workspace_dir,
    runDir: ports.paths.runDir(mission.mission_id, launch.run_dir),
    sessionId: launch.session_id,
    resumeSessionId: null,
    model,
    fileLevelOnly: mission.plan.constraints.includes('file_level_only'),
    writes: task.writes,
    addDirectories: [],
    // Only what the approved bytes allow; a plan that allows nothing starts without either.
    skipGitRepoCheck: mission.plan.recovery_allow.includes('skip_git_repo_check'),
    trustWorkspace: mission.plan.recovery_allow.includes('trust_workspace'),
    resultSchema: ports.claims.schema,
    extraArgs: extra_args,
  });
  const names = [...new Set([...worker.environmentNames, ...env_names])];
  return {
    ok: true,
    value: {
      worker: task.worker,
      argv: line.argv,
      env: line.env,
      env_names: names,
      prompt: buildPrompt({
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
        constraints: mission.plan.constraints,
        writes: task.writes,
        note: noteOf(mission, task),
      }),
      files: line.files,
      prepared: {
        worker: task.worker,
        cli_version: version,
        version_tested: version === null ? null : versionStanding(version, worker.testedVersions) === 'tested',
        argv: line.argv,
        confinement: line.confinement,
        confinement_detail: line.confinementDetail,
        env_names: names,
        model,
      },
    },
  };
}

/** A repeated attempt is told what happened before, so that side effects are not repeated blindly. */
function noteOf(mission: Mission, task: PlannedTask): string | null {
  const earlier = rowOf(mission, task.task_id)?.attempts.at(-1);
  if (!earlier) return null;
  const changed = changesAtEnd(earlier.observed?.changes ?? [], earlier.after_verify?.changes ?? [])
    .filter((change) => change.attribution === 'worker')
    .map((change) => `${change.kind} ${change.path}`);
  return [
    `This is attempt ${earlier.attempt + 1}. The earlier attempt ended: ${earlier.failure?.reason ?? earlier.outcome}`,
    changed.length > 0
      ? `It left these changes in the tree: ${changed.slice(0, 100).join(', ')}.`
      : 'It left no changes in the tree.',
    'Look at what is there before you repeat anything.',
  ].join('\n');
}
