import type { HandoffBundle, MissionHandoff } from '../../contracts/handoff';
import type { Blocker, Dependency, LedgerRow, Lock } from '../../contracts/freshContext';
import { codeOfCategory, type ReasonCategory } from '../../contracts/vocabulary/codes/codes';
import { freshContextLimits, freshContextVersion } from '../../contracts/vocabulary/freshContext';
import type { HandoffRole } from '../../contracts/vocabulary/handoff';
import { waitsInLayer } from '../confinement/boundary';
import { minimalScope } from '../locks/conflicts';
import type { MissionEvent } from '../model/events';
import type { Handoff } from '../model/handoffFacts';
import { attemptsOf } from '../mission/handoff/handoffs';
import { laneOf } from '../model/lanes';
import type { JournalEntry } from '../model/journalEntry';
import type { Mission, TaskRow, Course, Tasks } from '../model/state';
import { lastLeft, observedOf } from '../mission/evidence/outputs';
import { missionStatus } from '../mission/status';
import { contractCode } from '../documents/verdict';

export interface HandoffWorld {
  readonly at: string;
  readonly role: HandoffRole;
  readonly base_commit: string | null;
  /** Last sign of life of tasks in progress, by task. */
  readonly heartbeats: Readonly<Record<string, string>>;
  readonly files: MissionHandoff['files'];
  readonly changes: MissionHandoff['changes'];
}

/** The handoff bundle of a mission: the nine fields of seed 003, and in `x_mission` what else another clone needs. */
export function handoffBundle(
  mission: Mission,
  entries: readonly JournalEntry<MissionEvent>[],
  handoff: Pick<Handoff, 'n' | 'why' | 'move'>,
  world: HandoffWorld,
): HandoffBundle {
  const { plan, rows } = mission;
  return {
    schema_version: freshContextVersion,
    run_id: mission.run_id,
    objective: objectiveOf(mission),
    constraints: {
      risk_level: plan.risk_level,
      scope_allowed: plan.scope_allowed,
      scope_forbidden: plan.scope_forbidden,
      delegation: plan.constraints,
      mode: plan.mode,
      max_parallel: plan.max_parallel,
      on_block: plan.on_block,
      environment: plan.environment,
      budget: plan.budget,
      recovery_allow: plan.recovery_allow,
      success_criteria: plan.success_criteria,
    },
    ledger: rows.map((row) => ledgerRow(mission, row, entries, world)),
    active_locks: heldLocks(mission),
    dependencies: rows.flatMap(({ task }): readonly Dependency[] =>
      task.depends_on.map((on) => ({ task_id: task.task_id, depends_on_task_id: on })),
    ),
    open_blockers: rows.filter(({ status }) => status === 'blocked').map((row) => blockerOf(mission, row)),
    acceptance_targets: rows.map(({ task }) => ({ task_id: task.task_id, criteria: criteriaOf(task) })),
    generated_at: world.at,
    x_mission: {
      mission_id: mission.mission_id,
      handoff: handoff.n,
      why: handoff.why,
      status: missionStatus(mission),
      plan_id: plan.plan_id,
      plan_path: mission.plan_path,
      plan_sha256: mission.plan_sha256,
      moved: handoff.move !== null,
      base_commit: world.base_commit,
      role: world.role,
      tool_version: mission.tool_version,
      files: world.files,
      changes: world.changes,
    },
  };
}

export function isUntouched({ version, revisions }: Pick<TaskRow, 'version' | 'revisions'>): boolean {
  return version === 0 && revisions.length === 0;
}

/** Every path that ended attempts changed, as the last of them left it. */
export function observedChanges(rows: readonly TaskRow[]): ReturnType<typeof lastLeft> {
  return lastLeft(rows.map((row) => ({ task_id: row.task.task_id, outputs: observedOf(row) })));
}

/** The plan in words, cut to `longest` characters; the locked plan has all of it. */
export function objectiveOf({ plan }: Pick<Mission, 'plan'>, longest: number = freshContextLimits.objective): string {
  let text = `Carry out the approved plan ${plan.plan_id} for goal ${plan.goal_id}.`;
  for (const task of plan.tasks) {
    text += `\n${task.task_id}: ${task.description}`;
    if (text.length > longest) {
      const rest = `... (${plan.tasks.length} tasks in all)`;
      return text.slice(0, longest - rest.length) + rest;
    }
  }
  return text;
}

function ledgerRow(
  mission: Tasks,
  row: TaskRow,
  entries: readonly JournalEntry<MissionEvent>[],
  world: HandoffWorld,
): LedgerRow {
  const { task } = row;
  const title = task.description.trim() === '' ? task.task_id : task.description;
  return {
    task_id: task.task_id,
    title: title.slice(0, freshContextLimits.title),
    status: row.status,
    owner: row.status === 'todo' ? 'unassigned' : task.worker,
    lock_scope: [...minimalScope(task.paths)],
    dependencies: [...task.depends_on],
    timeout_seconds: task.timeout_seconds,
    heartbeat_interval_seconds: task.heartbeat_interval_seconds,
    priority: task.priority,
    last_heartbeat_at: heartbeatOf(mission, row, world),
    type: mission.plan.mode === 'parallel' ? 'parallelizable' : 'serial',
    acceptance_criteria: task.acceptance_criteria.filter((criterion) => criterion.trim() !== ''),
    context_package: task.prompt === null || task.prompt.trim() === '' ? [] : [{ kind: 'note', value: task.prompt }],
    version: row.version,
    retry_count: entries.filter(
      ({ event }) => event.type === 'RowTransitioned' && event.task_id === task.task_id && event.to === 'blocked',
    ).length,
  };
}

/** The last known sign of life; null before the task has started. */
function heartbeatOf(mission: Tasks, row: TaskRow, { heartbeats }: HandoffWorld): string | null {
  if (row.status === 'in_progress')
    return heartbeats[row.task.task_id] ?? laneOf(mission, row.task.task_id)?.started_at ?? row.started_at ?? null;
  const last = row.attempts.at(-1);
  const ended = last?.launches.at(-1)?.end?.ended_at ?? last?.ended_at ?? row.carried?.attempts.at(-1)?.ended_at;
  // A task that a revision carried over has no attempt here, and was done.
  return ended ?? (row.status === 'done' ? row.ended_at : null);
}

export function heldLocks(mission: Tasks): Lock[] {
  return mission.rows
    .filter(({ lock }) => lock === 'held')
    .flatMap((row) => {
      const { task_id, paths } = row.task;
      const layered = waitsInLayer(mission, row, false) && { x_layered: true as const };
      return minimalScope(paths).map((resource) => ({ task_id, resource, active: true, ...layered }));
    });
}

function blockerOf(mission: Course, row: TaskRow): Blocker {
  const packet = mission.packets.findLast(({ task_id }) => task_id === row.task.task_id);
  const category = blockCategory(row);
  return {
    task_id: row.task.task_id,
    code: contractCode(row.code ?? (category === null ? 'DEPENDENCY_NOT_MET' : codeOfCategory[category])),
    reason: row.reason.trim() === '' ? 'No reason was recorded.' : row.reason,
    details: {
      category,
      packet_id: packet?.packet_id ?? null,
      packet_state: packet?.state.kind ?? null,
      attempts: attemptsOf(row),
    },
  };
}

export function blockCategory(row: TaskRow): ReasonCategory | null {
  if (row.status !== 'blocked') return null;
  const failure = row.attempts.at(-1)?.failure;
  if (failure?.kind === 'recoverable') return failure.category;
  return row.attempts.length === 0 ? (row.carried?.category ?? 'no_runnable_pending_work') : 'no_runnable_pending_work';
}

export function criteriaOf(task: TaskRow['task']): string[] {
  const stated = task.acceptance_criteria.filter((criterion) => criterion.trim() !== '');
  const verified = task.verify.map((argv) => `verify passes: ${argv.join(' ')}`);
  const all = [...stated, ...verified];
  return all.length > 0 ? all : ['result valid, changes inside the paths, claim equals observation'];
}
