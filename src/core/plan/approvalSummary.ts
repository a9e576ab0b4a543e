import type { ConfiguredProvider } from '../../workers/worker';
import type { IgnoredBy } from '../../contracts/vocabulary/files/evidenceFiles';
import type { AgentNetwork, ConfinementMode, SandboxMeans } from '../../contracts/vocabulary/confinement';
import type { AgentName, Confinement, WorkerName } from '../../contracts/vocabulary/workers';
import type { RevisionOverview } from '../../base/text/revision';
import type { Outcome } from '../../base/outcome';
import type { ApprovedPlan, PlannedTask } from './approvedPlan';
import type { PlanField, ShownRow } from './fields/field';
import { allFields } from './fields/planFields';
import type { Right, RightsFacts } from './fields/right';
import { task } from './fields/task';
import type { InstructionsFile } from './rules/instructions';

/** How a worker is confined; `detail` is a sentence of its adapter. */
export interface ConfinementFact {
  readonly confinement: Confinement;
  readonly detail: string;
}

/** Where the launches of an agent lead here, or why they do not start. */
export type ProviderStanding = Outcome<Pick<ConfiguredProvider, 'hosts' | 'from' | 'args' | 'alone'>>;

/** A sandbox that this machine can build. */
export interface AvailableSandbox {
  readonly kind: 'available';
  readonly means: SandboxMeans;
  /** Why a CLI cannot build a sandbox of its own inside it, one sentence; null: it can. */
  readonly not_nested: string | null;
  /** Why nothing is mounted as a layer, the end of a sentence; null: HOME and caches of tools are layers. */
  readonly no_layers: string | null;
  /** Why no layer can lie over the workspace, the end of a sentence; null: one can. Absent: no workspace was named. */
  readonly no_tree?: string | null;
}

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
    | AvailableSandbox
    | { readonly kind: 'unavailable'; readonly reason: string; readonly next?: string };
}

export interface ApprovalSummary {
  /** All that the plan opens, the largest first. */
  readonly rights: readonly Right[];
  readonly plan_id: string;
  readonly goal_id: string;
  readonly plan_sha256: string;
  /** `plan_sha256` is of the file as the approval writes it; absent: it is approved already. */
  readonly as_written?: true;
  readonly risk_level: number;
  readonly tasks: readonly {
    readonly task_id: string;
    readonly description: string;
    readonly rows: readonly ShownRow[];
  }[];
  /** What fields say of the whole plan. */
  readonly says: Readonly<Record<NonNullable<PlanField<never>['says']>['in'], readonly string[]>>;
  /** Where the model policy of this machine comes from and its hash, or why nothing runs; null: it selects no model. */
  readonly policy: string | null;
  readonly workers: readonly ({
    readonly worker: WorkerName;
    /** The hosts that it talks to, and what says so. Absent: a command, or not read. */
    readonly speaks_to?: string;
  } & ConfinementFact)[];
  /** The same as an approval records it, `AGENT=HOST:PORT` each. */
  readonly speaks_to?: readonly string[];
  /** The files whose instructions every agent is given; absent: the plan has no agent. */
  readonly instructions?: readonly Pick<InstructionsFile, 'path' | 'sha256' | 'bytes'>[];
  /** What confines the verify commands of all tasks; absent: the plan has no such command. */
  readonly verify?: ConfinementFact;
  /** The rule by which git ignores the evidence; absent: git keeps it, or was not asked. */
  readonly evidence_ignored?: IgnoredBy;
  /** The plan that this one is a revision of; null: none. */
  readonly supersedes: string | null;
  /** What the approval does to its missions; absent: not asked for, or it supersedes no plan. */
  readonly revision?: RevisionOverview;
}

/** The approved plan has the part of each field. */
const fields = allFields.map(([, field]) => field as PlanField<ApprovedPlan>);
const taskFields = Object.values<PlanField<ApprovedPlan>>(task);

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
    return { worker, ...(speaks_to !== undefined && { speaks_to }), ...facts.confinementOf(worker) };
  });
  const verify = plan.tasks.some((task) => task.verify.length > 0) ? facts.confinementOf('verify') : null;
  const unconfined = [
    ...workers.filter(({ confinement }) => confinement === 'none').map(({ worker }) => `the worker ${worker}`),
    ...(verify?.confinement === 'none' ? ['verify commands'] : []),
  ];
  const models = new Map(plan.tasks.map((task) => [task, facts.modelOf(task)]));
  const lines = (place: keyof ApprovalSummary['says']): readonly string[] =>
    fields.flatMap(({ says }) => (says?.in === place ? says.lines(plan) : []));
  return {
    rights: rights(plan, { ...facts, unconfined }),
    plan_id: plan.plan_id,
    goal_id: plan.goal_id,
    plan_sha256: facts.plan_sha256,
    risk_level: plan.risk_level,
    tasks: plan.tasks.map((one) => {
      const { confinement } = facts.confinementOf(one.worker);
      const of = { confinement, argv: facts.launchOf(one), model: models.get(one) ?? null };
      const rows = taskFields.flatMap((field) => field.rows?.(one, of) ?? []).filter(({ values }) => values.length > 0);
      return { task_id: one.task_id, description: one.description, rows };
    }),
    says: { tasks: lines('tasks'), confinement: lines('confinement'), budget: lines('budget') },
    policy: [...models.values()].some((model) => model) ? facts.policy : null,
    workers,
    ...(verify && { verify }),
    ...(facts.instructions && { instructions: facts.instructions }),
    supersedes: plan.supersedes,
  };
}

/** All that a plan opens, the largest first. */
function rights(plan: ApprovedPlan, facts: RightsFacts): readonly Right[] {
  const all = fields.flatMap(({ opens }) => opens?.(plan, facts) ?? []);
  // Several fields open the same, such as the commands of a task and of a milestone.
  const once = all.filter(({ text }, index) => all.findIndex((one) => one.text === text) === index);
  return (['large', 'usual', 'further'] as const).flatMap((each) => once.filter(({ weight }) => weight === each));
}

/** The same for a draft, whose machine is not looked at. */
export function rightsAskedFor(plan: ApprovedPlan): readonly Right[] {
  const network =
    plan.agent_network === 'provider' ? ' Its network: only hosts of its provider.' : ' Its network is open.';
  const hasCommands = plan.tasks.some(({ command, verify }) => command.length + verify.length > 0);
  const isOff = plan.confinement === 'off';
  return rights(plan, {
    unconfined: isOff && hasCommands ? ['the commands'] : [],
    ...(isOff && { no_sandbox: { why: 'The plan turns confinement off.', next: '' } }),
    networkOf: () => network,
  });
}
