import type { Report } from '../../../core/model/inputs';
import type { Launch } from '../../../core/model/attempt';
import { laneOf } from '../../../core/model/lanes';
import type { Tasks, ReceivedPlan } from '../../../core/model/state';
import type { PlannedTask } from '../../../core/plan/approvedPlan';
import { constraintsOn, isFileLevelOnly } from '../../../core/plan/delegation';
import { frozenContext } from './frozenContext';
import { buildPrompt, type PromptContext, type PromptInput } from '../../../workers/shared/prompt';
import { buildValidatorPrompt } from '../../../workers/shared/validatorPrompt';
import { onlyReads } from '../../../core/confinement/words';
import { changedHostStep, refusalOfChangedHost } from '../../plans/providerHosts';
import type { EnginePorts } from '../../ports/engine';
import { done, type Outcome, type Refusal } from '../../../base/outcome';
import { foldersToRemove } from '../../../core/confinement/folders';
import { noWidening } from '../../../core/recovery/permission/widening';
import { environmentOf, impossibleIn, usable } from './launchEnvironment';
import { assign } from './assign';
import { boundOf } from './confine';
import { findAgent, prepare, type FoundAgent, type LaunchOrder } from './launch';
import { sandboxState } from '../../../core/confinement/sandboxState';
import { mayRemember } from '../../../core/lifecycle/memory';
import { launchNote } from './launchNote';
import { launchById } from './launchById';
import { isApproved } from '../../../core/lifecycle/parts/planWait';
import { planReport } from './planHash';
import { writeOutcome } from '../write/writeOutcome';
import type { EffectRun } from '../run/effectRun';

/** Prepares a launch of a live attempt: its worker, the validator of a milestone, or a verify command. */
export async function prepareLaunch(run: EffectRun<'prepareLaunch'>): Promise<Report> {
  const { effect, mission, ports } = run;
  const { row, lane } = launchById(mission, effect.launch_id);
  const plan = await planReport(mission, lane, ports);
  // Launches nothing by another plan: the launch waits for the approved one.
  if (!isApproved(mission, plan.observed)) return plan;
  const report = await prepareApproved(run);
  if (report.type === 'LaunchWasPrepared') return report;
  await ports.folders.removeEmpty(foldersToRemove(mission, row.task.task_id, ports.paths.scope.comparison));
  return report;
}

async function prepareApproved({ effect, mission, ports, options }: EffectRun<'prepareLaunch'>): Promise<Report> {
  const { launch, lane, row } = launchById(mission, effect.launch_id);
  const { task } = row;
  const { launch_id, nonce, adjustment } = launch;
  const state = sandboxState(mission, lane);
  const isWorker = launch.purpose.kind === 'worker';
  if (isWorker) await writeOutcome(mission, row, ports);
  const assigned = isWorker ? assign(mission, task, launch, ports) : null;
  if (assigned && !assigned.allowed) return assigned.report;
  const environment = isWorker ? await environmentOf(mission, launch, ports) : usable;
  const impossible = (refusal: Refusal): Report => impossibleIn(environment, launch, refusal);
  if (!environment.ok) return impossible(environment.refusal);
  const context = isWorker ? await frozenContext(mission, task, ports) : done(null);
  if (!context.ok) return impossible(context.refusal);
  const agent = await agentOf(mission, task, launch, ports);
  if (!agent.ok) return impossible(agent.refusal);
  const ready = await prepare(
    {
      mission,
      runs: agent.value ?? commandOf(task, launch),
      bound: boundOf(mission, task.task_id, launch, ports),
      ...askedOf(mission, task, launch, { agent: agent.value, context: context.value }, ports),
      files: assigned ? [assigned.file] : [],
      ...(state === 'read_only' && {
        read_only: { read_only: [...row.scope.paths], scratch: [...mission.plan.scratch] },
      }),
      ticket: {
        ...{ run_id: mission.run_id, task_id: task.task_id, launch_id, nonce, fence: options.fence },
        limits: mission.plan.limits,
        ...(adjustment?.resume_session_id && { resumed: true }),
        env: {},
        heartbeat_interval_seconds: task.heartbeat_interval_seconds,
        max_runtime_seconds: task.max_runtime_seconds,
        grace_seconds: options.grace_seconds,
      },
      ticket_seconds: options.ticket_seconds,
      sandbox_state: state,
      ...leastOf(launch),
    },
    ports,
  );
  if (!ready.ok) return impossible(ready.refusal);
  const { value: prepared } = ready;
  const reads = state === 'read_only' ? onlyReads(prepared.sandbox !== undefined) : '';
  return {
    type: 'LaunchWasPrepared',
    launch_id,
    prepared: { ...prepared, confinement_detail: `${prepared.confinement_detail}${reads}` },
    ...(environment.modes.length > 0 && { modes: environment.modes }),
  };
}

function commandOf(task: PlannedTask, { purpose }: Launch): readonly string[] {
  return purpose.kind === 'verify' ? (task.verify[purpose.index] ?? []) : task.command;
}

/** The CLI that the launch runs; null: it runs a command of the plan. */
async function agentOf(
  { approved_here }: ReceivedPlan,
  { worker }: PlannedTask,
  { purpose }: Launch,
  ports: EnginePorts,
): Promise<Outcome<FoundAgent | null>> {
  if (worker === 'command' || purpose.kind !== 'worker') return done(null);
  const found = await findAgent(worker, ports);
  if (!found.ok) return found;
  const { provider } = found.value;
  const refusal = refusalOfChangedHost(worker, provider?.hosts, approved_here?.speaks_to, changedHostStep);
  return refusal ? { ok: false, refusal } : found;
}

/** Asks for the line without any widened permission, where a person or an earlier success gave the launch more. */
function leastOf({ adjustment }: Launch): Pick<LaunchOrder, 'least'> {
  if (adjustment?.recovery_id !== null) return {};
  const { add_directories: addDirectories, skip_git_repo_check, trust_workspace } = noWidening;
  const flags = { skipGitRepoCheck: skip_git_repo_check, trustWorkspace: trust_workspace };
  return { least: { addDirectories, ...flags, resumeSessionId: null } };
}

/** The request and the prompt of an agent; a command has no prompt. */
function askedOf(
  mission: Tasks,
  task: PlannedTask,
  launch: Launch,
  { agent, context }: { readonly agent: FoundAgent | null; readonly context: PromptContext | null },
  ports: EnginePorts,
): Pick<LaunchOrder, 'asked' | 'prompt'> {
  const { adjustment } = launch;
  const { widening } = adjustment ?? { widening: noWidening };
  const selected = laneOf(mission, task.task_id)?.phases.find(({ phase }) => phase === 3)?.selected;
  const { validator } = task;
  const remembers = mayRemember(task);
  const asked = {
    sessionId: launch.session_id,
    resumeSessionId: adjustment?.resume_session_id ?? null,
    model: selected ? selected.resolved_id : (task.model ?? agent?.default_model ?? null),
    fileLevelOnly: isFileLevelOnly(agent?.name ?? 'command', mission.plan),
    writes: task.writes,
    addDirectories: widening.add_directories,
    skipGitRepoCheck: widening.skip_git_repo_check,
    trustWorkspace: widening.trust_workspace,
    resultSchema: validator ? ports.claims.report : remembers ? ports.claims.remembering : ports.claims.schema,
  };
  if (!agent) return { asked, prompt: '' };
  const input: PromptInput = {
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
    constraints: constraintsOn(agent.name, mission.plan),
    writes: task.writes,
    context,
    note: launchNote(mission, task, launch),
    ...(remembers && { remembers: true }),
  };
  const prompt = validator
    ? buildValidatorPrompt({ ...input, ...validator, milestone: task.milestone ?? '' })
    : buildPrompt(input);
  return { asked, prompt };
}
