import * as z from 'zod';
import { agentNetworks, confinementModes } from './vocabulary/confinement';
import { budgetReactions, environments, intents, priorities, recoveryPermissions, tiers } from './vocabulary/intents';
import { isBlank } from './vocabulary/forms';
import {
  afterLimit,
  afterLimitModes,
  executionModes,
  failureLimits,
  idPattern,
  instructionLimits,
  milestoneModes,
  onBlockModes,
  parallelLimits,
  planContractVersion,
  resourceLimits,
  timeLimits,
  type planFields,
} from './vocabulary/plan';
import { mostServices } from './vocabulary/services';
import { agentNames, workerNames } from './vocabulary/workers';

/** The fields of vocabulary/plan.ts: a field that is missing on either side does not compile. */
type Fields<K extends keyof typeof planFields> = Record<keyof (typeof planFields)[K], z.ZodType>;

const text = z
  .string()
  .min(1)
  .refine((value) => !isBlank(value));
const texts = z.array(text);
const id = z.string().regex(new RegExp(idPattern));
const argv = z.array(z.string()).min(1);
const time = z.iso.datetime();
const amount = (limit: { readonly min: number; readonly max: number; readonly default: number }, what: string) =>
  z
    .int()
    .min(limit.min)
    .max(limit.max)
    .optional()
    .meta({ description: `${what} Default ${limit.default}.` });

const taskSchema = z.looseObject({
  task_id: id.meta({ description: 'Unique in the plan; names the file TASK_<task_id>.json.' }),
  description: text.meta({ description: 'What this task does, in a sentence or two.' }),
  type: text
    .optional()
    .meta({ description: 'Kind of work in the words of the planner, such as documentation or automation.' }),
  paths: z.array(text).min(1).meta({
    description:
      'Files and folders the task may write: relative to the workspace root, forward slashes, no globs. Also its locks.',
  }),
  tools: texts.optional().meta({ description: 'Tools the planner had in mind; passed on to the worker as a hint.' }),
  worker: z
    .enum(workerNames)
    .optional()
    .meta({ description: 'Who performs the task. Without it: the default worker.' }),
  command: argv
    .optional()
    .meta({ description: 'For the worker command: program and arguments, started without a shell.' }),
  model: text.optional().meta({ description: 'Model name handed to the agent CLI.' }),
  tier: z.enum(tiers).optional().meta({ description: 'Model tier of the task.' }),
  intent: z
    .enum(intents)
    .optional()
    .meta({ description: 'What kind of work this is; read-only intents write nothing.' }),
  prompt: text.optional().meta({ description: 'Instructions for the agent, in addition to the description.' }),
  requires: texts.optional().meta({ description: 'Capability tokens that scope.allowed must hold.' }),
  depends_on: z.array(id).optional().meta({ description: 'Tasks that must be done before this one starts.' }),
  milestone: id.optional().meta({ description: 'Id of the milestone this task belongs to.' }),
  forbidden_paths: texts
    .optional()
    .meta({ description: 'Paths the task must not touch, even inside its approved paths.' }),
  acceptance_criteria: texts.optional().meta({ description: 'What must hold when the task is done.' }),
  verify: z
    .array(argv)
    .optional()
    .meta({ description: 'Commands the runner starts after the worker ended; all must exit with 0.' }),
  timeout_seconds: amount(timeLimits.timeout_seconds, 'Seconds without progress after which the attempt is stopped.'),
  heartbeat_interval_seconds: amount(timeLimits.heartbeat_interval_seconds, 'Seconds between signs of life.'),
  max_runtime_seconds: amount(
    timeLimits.max_runtime_seconds,
    'Seconds after which the attempt is stopped in any case.',
  ),
  priority: z
    .enum(priorities)
    .optional()
    .meta({ description: 'Which of several tasks that could start goes first. Default normal.' }),
  carried_from: z
    .looseObject({
      plan_id: id.meta({ description: 'The plan that this one supersedes.' }),
      mission_id: text.meta({ description: 'The mission that did the task.' }),
      evidence_sha256: z
        .string()
        .regex(/^[0-9A-Fa-f]{64}$/)
        .meta({ description: 'SHA-256 of its TASK_<task_id>.json.' }),
    } satisfies Fields<'carriedFrom'>)
    .optional()
    .meta({
      description:
        'Of a revision: the task is done already and is carried over with its evidence. Remove it to have the task done again.',
    }),
} satisfies Fields<'task'>);

const milestoneSchema = z.looseObject({
  id: id.meta({ description: 'Unique in the plan.' }),
  title: text.meta({ description: 'Name of the milestone for people.' }),
  validate: z
    .looseObject({
      mode: z.enum(milestoneModes).optional().meta({
        description:
          'scrutiny: an agent reads the work against the assertions. user-testing: the same as a user would try it; without a worker a person answers each assertion. Default scrutiny.',
      }),
      worker: z.enum(agentNames).optional().meta({
        description: 'The agent that answers the assertions: started anew, it only reads.',
      }),
      model: text.optional().meta({ description: 'Model name handed to that agent CLI.' }),
      assertions: texts.optional().meta({
        description: 'What must hold at this boundary, a sentence each; written before the work, answered one by one.',
      }),
      verify: z
        .array(argv)
        .optional()
        .meta({ description: 'Commands the runner starts at this boundary; all must exit with 0.' }),
      failure_limit: amount(
        failureLimits,
        'After this many failed validations the milestone cannot be validated again: skip, cancel or revise the plan.',
      ),
    } satisfies Fields<'milestoneValidate'>)
    .optional()
    .meta({ description: 'What is done when all its tasks have ended, before anything of the next one starts.' }),
} satisfies Fields<'milestone'>);

const executionSchema = z.looseObject({
  mode: z
    .enum(executionModes)
    .optional()
    .meta({ description: 'Whether tasks run one after the other or in lanes. Default sequential.' }),
  max_parallel: z
    .int()
    .min(parallelLimits.min)
    .max(parallelLimits.max)
    .optional()
    .meta({ description: `How many tasks may run at once in mode parallel. Default ${parallelLimits.default}.` }),
  on_block: z.enum(onBlockModes).optional().meta({
    description: 'recover: a blocked task waits for a decision. fail: it fails the mission. Default recover.',
  }),
  environment: z
    .enum(environments)
    .optional()
    .meta({ description: 'Where this runs; undeclared means telemetry is enforced.' }),
  env: texts.optional().meta({ description: 'Names of environment variables that command and verify may see.' }),
  budget: z
    .looseObject({
      tokens: z.int().min(1).optional().meta({
        description:
          'Tokens of all agents together, in and out; what a resumed session has in its cache counts once. Used up, a person is asked before another attempt.',
      }),
      usd: z
        .number()
        .gt(0)
        .optional()
        .meta({ description: 'US dollars of all agents together, where their CLIs tell them.' }),
      on_exceed: z.enum(budgetReactions).optional().meta({
        description: 'pause: ask before another attempt. stop: end running agents at once, too. Default pause.',
      }),
    } satisfies Fields<'budget'>)
    .optional()
    .meta({ description: 'What all agents together may use.' }),
  recovery: z
    .looseObject({
      allow: z
        .array(z.enum(recoveryPermissions))
        .optional()
        .meta({ description: 'Corrections of a launch that need no further question.' }),
      directories: texts
        .optional()
        .meta({ description: 'Directories outside the workspace that a worker may be given.' }),
      after_limit: z
        .enum(afterLimitModes)
        .optional()
        .meta({
          description: `wait: a task that a used-up limit of its provider blocks waits for a person. resume: it goes on by itself once the limit has ended, at most ${afterLimit.times} times, where the CLI tells an end within ${afterLimit.longest_hours} hours. Default wait.`,
        }),
    } satisfies Fields<'recovery'>)
    .optional()
    .meta({ description: 'What may be corrected without asking a person.' }),
  delegation: z
    .looseObject({
      claude_code: z
        .boolean()
        .optional()
        .meta({ description: 'Must be true for the worker claude, which works on files only, without a shell.' }),
      constraints: texts.optional().meta({ description: 'Constraints for every agent, such as file_level_only.' }),
    } satisfies Fields<'delegation'>)
    .optional()
    .meta({ description: 'What is said to every agent.' }),
  confinement: z.enum(confinementModes).optional().meta({
    description:
      'Whether the operating system has to hold the processes of a task inside its approved paths. required: nothing starts where it cannot. preferred: where it can. Setting and --confinement may be stricter. Default preferred.',
  }),
  network: z
    .union([z.boolean(), texts.max(mostServices)])
    .optional()
    .meta({
      description:
        'true: command workers and verify commands may use the network. A list opens single ports and sockets of this machine alone, such as localhost:5432 and unix:/run/postgresql/.s.PGSQL.5432. Default false where they are confined.',
    }),
  devices: texts.max(mostServices).optional().meta({
    description:
      'Devices below /dev, such as /dev/kvm, that command workers and verify commands may use where they are confined. Default none.',
  }),
  agent_network: z.enum(agentNetworks).optional().meta({
    description:
      'What an agent reaches from its sandbox. provider: only the hosts of its provider. open: any. Setting and --agent-network may be stricter. Default open.',
  }),
  project_instructions: texts.max(instructionLimits.files).optional().meta({
    description:
      'Files of the workspace, such as AGENTS.md, that every agent follows: the same bytes for each, frozen at the start with their SHA-256. Default none.',
  }),
  scratch: texts.optional().meta({
    description:
      'Git-ignored files and folders, such as caches and coverage, that command workers and verify commands may write in addition to the approved paths. Never counts as work.',
  }),
  limits: z
    .looseObject({
      processes: amount(resourceLimits.processes, 'Processes of one launch at once.'),
      memory_mb: amount(resourceLimits.memory_mb, 'Megabytes of memory of one launch.'),
      file_mb: amount(resourceLimits.file_mb, 'Megabytes of the largest file that a launch may write.'),
    } satisfies Fields<'limits'>)
    .optional()
    .meta({ description: 'What one launch may take of the machine.' }),
} satisfies Fields<'execution'>);

/**
 * Plan artifact S2-B-05.v1 with our fields, `docs/plans/PLAN_<plan_id>.json`. Accepts unknown fields, which core/plan
 * judges. Source: seed 001 section 3.
 */
export const planSchema = z.looseObject({
  $schema: z.string().optional().meta({ description: 'The JSON Schema that an editor uses for this file.' }),
  contract_version: z.literal(planContractVersion).meta({ description: 'The contract that the plan follows.' }),
  plan_id: id.meta({ description: 'Names the file PLAN_<plan_id>.json and the evidence folder.' }),
  goal_id: text.meta({ description: 'The goal this plan serves.' }),
  created_at: time.meta({ description: 'When the plan was written, in UTC, such as 2026-01-31T09:30:00Z.' }),
  planner: text.meta({ description: 'Who wrote the plan.' }),
  status: text.meta({
    description: 'APPROVED once a human has approved it; DRAFT before.',
    examples: ['DRAFT', 'APPROVED'],
  }),
  risk: z
    .looseObject({
      level: z.int().min(0).max(5).meta({ description: '0 to 5; above 3 nothing runs, 3 needs an explicit approval.' }),
      notes: z.string().optional().meta({ description: 'What could go wrong, in words.' }),
    } satisfies Fields<'risk'>)
    .meta({ description: 'How dangerous the plan is.' }),
  scope: z
    .looseObject({
      allowed: z.array(text).min(1).meta({ description: 'Capability tokens the mission may use.' }),
      forbidden: texts.optional().meta({ description: 'Capability tokens no task may use.' }),
    } satisfies Fields<'scope'>)
    .meta({ description: 'What the tasks may require.' }),
  tasks: z.array(taskSchema).min(1).meta({ description: 'The work, one entry a task.' }),
  execution: executionSchema.meta({ description: 'How the tasks are run.' }),
  approval: z
    .looseObject({
      required: z.boolean().meta({ description: 'true: nothing starts before a person has approved.' }),
      approved_by: text.optional().meta({ description: 'The person who approved.' }),
      approved_at: time
        .optional()
        .meta({ description: 'When that person approved, in UTC, such as 2026-01-31T09:30:00Z.' }),
      note: z.string().optional().meta({ description: 'What that person noted.' }),
    } satisfies Fields<'approval'>)
    .meta({ description: 'Who approved the plan, and when.' }),
  success_criteria: z.array(text).meta({ description: 'What must hold for the mission to complete.' }),
  supersedes: id.optional().meta({ description: 'plan_id this plan replaces.' }),
  milestones: z
    .array(milestoneSchema)
    .optional()
    .meta({ description: 'Groups of tasks that run one after the other, in this order.' }),
} satisfies Fields<'plan'>);
export type Plan = z.infer<typeof planSchema>;
export type PlanTask = Plan['tasks'][number];
