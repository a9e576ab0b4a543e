import { openDependants } from '../../src/base/dependants';
import { recoveryOutcomes } from '../../src/contracts/vocabulary/recovery';
import { undoPlan } from '../../src/core/lifecycle/changes/undoPlan';
import type { InputBody } from '../../src/core/model/inputs';
import type { MetadataChanges } from '../../src/contracts/commands/metadataChanges';
import type { MissionCommand } from '../../src/contracts/commands/missionCommand';
import { nameOfChange } from '../../src/core/observation/outstanding';
import { waitsForIntervention, waitsForMemory } from '../../src/core/model/lanes';
import { currentLaunch, type Attempt } from '../../src/core/model/attempt';
import { openChanges, rowOf, type Mission } from '../../src/core/model/state';
import type { Dice } from '../support/dice';
import { play } from './play';
import type { AttemptScript, Scenario, SessionScript } from './scenario';

/** Folders of which some hold others, so that locks meet. */
const folders = ['a', 'a/b', 'a/c', 'b', 'c', 'c/d', 'e', 'f'];

/** Up to six tasks in up to four lanes. `shared`: they write the same folders, mostly side by side. */
export function drawPlan(random: Dice, shared = false): Mission['plan'] {
  const tasks = Array.from({ length: 1 + random.below(6) }, (_, index): Scenario['tasks'][number] => ({
    task_id: `T${index}`,
    paths: [random.one(shared ? ['a', 'a/b'] : folders)],
    priority: random.one(['low', 'normal', 'high', 'critical']),
    worker: random.chance(0.3) ? 'claude' : 'command',
    intent: random.chance(0.3) ? 'refactor' : null,
    depends_on: Array.from({ length: index }, (__, earlier) => `T${earlier}`).filter(() =>
      random.chance(shared ? 0.05 : 0.2),
    ),
    verify: random.chance(shared ? 0.8 : 0.3) ? [['check'], ['check', 'more']] : [],
  }));
  const on_block = random.chance(0.15) ? 'fail' : 'recover';
  const after_limit = random.chance(0.5) ? ({ after_limit: 'resume' } as const) : {};
  const situation = { tasks, on_block, ...after_limit, max_parallel: 1 + random.below(4) } as const;
  return play(random.chance(0.3) ? { ...situation, ...drawMilestones(random, tasks) } : situation).mission.plan;
}

/** Up to three milestones over the tasks in their order, so that none waits for a later one. */
function drawMilestones(
  random: Dice,
  tasks: Scenario['tasks'],
): Pick<Scenario, 'tasks'> & Required<Pick<Scenario, 'milestones'>> {
  const assertions = ['It starts.', 'It stops.'];
  const milestones = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
    ...{ id: `M${index}`, title: `Part ${index}` },
    ...random.one([
      { validate: { worker: 'claude' as const, assertions, failure_limit: 1 + random.below(3) } },
      { validate: { verify: [['check']], failure_limit: 1 + random.below(3) } },
      { validate: { mode: 'user-testing' as const, assertions, failure_limit: 1 + random.below(3) } },
      {},
    ]),
  }));
  const place = (index: number): number => Math.floor((index * milestones.length) / tasks.length);
  return {
    milestones,
    tasks: tasks.map((task, index) => ({ ...task, ...(random.chance(0.9) && { milestone: `M${place(index)}` }) })),
  };
}

/** How the validation of a milestone goes: mostly it passes, and the files stay as they are. */
export function drawValidation(random: Dice): AttemptScript {
  const report = random.one(['report_fail', 'report_inconclusive', 'missing', 'report_without_evidence'] as const);
  return {
    changes: [],
    claim: random.chance(0.8) ? 'report_pass' : report,
    tree: random.chance(0.9) ? 'A' : 'B',
    ...(random.chance(0.2) && { tree_later: Array.from({ length: 9 }, () => random.one(['A', 'B', 'unreadable'])) }),
  };
}

/** How work that waits in a layer gets into the workspace: mostly well. */
export function drawLanding(random: Dice): AttemptScript {
  const landing = random.chance(0.85) ? 'lands' : random.one(['changed', 'fails', 'gone'] as const);
  const left = { after_sha256: random.one(['2', '3', '4']).repeat(64) };
  const changes = random.chance(0.95) && { changes: [`a/b/${random.one(['x', 'y', 'z'])}`] };
  return { confined: true, landing, left, ...changes, ...(random.chance(0.2) && { clashes: true as const }) };
}

/** How one effect ends: mostly well. */
export function drawOutcome(random: Dice, mission: Mission): AttemptScript {
  const { task } = random.one(mission.rows);
  const ends = [{ exit_code: 3 }, { tree_gone: false, survivors: [77] }, { reason: 'supervisor_lost' }] as const;
  return {
    changes: random.chance(0.02) ? ['nobody/x'] : task.paths.map((path) => `${path}/x`),
    tree_looks: Array.from({ length: 9 }, () => random.chance(0.7)),
    verify: [random.chance(0.1) ? 1 : 0, random.chance(0.1) ? 1 : 0],
    plan_changed_before: random.chance(0.01),
    plan_changed_during: random.chance(0.02),
    plan_changed_in_verify: random.chance(0.02),
    ...(random.chance(0.02) && { plan_changed_at: random.one(['worker', 'verify'] as const) }),
    baseline_fails: random.chance(0.04),
    cli_missing: random.chance(0.04),
    observation_fails: random.chance(0.04),
    verify_unread: random.chance(0.02),
    verify_changes: random.chance(0.1) ? [random.one(['README.md', 'a/x', 'f/out'])] : [],
    known: { 'README.md': 'tracked' },
    back: random.chance(0.3) ? ['README.md', 'a/x'] : [],
    claim: random.chance(0.1) ? 'done_without_changes' : random.chance(0.1) ? 'blocked_asking' : 'done',
    ...(random.chance(0.6) && { remembers: [`architecture/store = ${random.one(['one', 'two'])}`] }),
    ...(random.chance(0.15) ? { end: random.one(ends) } : {}),
    ...(random.chance(0.1) && { claim: 'missing' as const, end: random.one(limited) }),
  };
}

/** The provider of an agent accepts no more requests for an hour, a week, or for an unknown time. */
const limited = ['2026-01-01T01:00:00Z', '2026-01-08T00:00:00Z', null].map((resets_at) => ({
  ...{ exit_code: 1, final_ok: false, final_reason: 'used up' },
  limit: { reached: true, resets_at },
}));

/** How an effect of an orchestrator's session ends: mostly well. */
export function drawSession(random: Dice): SessionScript {
  const ends = [{ tree_gone: false, survivors: [88] }, { reason: 'deadline' }, { reason: 'supervisor_lost' }] as const;
  return {
    ...(random.chance(0.1) && { impossible: 'WORKER_MISSING' as const }),
    ...(random.chance(0.1) && { changes: ['a/x'] }),
    ...(random.chance(0.05) && { unread: true as const }),
    ...(random.chance(0.2) && { end: random.one(ends) }),
  };
}

/** What a session may ask for, sensible or not. */
export function drawAsk(random: Dice, mission: Mission): InputBody {
  return {
    type: 'OrchestratorHasAsked',
    launch_id: mission.sessions.at(-1)?.launch.launch_id ?? '',
    request_id: `request-${random.below(9)}`,
    ask: {
      tool: 'choose_outcome',
      outcome: random.one(recoveryOutcomes),
      reason: 'because',
      ...(random.chance(0.3) && { question: 'Which?' }),
    },
  };
}

/** What was shown of an undo or a redo. */
function drawUndo(mission: Mission, task_id: string, random: Dice): readonly MissionCommand[] {
  const row = rowOf(mission, task_id);
  const redo = random.chance(0.4);
  const plan = undoPlan(row, redo);
  if (!plan) return [];
  const leaves = plan.request.steps.map(({ path }) => path).filter(() => random.chance(0.2));
  return [{ type: 'UndoAttempt', task_id, attempt: plan.attempt, ...(redo && { redo }), leaves }];
}

/** What a person may want at any time, sensible or not. */
export function drawCommand(random: Dice, mission: Mission): MissionCommand {
  const { task_id } = random.one(mission.rows).task;
  const waits = mission.lanes.find(waitsForIntervention);
  const remembers = mission.lanes.find(waitsForMemory);
  const packet_id = mission.packets.length > 0 ? random.one(mission.packets).packet_id : 'none';
  return random.one<MissionCommand>([
    { type: 'PauseMission' },
    { type: 'ResumeMission' },
    { type: 'ResumeMission' },
    { type: 'StopTask', task_id },
    ...drawUndo(mission, task_id, random),
    ...(waits ? [{ type: 'CompleteIntervention', task_id: waits.task_id } as const] : []),
    ...(remembers ? [drawConfirmation(random, remembers)] : []),
    { type: 'RetryTask', task_id },
    { type: 'RetryTask', task_id },
    { type: 'RetryTask', task_id },
    { type: 'ResolvePacket', packet_id, outcome: random.one(recoveryOutcomes) },
    { type: 'ResolvePacket', packet_id, outcome: 'ask-user', question: 'Which?', choices: ['this', 'that'] },
    {
      type: 'AnswerQuestion',
      task_id: random.one([task_id, null]),
      packet_id: null,
      asked: random.one([null, 'Which?']),
      ...random.one([
        { choice: null, text: 'the first' },
        { choice: random.one(['1', 'validate', 'retry']), text: null },
        { choice: random.one(['pass', 'pass', 'pass', 'fail', 'inconclusive']), text: null },
      ]),
    },
    { type: 'AcceptChanges', task_id, names: rowNames(random, mission, task_id) },
    ...(random.chance(0.4) ? [{ type: 'SkipTask', task_id, dependants: dependantsOf(mission, task_id) } as const] : []),
    { type: 'ReviseMetadata', task_id, packet_id: null, changes: drawChanges(random) },
    { type: 'ExportHandoff', move: random.chance(0.1) },
    { type: 'Acknowledge' },
    ...(random.chance(0.1) ? [{ type: 'CancelMission' } as const] : []),
    ...(random.chance(0.1)
      ? [{ type: 'SupersedeMission', plan_id: 'P-r2', plan_sha256: 'B'.repeat(64) } as const]
      : []),
  ]);
}

/** Mostly as it has to be decided. */
function drawConfirmation(random: Dice, { task_id, memory }: Attempt): MissionCommand {
  const open = (memory?.standings ?? []).filter(({ state }) => state !== 'known' && random.chance(0.95));
  const chosen = open.map(({ name, state }) => ({
    name,
    list: random.chance(0.3) ? 'discard' : state === 'conflict' && random.chance(0.9) ? 'replace' : 'keep',
  }));
  const named = (list: string): readonly string[] => chosen.filter((one) => one.list === list).map(({ name }) => name);
  return { type: 'ConfirmMemory', task_id, keep: named('keep'), replace: named('replace'), discard: named('discard') };
}

/** Also what no task may have. */
function drawChanges(random: Dice): MetadataChanges {
  return random.one<MetadataChanges>([
    { priority: random.one(['low', 'normal', 'high', 'critical']) },
    { timeout_seconds: random.one([1, 600, 1800]), max_runtime_seconds: random.one([900, 3600]) },
    { note: random.one(['', 'Mind it.']) },
    { worker: random.one(['claude', 'codex']) },
  ]);
}

function dependantsOf({ rows }: Mission, taskId: string): readonly string[] {
  return openDependants(
    rows.map(({ task, status }) => ({ task_id: task.task_id, depends_on: task.depends_on, status })),
    taskId,
  );
}

/** What is on the list, mostly; sometimes only a part of it, or something else. */
function rowNames(random: Dice, mission: Mission, taskId: string): readonly string[] {
  const row = mission.rows.find(({ task }) => task.task_id === taskId);
  const names = (row ? openChanges(row) : []).map(nameOfChange).filter(() => random.chance(0.9));
  return names.length > 0 ? names : ['nothing'];
}

/** Something that a live worker does without having been asked. */
export function drawNews(random: Dice, mission: Mission): InputBody | null {
  const lane = mission.lanes.length > 0 ? random.one(mission.lanes) : undefined;
  const launch_id = lane && currentLaunch(lane)?.launch_id;
  if (launch_id === undefined) return null;
  const silence = { last_heartbeat_at: mission.last_at, timeout_seconds: 1200, age_seconds: 1201, found: 'silent' };
  return random.one<InputBody>([
    { type: 'WorkerWentSilent', launch_id, ...silence },
    { type: 'WorkerStaysAfterItsEnd', launch_id, quiet_seconds: 15 },
    { type: 'OutOfScopeWriteWasSeen', launch_id, path: random.one(folders) },
    {
      type: 'DocumentWasSaved',
      save: { path: `${random.one(folders)}/x`, sha256: 'F'.repeat(64), at: mission.last_at },
    },
  ]);
}
