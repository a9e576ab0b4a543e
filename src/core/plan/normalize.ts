import type { Plan, PlanTask } from '../../contracts/plan';
import { readOnlyIntents } from '../../contracts/vocabulary/intents';
import { parallelLimits, resourceLimits, timeLimits } from '../../contracts/vocabulary/plan';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import { servicesOf } from '../paths/services';
import { readWrittenPath } from '../paths/writtenPath';
import type { ApprovedPlan, CarriedFrom, PlannedTask } from './approvedPlan';
import { withMilestones } from './milestones';
import { resolveIntent } from './rules/resolveIntent';

/**
 * Fills in all defaults and normalises all paths of a plan without error findings.
 *
 * @throws for an invalid path, which is a broken invariant
 */
export function approvedPlanOf(plan: Plan, { defaultWorker }: { readonly defaultWorker: WorkerName }): ApprovedPlan {
  const { execution, approval } = plan;
  const services = servicesOf(execution.network, execution.devices);
  const instructions = pathsOf(execution.project_instructions ?? []);
  return {
    plan_id: plan.plan_id,
    goal_id: plan.goal_id,
    risk_level: plan.risk.level,
    scope_allowed: plan.scope.allowed,
    scope_forbidden: plan.scope.forbidden ?? [],
    ...withMilestones(
      plan,
      plan.tasks.map((task) => plannedTaskOf(task, defaultWorker)),
    ),
    mode: execution.mode ?? 'sequential',
    max_parallel: execution.mode === 'parallel' ? (execution.max_parallel ?? parallelLimits.default) : 1,
    on_block: execution.on_block ?? 'recover',
    environment: execution.environment ?? null,
    env_names: unique(execution.env ?? []),
    constraints: unique(execution.delegation?.constraints ?? []),
    ...(execution.delegation?.claude_code === true && { delegates_claude: true as const }),
    recovery_allow: unique(execution.recovery?.allow ?? []),
    recovery_directories: unique(execution.recovery?.directories ?? []),
    ...(execution.recovery?.after_limit === 'resume' && { after_limit: 'resume' as const }),
    confinement: execution.confinement ?? null,
    network: execution.network === true,
    ...(services && { services }),
    agent_network: execution.agent_network ?? null,
    ...(instructions.length > 0 && { project_instructions: instructions }),
    scratch: pathsOf(execution.scratch ?? []),
    folders: pathsOf(
      [...plan.tasks.flatMap((task) => task.paths), ...(execution.scratch ?? [])].filter((text) => text.endsWith('/')),
    ),
    limits: {
      processes: execution.limits?.processes ?? resourceLimits.processes.default,
      memory_mb: execution.limits?.memory_mb ?? resourceLimits.memory_mb.default,
      file_mb: execution.limits?.file_mb ?? resourceLimits.file_mb.default,
    },
    success_criteria: plan.success_criteria,
    budget: {
      tokens: execution.budget?.tokens ?? null,
      usd: execution.budget?.usd ?? null,
      on_exceed: execution.budget?.on_exceed ?? 'pause',
    },
    supersedes: plan.supersedes ?? null,
    approved_by: approval.approved_by ?? null,
    approved_at: approval.approved_at ?? null,
  };
}

function plannedTaskOf(task: PlanTask, defaultWorker: WorkerName): PlannedTask {
  const worker = task.worker ?? defaultWorker;
  return {
    task_id: task.task_id,
    description: task.description,
    worker,
    ...(task.worker === undefined && { worker_from: 'default' as const }),
    command: worker === 'command' ? (task.command ?? []) : [],
    model: task.model ?? null,
    tier: task.tier ?? null,
    ...intentOf(task, worker),
    prompt: task.prompt ?? null,
    requires: unique(task.requires ?? []),
    depends_on: unique(task.depends_on ?? []),
    paths: pathsOf(task.paths),
    forbidden_paths: pathsOf(task.forbidden_paths ?? []),
    acceptance_criteria: task.acceptance_criteria ?? [],
    verify: task.verify ?? [],
    timeout_seconds: task.timeout_seconds ?? timeLimits.timeout_seconds.default,
    heartbeat_interval_seconds: task.heartbeat_interval_seconds ?? timeLimits.heartbeat_interval_seconds.default,
    max_runtime_seconds: task.max_runtime_seconds ?? timeLimits.max_runtime_seconds.default,
    priority: task.priority ?? 'normal',
    writes: task.intent === undefined || !(readOnlyIntents as readonly string[]).includes(task.intent),
    ...(task.carried_from && { carried_from: carriedFrom(task.carried_from) }),
  };
}

function carriedFrom({ plan_id, mission_id, evidence_sha256 }: NonNullable<PlanTask['carried_from']>): CarriedFrom {
  return { plan_id, mission_id, evidence_sha256: evidence_sha256.toUpperCase() };
}

function intentOf(task: PlanTask, worker: WorkerName): Pick<PlannedTask, 'intent' | 'intent_from'> {
  if (worker === 'command') return { intent: task.intent ?? null, intent_from: 'declared' };
  const { intent = null, type = null, description } = task;
  const resolved = resolveIntent({ intent, type, description });
  // No validation lets an ambiguous intent pass.
  if (resolved.kind === 'ambiguous') return { intent: 'code_generation', intent_from: 'default' };
  return { intent: resolved.intent, intent_from: resolved.from };
}

function pathsOf(texts: readonly string[]): readonly string[] {
  return unique(
    texts.map((text) => {
      const reading = readWrittenPath(text);
      if (!reading.ok) throw new Error(`A plan with an invalid path (${text}) got past its validation.`);
      return reading.path;
    }),
  );
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
