import type { IgnoredBy } from '../../contracts/vocabulary/files/evidenceFiles';
import type { AgentNetwork, ConfinementMode, SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { AgentName, Confinement, WorkerName } from '../../contracts/vocabulary/workers';
import type { RevisionOverview } from '../../base/text/revision';
import { intentWords } from '../../base/text/words';
import type { Outcome } from '../../base/outcome';
import type { ApprovedPlan, MilestoneValidator, PlannedTask } from './approvedPlan';
import { rights, type Right, type RightsFacts } from './rights';
import type { InstructionsFile } from './rules/instructions';

/** How a worker is confined; `detail` is a sentence of its adapter. */
export interface ConfinementFact {
  readonly confinement: Confinement;
  readonly detail: string;
}

/** Where the launches of an agent lead here, or why they do not start. */
export type ProviderStanding = Outcome<{
  readonly hosts: readonly string[];
  readonly from: string;
  readonly args: readonly string[];
  readonly alone: boolean;
}>;

/** What this machine adds to a plan: whether it can confine what runs, whether a setting asks for it, and models. */
export interface MachineConfinement {
  /** The mode of the setting or the command line; null: neither asks for a mode. */
  readonly wanted: ConfinementMode | null;
  /** The same for the network of agents. */
  readonly agent_network?: AgentNetwork | null;
  /** What agents reach in addition to their provider, by their names. */
  readonly hosts?: Readonly<Partial<Record<AgentName, readonly string[]>>>;
  /** Where agents lead; absent: not read. */
  readonly providers?: Readonly<Partial<Record<AgentName, ProviderStanding>>>;
  /** The models that settings or the command line name for tasks that name none. */
  readonly models?: Readonly<Partial<Record<AgentName, string | null>>>;
  readonly standing:
    | {
        readonly kind: 'available';
        readonly means: SandboxMeans;
        readonly not_nested: string | null;
        readonly no_layers: string | null;
        readonly no_tree?: string | null;
      }
    | { readonly kind: 'unavailable'; readonly reason: string; readonly next?: string };
}

/** What a person has to see before approving. */
export interface ApprovalSummary {
  /** All that the plan opens, the largest first. */
  readonly rights: readonly Right[];
  readonly plan_id: string;
  readonly goal_id: string;
  readonly plan_sha256: string;
  /** `plan_sha256` is of the file as the approval writes it; absent: it is approved already. */
  readonly as_written?: true;
  readonly risk_level: number;
  /** The most tasks at once; 1 unless the plan asks for lanes. */
  readonly max_parallel: number;
  readonly tasks: readonly {
    readonly task_id: string;
    readonly description: string;
    readonly worker: WorkerName;
    /** What kind of work an agent is given, and what says so; null for a command. */
    readonly intent: string | null;
    /** The model that policy selects for it here, or why it refuses; null for a command. */
    readonly model: string | null;
    readonly paths: readonly string[];
    /** What confines its worker on this machine. */
    readonly confinement: Confinement;
    /** The worker's argument vector; like `verify`, a process that is started for the task. */
    readonly argv: readonly string[];
    readonly verify: readonly (readonly string[])[];
    /** The plan's instructions for an agent; null for a command. */
    readonly prompt: string | null;
    readonly forbidden_paths: readonly string[];
    readonly requires: readonly string[];
    readonly acceptance_criteria: readonly string[];
    readonly max_runtime_seconds: number;
    /** Who answers for a unit that validates a milestone, and each assertion. Absent: a task. */
    readonly validates?: readonly string[];
  }[];
  /** Where the model policy of this machine comes from and its hash, or why nothing runs; null: not asked for. */
  readonly policy: string | null;
  readonly workers: readonly ({
    readonly worker: WorkerName;
    readonly tasks: number;
    /** The hosts that it talks to, and what says so. Absent: a command, or not read. */
    readonly speaks_to?: string;
  } & ConfinementFact)[];
  /** The same as an approval records it, `AGENT=HOST:PORT` each. */
  readonly speaks_to?: readonly string[];
  /** The files whose instructions every agent is given; absent: the plan has no agent. */
  readonly instructions?: readonly Pick<InstructionsFile, 'path' | 'sha256' | 'bytes'>[];
  /** What confines the verify commands of all tasks. */
  readonly verify: ConfinementFact;
  readonly constraints: readonly string[];
  readonly budget: ApprovedPlan['budget'];
  /** The rule by which git ignores the evidence; absent: git keeps it, or was not asked. */
  readonly evidence_ignored?: IgnoredBy;
  /** The plan that this one is a revision of; null: none. */
  readonly supersedes: string | null;
  /** What the approval does to its missions; absent: not asked for, or it supersedes no plan. */
  readonly revision?: RevisionOverview;
}

export function approvalSummary(
  plan: ApprovedPlan,
  facts: Omit<RightsFacts, 'unconfined'> & {
    readonly plan_sha256: string;
    readonly confinementOf: (worker: WorkerName | 'verify') => ConfinementFact;
    readonly modelOf: (task: PlannedTask) => string | null;
    readonly policy: string | null;
    readonly speaksTo: (worker: WorkerName) => string | undefined;
    /** The launch line of a task; what is decided only at the launch is a word in angle brackets. */
    readonly launchOf: (task: PlannedTask) => readonly string[];
  },
): ApprovalSummary {
  const workers = [...new Set(plan.tasks.map((task) => task.worker))].map((worker) => {
    const speaks_to = facts.speaksTo(worker);
    const tasks = plan.tasks.filter((task) => task.worker === worker).length;
    return { worker, tasks, ...(speaks_to !== undefined && { speaks_to }), ...facts.confinementOf(worker) };
  });
  const verify = facts.confinementOf('verify');
  const unconfined = [
    ...workers.filter(({ confinement }) => confinement === 'none').map(({ worker }) => `the worker ${worker}`),
    ...(verify.confinement === 'none' && plan.tasks.some((task) => task.verify.length > 0) ? ['verify commands'] : []),
  ];
  return {
    rights: rights(plan, { ...facts, unconfined }),
    plan_id: plan.plan_id,
    goal_id: plan.goal_id,
    plan_sha256: facts.plan_sha256,
    risk_level: plan.risk_level,
    max_parallel: plan.max_parallel,
    tasks: plan.tasks.map((task) => ({
      task_id: task.task_id,
      description: task.description,
      worker: task.worker,
      intent: intentOf(task),
      model: facts.modelOf(task),
      paths: task.paths,
      confinement: facts.confinementOf(task.worker).confinement,
      argv: facts.launchOf(task),
      verify: task.verify,
      prompt: task.prompt,
      forbidden_paths: task.forbidden_paths,
      requires: task.requires,
      acceptance_criteria: task.acceptance_criteria,
      max_runtime_seconds: task.max_runtime_seconds,
      ...(task.validator && { validates: validationLines(task, task.validator) }),
    })),
    policy: facts.policy,
    workers,
    verify,
    ...(facts.instructions && { instructions: facts.instructions }),
    constraints: plan.constraints,
    budget: plan.budget,
    supersedes: plan.supersedes,
  };
}

function validationLines(
  { worker }: PlannedTask,
  { mode, assertions, failure_limit }: MilestoneValidator,
): readonly string[] {
  const who =
    worker === 'command'
      ? assertions.length === 0
        ? 'the commands alone'
        : 'a person, one by one'
      : `${worker}, which only reads`;
  return [
    `${mode} by ${who}; after ${failure_limit} failures it cannot be validated again`,
    ...assertions.map(({ id, text }) => `${id}: ${text}`),
  ];
}

function intentOf({ worker, intent, intent_from, writes }: PlannedTask): string | null {
  if (intent === null || (worker === 'command' && writes)) return null;
  return `${intentWords(intent, intent_from)}${writes ? '' : ', only reads'}`;
}
