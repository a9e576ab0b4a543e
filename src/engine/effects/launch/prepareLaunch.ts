import { errorLines } from '../../../core/documents/finding';
import type { Report } from '../../../core/model/inputs';
import type { Launch, EndedAttempt } from '../../../core/model/attempt';
import { laneOf } from '../../../core/model/lanes';
import { type Tasks, type ReceivedPlan, rowOf } from '../../../core/model/state';
import type { PlannedTask } from '../../../core/plan/approvedPlan';
import { constraintsOn, isFileLevelOnly } from '../../../core/plan/delegation';
import { buildPrompt, type PromptContext, type PromptInput } from '../../../workers/shared/prompt';
import { buildValidatorPrompt } from '../../../workers/shared/validatorPrompt';
import { onlyReads } from '../../../core/confinement/words';
import { changedHostStep, refusalOfChangedHost } from '../../plans/providerHosts';
import type { EnginePorts } from '../../ports/engine';
import { done, type Outcome, type Refusal, refused } from '../../../base/outcome';
import { foldersToRemove, waitsInLayer } from '../../../core/confinement/boundary';
import { noWidening } from '../../../core/recovery/permission/widening';
import { environmentOf, impossibleIn, usable } from './launchEnvironment';
import { sentBack, type WaitingWork } from '../../../core/model/waitingWork';
import { boundOf } from './confine';
import { findAgent, prepare, type FoundAgent, type LaunchOrder } from './launch';
import { sandboxState } from '../../../core/confinement/sandboxState';
import { mayRemember } from '../../../core/lifecycle/memory';
import { launchById } from './journalledLaunch';
import { isApproved } from '../../../core/lifecycle/parts/planWait';
import { planReport } from './planHash';
import { isGone } from '../write/landWork';
import { writeOutcome } from '../write/written';
import type { EffectRun } from '../run/effectRun';
import { workPlaces } from '../../../contracts/vocabulary/confinement';
import { validateAssignment } from '../../../core/freshContext/assignment';
import { heldLocks } from '../../../core/handoff/bundle';
import { assignmentContext, taskAssignment } from '../../../core/handoff/taskAssignment';
import { surroundingsOf } from '../../../core/mission/evidence/ledgerDocument';
import { projectFile } from '../../../contracts/vocabulary/aiProject';
import { listAt, objectAt, parsedJson, textAt } from '../../../base/json';
import { lockedIntent } from '../../../core/context/tier0';
import { grantWords } from '../../../base/text/words';
import { announcedBy } from '../../../core/lifecycle/parts/announced';
import type { Change } from '../../../core/observation/change';
import { changesAtEnd } from '../../../core/observation/verifyChange';

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
  const work = launch.purpose.kind === 'worker' ? sentBack(mission, row) : null;
  const isLost = work !== null && (await isGone(mission, work, ports));
  const back = isLost ? null : work;
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
      bound: boundOf(mission, task.task_id, { ...launch, back }, ports),
      ...askedOf(mission, task, launch, { agent: agent.value, context: context.value, back }, ports),
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
    prepared: { ...prepared, confinement_detail: `${prepared.confinement_detail}${reads}${isLost ? backIsLost : ''}` },
    ...(environment.modes.length > 0 && { modes: environment.modes }),
  };
}

const backIsLost = ' The layer of the work that was sent back is not there, so the task begins anew.';

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

function askedOf(
  mission: Tasks,
  task: PlannedTask,
  launch: Launch,
  {
    agent,
    context,
    back,
  }: Pick<PromptInput, 'context'> & {
    readonly agent: FoundAgent | null;
    readonly back: WaitingWork | null;
  },
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
    note: launchNote(mission, task, { ...launch, back }),
    ...(remembers && { remembers: true }),
  };
  const prompt = validator
    ? buildValidatorPrompt({ ...input, ...validator, milestone: task.milestone ?? '' })
    : buildPrompt(input);
  return { asked, prompt };
}

export const assignmentFile = 'assignment.json';

type Assigned =
  | { readonly allowed: true; readonly file: { readonly path: string; readonly content: string } }
  | { readonly allowed: false; readonly report: Report };

/** Builds a task's assignment packet before dispatch, or reports the contract's code when it is not valid. */
function assign(mission: Tasks, task: PlannedTask, launch: Launch, ports: EnginePorts): Assigned {
  const surroundings = surroundingsOf(mission);
  const worklog = ports.paths.missionFile(mission.mission_id, `runs/${launch.run_dir}/${workPlaces.worklog}`);
  const row = rowOf(mission, task.task_id);
  const shares = waitsInLayer(mission, row, false);
  const locks = heldLocks(mission).filter(({ x_layered }) => !(x_layered && shares));
  const packet = taskAssignment(mission, task, { worklog, at: ports.clock.now(), locks, surroundings });
  const verdict = validateAssignment(
    { value: packet, shape: ports.claims.assignmentShape(packet) },
    assignmentContext(mission, surroundings),
  );
  if (verdict.allow || verdict.code === 'OK')
    return { allowed: true, file: { path: assignmentFile, content: `${JSON.stringify(packet, null, 2)}\n` } };
  const { code, reason, details } = verdict;
  const findings = errorLines(details.findings);
  return {
    allowed: false,
    report: { type: 'AssignmentWasRefused', launch_id: launch.launch_id, code, reason, findings },
  };
}

/** The kept bytes, as long as they and their file are what phase 2 froze. Source: seed 004, context mutation. */
async function frozenContext(
  mission: Tasks,
  task: PlannedTask,
  ports: EnginePorts,
): Promise<Outcome<PromptContext | null>> {
  const lane = laneOf(mission, task.task_id);
  if (!lane?.context) return done(null);
  const { kept, snapshot_sha256, project_sha256 } = lane.context;
  const file = await ports.evidence.read(kept);
  if (!file.ok) return file;
  if (file.value?.sha256 !== snapshot_sha256)
    return refused(
      'CONTEXT_CHANGED',
      `The context that was frozen for this task is ${file.value ? 'not the one that is kept' : 'gone'} (${kept}).`,
      'Find out who changed it, then retry the task.',
    );
  if (project_sha256 !== null) {
    const now = await ports.project.read(lockedIntent(lane, task));
    if (now.kind !== 'read' || now.text.sha256 !== project_sha256) {
      const reason = `${projectFile} changed after the context of this task was frozen.`;
      return refused('CONTEXT_CHANGED', reason, 'Retry the task, so that it is read again.');
    }
  }
  const snapshot = parsedJson(file.value.text);
  const project = objectAt(objectAt(snapshot, 'project'), 'document');
  const entries = listAt(objectAt(snapshot, 'restore'), 'entries') ?? [];
  return done({
    project: project === null ? null : JSON.stringify(project, null, 2),
    answers: (listAt(snapshot, 'answers') ?? []).flatMap((entry) => {
      const question = textAt(entry, 'question');
      const answer = textAt(entry, 'answer');
      return question === null || answer === null ? [] : [{ question, answer }];
    }),
    notes: {
      person: textAt(objectAt(snapshot, 'note_of_a_person'), 'text'),
      orchestrator: textAt(objectAt(snapshot, 'note_of_the_orchestrator'), 'text'),
    },
    instructions: (listAt(snapshot, 'instructions') ?? []).flatMap((entry) => {
      const path = textAt(entry, 'path');
      const text = textAt(entry, 'text');
      return path === null || text === null ? [] : [{ path, text }];
    }),
    memory: entries.length === 0 ? null : JSON.stringify(entries, null, 2),
  });
}

/** Reads the plan file's hash before a task is dispatched; the terminal of an earlier worker shows the new attempt. */
export async function checkPlanHash({
  effect: { task_id },
  mission,
  ports,
}: EffectRun<'checkPlanHash'>): Promise<Report> {
  const row = rowOf(mission, task_id);
  const lane = laneOf(mission, task_id);
  if (!lane) throw new Error(`Broken invariant: no live attempt of task ${task_id}.`);
  await writeOutcome(mission, row, ports);
  return planReport(mission, lane, ports);
}

/** Says what was done before this launch, so that a worker does not repeat side effects blindly; null: nothing. */
function launchNote(
  mission: Tasks,
  task: PlannedTask,
  launch: Launch & { readonly back: WaitingWork | null },
): string | null {
  const notes = [attemptNote(mission, task, launch.back), recoveryNote(mission, task, launch), grantNote(launch)];
  const given = notes.filter((note) => note !== null);
  return given.length === 0 ? null : [...given, 'Look at what is there before you repeat anything.'].join('\n');
}

function attemptNote(mission: Tasks, task: PlannedTask, back: WaitingWork | null): string | null {
  const earlier = rowOf(mission, task.task_id).attempts.at(-1);
  if (!earlier) return null;
  return [
    `This is attempt ${earlier.attempt + 1}. The earlier attempt ended: ${earlier.failure?.reason ?? earlier.outcome}`,
    ...leftLines(earlier),
    ...(back ? ['A person sent the work of this task back. It is there: change it, and report all of it.'] : []),
  ].join('\n');
}

/** Names the worker for what it announced alone: other programs write in the same paths at the same time. */
function leftLines(earlier: EndedAttempt): readonly string[] {
  const { observed, after_verify } = earlier;
  if (!observed) return ['What it left in the tree was not observed.'];
  const left = changesAtEnd(observed.changes, after_verify?.changes ?? []).filter(
    ({ attribution, scratch }) => attribution === 'worker' && !scratch,
  );
  const announced = announcedBy(earlier, left);
  const [own, others] = [left.filter((one) => announced.has(one)), left.filter((one) => !announced.has(one))];
  const named = (changes: readonly Change[]): string =>
    changes
      .slice(0, 100)
      .map(({ kind, path }) => `${kind} ${path}`)
      .join(', ');
  if (left.length === 0) return ['No change in the approved paths was observed.'];
  return [
    ...(own.length > 0 ? [`Its worker announced these changes: ${named(own)}.`] : []),
    ...(others.length > 0 ? [`These changed while it ran, and nothing shows who changed them: ${named(others)}.`] : []),
  ];
}

/** Lists no file, because the runner observes them only after the attempt's last launch has ended. */
function recoveryNote(mission: Tasks, task: PlannedTask, { adjustment }: Launch): string | null {
  const recovery = laneOf(mission, task.task_id)?.recoveries.find(
    ({ recovery_id }) => recovery_id === adjustment?.recovery_id,
  );
  if (!adjustment || !recovery) return null;
  const denied = `An earlier start of this task was ended because something was denied to it: ${recovery.issue_detected}${recovery.path === null ? '' : ` (${recovery.path})`}.`;
  return `${denied} That was corrected, so try it again. What the earlier start had written is still there.`;
}

function grantNote({ adjustment }: Launch): string | null {
  const places = (adjustment?.granted ?? []).filter(({ permission }) => permission === 'add_directory').map(grantWords);
  return places.length === 0 ? null : `A person granted you for this attempt: ${places.join('; ')}.`;
}
