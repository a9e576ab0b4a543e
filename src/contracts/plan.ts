import * as z from 'zod';
import { agentNetworks, confinementModes } from './vocabulary/confinement';
import { budgetReactions, environments, intents, priorities, recoveryPermissions, tiers } from './vocabulary/intents';
import { visibleTextSchema as text } from './record/header';
import {
  afterLimit,
  failureLimits,
  idPattern,
  instructionLimits,
  milestoneModes,
  parallelLimits,
  planContractVersion,
  resourceLimits,
  timeLimits,
} from './vocabulary/plan';
import { mostServices } from './vocabulary/services';
import { agentNames, workerNames } from './vocabulary/workers';

const texts = z.array(text);
const id = z.string().regex(new RegExp(idPattern));
const argv = z.array(z.string()).min(1);
const time = z.iso.datetime();
/** A field that may be missing, with what it means. */
const maybe = <T extends z.ZodType>(schema: T, description: string) => schema.optional().meta({ description });
const amount = (limit: { readonly min: number; readonly max: number; readonly default: number }, what: string) =>
  maybe(z.int().min(limit.min).max(limit.max), `${what} Default ${limit.default}.`);

const taskSchema = z.looseObject({
  task_id: id.meta({ description: 'Unique in the plan; names the file TASK_<task_id>.json.' }),
  description: text.meta({ description: 'What this task does, in a sentence or two.' }),
  type: maybe(text, 'Kind of work in the words of the planner, such as documentation or automation.'),
  paths: z.array(text).min(1).meta({
    description:
      'Files and folders the task may write: relative to the workspace root, forward slashes, no globs. Also its locks.',
  }),
  tools: maybe(texts, 'Tools the planner had in mind; passed on to the worker as a hint.'),
  worker: maybe(z.enum(workerNames), 'Who performs the task. Without it: the default worker.'),
  command: maybe(argv, 'For the worker command: program and arguments, started without a shell.'),
  model: maybe(text, 'Model name handed to the agent CLI.'),
  tier: maybe(z.enum(tiers), 'Model tier of the task.'),
  intent: maybe(z.enum(intents), 'What kind of work this is; read-only intents write nothing.'),
  prompt: maybe(text, 'Instructions for the agent, in addition to the description.'),
  requires: maybe(texts, 'Capability tokens that scope.allowed must hold.'),
  depends_on: maybe(z.array(id), 'Tasks that must be done before this one starts.'),
  milestone: maybe(id, 'Id of the milestone this task belongs to.'),
  forbidden_paths: maybe(texts, 'Paths the task must not touch, even inside its approved paths.'),
  acceptance_criteria: maybe(texts, 'What must hold when the task is done.'),
  verify: maybe(z.array(argv), 'Commands the runner starts after the worker ended; all must exit with 0.'),
  timeout_seconds: amount(timeLimits.timeout_seconds, 'Seconds without progress after which the attempt is stopped.'),
  heartbeat_interval_seconds: amount(timeLimits.heartbeat_interval_seconds, 'Seconds between signs of life.'),
  max_runtime_seconds: amount(
    timeLimits.max_runtime_seconds,
    'Seconds after which the attempt is stopped in any case.',
  ),
  priority: maybe(z.enum(priorities), 'Which of several tasks that could start goes first. Default normal.'),
  carried_from: maybe(
    z.looseObject({
      plan_id: id.meta({ description: 'The plan that this one supersedes.' }),
      mission_id: text.meta({ description: 'The mission that did the task.' }),
      evidence_sha256: z
        .string()
        .regex(/^[0-9A-Fa-f]{64}$/)
        .meta({ description: 'SHA-256 of its TASK_<task_id>.json.' }),
    }),
    'Of a revision: the task is done already and is carried over with its evidence. Remove it to have the task done again.',
  ),
});

const milestoneSchema = z.looseObject({
  id: id.meta({ description: 'Unique in the plan.' }),
  title: text.meta({ description: 'Name of the milestone for people.' }),
  validate: maybe(
    z.looseObject({
      mode: maybe(
        z.enum(milestoneModes),
        'scrutiny: an agent reads the work against the assertions. user-testing: the same as a user would try it; without a worker a person answers each assertion. Default scrutiny.',
      ),
      worker: maybe(z.enum(agentNames), 'The agent that answers the assertions: started anew, it only reads.'),
      model: maybe(text, 'Model name handed to that agent CLI.'),
      assertions: maybe(
        texts,
        'What must hold at this boundary, a sentence each; written before the work, answered one by one.',
      ),
      verify: maybe(z.array(argv), 'Commands the runner starts at this boundary; all must exit with 0.'),
      failure_limit: amount(
        failureLimits,
        'After this many failed validations the milestone cannot be validated again: skip, cancel or revise the plan.',
      ),
    }),
    'What is done when all its tasks have ended, before anything of the next one starts.',
  ),
});

const executionSchema = z.looseObject({
  mode: maybe(
    z.enum(['sequential', 'parallel']),
    'Whether tasks run one after the other or in lanes. Default sequential.',
  ),
  max_parallel: amount(parallelLimits, 'How many tasks may run at once in mode parallel.'),
  on_block: maybe(
    z.enum(['recover', 'fail']),
    'recover: a blocked task waits for a decision. fail: it fails the mission. Default recover.',
  ),
  environment: maybe(z.enum(environments), 'Where this runs; undeclared means telemetry is enforced.'),
  env: maybe(texts, 'Names of environment variables that command and verify may see.'),
  budget: maybe(
    z.looseObject({
      tokens: maybe(
        z.int().min(1),
        'Tokens of all agents together, in and out; what a resumed session has in its cache counts once. Used up, a person is asked before another attempt.',
      ),
      usd: maybe(z.number().gt(0), 'US dollars of all agents together, where their CLIs tell them.'),
      on_exceed: maybe(
        z.enum(budgetReactions),
        'pause: ask before another attempt. stop: end running agents at once, too. Default pause.',
      ),
    }),
    'What all agents together may use.',
  ),
  recovery: maybe(
    z.looseObject({
      allow: maybe(z.array(z.enum(recoveryPermissions)), 'Corrections of a launch that need no further question.'),
      directories: maybe(texts, 'Directories outside the workspace that a worker may be given.'),
      after_limit: maybe(
        z.enum(['wait', 'resume']),
        `wait: a task that a used-up limit of its provider blocks waits for a person. resume: it goes on by itself once the limit has ended, at most ${afterLimit.times} times, where the CLI tells an end within ${afterLimit.longest_hours} hours. Default wait.`,
      ),
    }),
    'What may be corrected without asking a person.',
  ),
  delegation: maybe(
    z.looseObject({
      claude_code: maybe(
        z.boolean(),
        'Must be true for the worker claude, which works on files only, without a shell.',
      ),
      constraints: maybe(texts, 'Constraints for every agent, such as file_level_only.'),
    }),
    'What is said to every agent.',
  ),
  confinement: maybe(
    z.enum(confinementModes),
    'Whether the operating system has to hold the processes of a task inside its approved paths. required: nothing starts where it cannot. preferred: where it can. Setting and --confinement may be stricter. Default preferred.',
  ),
  network: maybe(
    z.union([z.boolean(), texts.max(mostServices)]),
    'true: command workers and verify commands may use the network. A list opens single ports and sockets of this machine alone, such as localhost:5432 and unix:/run/postgresql/.s.PGSQL.5432. Default false where they are confined.',
  ),
  devices: maybe(
    texts.max(mostServices),
    'Devices below /dev, such as /dev/kvm, that command workers and verify commands may use where they are confined. Default none.',
  ),
  agent_network: maybe(
    z.enum(agentNetworks),
    'What an agent reaches from its sandbox. provider: only the hosts of its provider. open: any. Setting and --agent-network may be stricter. Default open.',
  ),
  project_instructions: maybe(
    texts.max(instructionLimits.files),
    'Files of the workspace, such as AGENTS.md, that every agent follows: the same bytes for each, frozen at the start with their SHA-256. Default none.',
  ),
  scratch: maybe(
    texts,
    'Git-ignored files and folders, such as caches and coverage, that command workers and verify commands may write in addition to the approved paths. Never counts as work.',
  ),
  layers: maybe(
    z.enum(['outside', 'all']),
    'What of the workspace a layer takes while a task runs, where layers can be mounted. outside: all but the approved paths and scratch. all: the approved paths, too; what the task wrote there is put into the workspace when it is verified. Default outside.',
  ),
  landing: maybe(
    z.enum(['verified', 'accepted']),
    'When the work of a task is put into the workspace, with layers "all". verified: as soon as it is verified. accepted: once a person accepted its diff, too. Default verified.',
  ),
  limits: maybe(
    z.looseObject({
      processes: amount(resourceLimits.processes, 'Processes of one launch at once.'),
      memory_mb: amount(resourceLimits.memory_mb, 'Megabytes of memory of one launch.'),
      file_mb: amount(resourceLimits.file_mb, 'Megabytes of the largest file that a launch may write.'),
    }),
    'What one launch may take of the machine.',
  ),
});

/**
 * Plan artifact S2-B-05.v1 with our fields, `docs/plans/PLAN_<plan_id>.json`. Accepts unknown fields, which core/plan
 * judges. Source: seed 001 section 3.
 */
export const planSchema = z.looseObject({
  $schema: maybe(z.string(), 'The JSON Schema that an editor uses for this file.'),
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
      notes: maybe(z.string(), 'What could go wrong, in words.'),
    })
    .meta({ description: 'How dangerous the plan is.' }),
  scope: z
    .looseObject({
      allowed: z.array(text).min(1).meta({ description: 'Capability tokens the mission may use.' }),
      forbidden: maybe(texts, 'Capability tokens no task may use.'),
    })
    .meta({ description: 'What the tasks may require.' }),
  tasks: z.array(taskSchema).min(1).meta({ description: 'The work, one entry a task.' }),
  execution: executionSchema.meta({ description: 'How the tasks are run.' }),
  approval: z
    .looseObject({
      required: z.boolean().meta({ description: 'true: nothing starts before a person has approved.' }),
      approved_by: maybe(text, 'The person who approved.'),
      approved_at: maybe(time, 'When that person approved, in UTC, such as 2026-01-31T09:30:00Z.'),
      note: maybe(z.string(), 'What that person noted.'),
    })
    .meta({ description: 'Who approved the plan, and when.' }),
  success_criteria: z.array(text).meta({ description: 'What must hold for the mission to complete.' }),
  supersedes: maybe(id, 'plan_id this plan replaces.'),
  milestones: maybe(z.array(milestoneSchema), 'Groups of tasks that run one after the other, in this order.'),
});
export type Plan = z.infer<typeof planSchema>;
export type PlanTask = Plan['tasks'][number];
export type PlanExecution = Plan['execution'];
