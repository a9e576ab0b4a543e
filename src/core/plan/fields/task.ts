import type { PlanTask } from '../../../contracts/plan';
import {
  readOnlyIntents,
  type Intent,
  type IntentSource,
  type Priority,
  type Tier,
} from '../../../contracts/vocabulary/intents';
import type { MilestoneMode } from '../../../contracts/vocabulary/plan';
import type { WorkerName } from '../../../contracts/vocabulary/workers';
import { asText, quoted } from '../../../base/json';
import type { CarriedFrom } from '../../../base/carriedFrom';
import { confinementWords, intentWords } from '../../../base/text/words';
import { caseSensitive, within } from '../../paths/compare';
import { ranByOthers, type Runner } from '../../paths/ranByOthers';
import { pathsOf } from '../../paths/writtenPath';
import { resolveIntent } from '../rules/resolveIntent';
import type { AddPlanFinding } from '../rules/judgedTask';
import type { Fields, Judged, ShownRow } from './field';
import { timeLimitFields, timeLimitsOf, type TimeLimits } from './limits';
import { agents } from './reach';
import { large, named, readsAll, usual, type NamedFile, type Opened, type Right } from './right';

/** A task as its plan writes it, with all defaults filled in. */
export interface WrittenTask extends TimeLimits {
  readonly task_id: string;
  readonly description: string;
  readonly worker: WorkerName;
  /** The plan names none, and this is the one of the settings; absent: it does. */
  readonly worker_from?: 'default';
  /** argv of the worker `command`; empty for agents. */
  readonly command: readonly string[];
  readonly model: string | null;
  readonly tier: Tier | null;
  /** Null for `command` tasks. */
  readonly intent: Intent | null;
  readonly intent_from: IntentSource;
  readonly prompt: string | null;
  readonly requires: readonly string[];
  readonly depends_on: readonly string[];
  /** Approved paths: the lock scope, and the only place where the worker may write. */
  readonly paths: readonly string[];
  readonly forbidden_paths: readonly string[];
  readonly acceptance_criteria: readonly string[];
  /** Argument vectors that the runner starts after the worker's end, without a shell. */
  readonly verify: readonly (readonly string[])[];
  readonly priority: Priority;
  /** False only for declared read-only intents. */
  readonly writes: boolean;
  /** What did the task of a revision before. Absent: it is to be done. */
  readonly carried_from?: CarriedFrom;
}

/** What an approval has to know of a plan to say what its tasks open. */
export interface Work {
  readonly tasks: readonly (WrittenTask & { readonly validator?: MilestoneValidator })[];
  readonly network: boolean;
  /** Git-ignored places that commands may write. */
  readonly scratch: readonly string[];
}

export interface MilestoneValidator {
  readonly title: string;
  readonly mode: MilestoneMode;
  readonly assertions: readonly Assertion[];
  /** After this many failed validations the milestone cannot be validated again. */
  readonly failure_limit: number;
}

export interface Assertion {
  /** `A1` for the first. */
  readonly id: string;
  readonly text: string;
}

/** The commands of all tasks together, each counted. */
export const commands: Opened<Work> = ({ tasks, network, scratch }, { named_files = [], readsOf = readsAll }) => {
  const lines = tasks.reduce((sum, { command, verify }) => sum + (command.length > 0 ? 1 : 0) + verify.length, 0);
  if (lines === 0) return [];
  const scripts = named_files.map((file) =>
    unbound(file, [...tasks.flatMap(({ paths, writes }) => (writes ? paths : [])), ...scratch]),
  );
  // The line of the whole network says already what they may read.
  const rest = network ? 'and each below, use it' : `and each below, ${readsOf('command')}`;
  const bound = 'The approval binds their lines, and no program or file that they run, such as what a Makefile says.';
  return [usual(`Commands, ${lines} in all ${rest}. ${bound}`), ...scripts];
};

const before = { stands: 'in what a revision carries over' } as const;
const carriedFrom = {
  plan_id: before,
  mission_id: before,
  evidence_sha256: before,
} satisfies Fields<PlanTask['carried_from'], Work>;

/** In the order of its rows on an approval. */
export const task = {
  task_id: { stands: 'above its rows' },
  description: { narrows: true, stands: 'above its rows' },
  worker: {
    opens: agents,
    rows: ({ worker, max_runtime_seconds: most }) => [row('worker', [`${worker}, at most ${most} s`])],
  },
  type: { narrows: true, stands: 'in the row of the intent' },
  intent: {
    rows: ({ worker, intent, intent_from, writes }) =>
      intent === null || (worker === 'command' && writes)
        ? []
        : [row('work', [`${intentWords(intent, intent_from)}${writes ? '' : ', only reads'}`])],
    judge: judgeIntents,
  },
  model: { rows: (_, { model }) => [row('model', model === null ? [] : [model])] },
  tier: { stands: 'in the row of the model' },
  command: {
    opens: commands,
    rows: ({ worker }, { argv }) => [
      row('runs', argv.length > 0 ? [argv] : [], worker === 'command' ? {} : { extended: worker }),
    ],
  },
  milestone: { narrows: true, rows: ({ worker, validator }) => [row('validates', validated(worker, validator))] },
  verify: { opens: commands, rows: ({ verify }) => [row('is verified by', verify)] },
  paths: {
    opens({ tasks, scratch }, { below = [], hooks = null }) {
      const names = [...new Set(tasks.flatMap(({ paths, writes }) => (writes ? paths : [])))].sort();
      return [...ranLater([...names, ...scratch], below, hooks), ...named({ ...usual('Tasks may write'), names })];
    },
    rows: ({ paths, writes }) => [row(writes ? 'may write' : 'is about', paths, { as: 'code' })],
  },
  forbidden_paths: {
    narrows: true,
    rows: ({ forbidden_paths }, { confinement }) => [
      row('never writes', forbidden_paths, { as: 'code' }),
      row('is confined by', [confinementWords[confinement]]),
    ],
  },
  requires: { rows: ({ requires }) => [row('requires', requires)] },
  prompt: { rows: ({ prompt }) => [row('is given', prompt === null ? [] : [prompt], { as: 'lines' })] },
  acceptance_criteria: {
    narrows: true,
    rows: ({ acceptance_criteria }) => [row('is done when', acceptance_criteria)],
  },
  tools: { unsaid: 'hints' },
  depends_on: { narrows: true, unsaid: 'orders' },
  ...timeLimitFields,
  priority: { unsaid: 'orders' },
  carried_from: { parts: carriedFrom },
} satisfies Fields<PlanTask, Work>;

export function writtenTask(task: PlanTask, defaultWorker: WorkerName): WrittenTask {
  const { worker = defaultWorker, carried_from: from } = task;
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
    requires: [...new Set(task.requires)],
    depends_on: [...new Set(task.depends_on)],
    paths: pathsOf(task.paths),
    forbidden_paths: pathsOf(task.forbidden_paths ?? []),
    acceptance_criteria: task.acceptance_criteria ?? [],
    verify: task.verify ?? [],
    ...timeLimitsOf(task),
    priority: task.priority ?? 'normal',
    writes: task.intent === undefined || !(readOnlyIntents as readonly string[]).includes(task.intent),
    ...(from && {
      carried_from: {
        plan_id: from.plan_id,
        mission_id: from.mission_id,
        evidence_sha256: from.evidence_sha256.toUpperCase(),
      },
    }),
  };
}

function intentOf(task: PlanTask, worker: WorkerName): Pick<WrittenTask, 'intent' | 'intent_from'> {
  if (worker === 'command') return { intent: task.intent ?? null, intent_from: 'declared' };
  const { intent = null, type = null, description } = task;
  const resolved = resolveIntent({ intent, type, description });
  // No validation lets an ambiguous intent pass.
  if (resolved.kind === 'ambiguous') return { intent: 'code_generation', intent_from: 'default' };
  return { intent: resolved.intent, intent_from: resolved.from };
}

function validated(worker: WorkerName, validator: MilestoneValidator | undefined): readonly string[] {
  if (!validator) return [];
  const { mode, assertions, failure_limit } = validator;
  const person = assertions.length === 0 ? 'the commands alone' : 'a person, one by one';
  const who = worker === 'command' ? person : `${worker}, which only reads`;
  return [
    `${mode} by ${who}; after ${failure_limit} failures it cannot be validated again`,
    ...assertions.map(({ id, text }) => `${id}: ${text}`),
  ];
}

function row(label: string, values: ShownRow['values'], more: Partial<ShownRow> = {}): ShownRow {
  return { label, as: values.some((value) => typeof value !== 'string') ? 'command' : 'text', values, ...more };
}

/** A task that an agent performs has one intent: phase 1 would ask a person, so the plan is asked first. */
function judgeIntents({ tasks, defaultWorker }: Judged, report: AddPlanFinding): void {
  for (const [task, , pointer] of tasks) {
    const description = asText(task['description']);
    if ((task['worker'] ?? defaultWorker) === 'command' || task['intent'] !== undefined || description === null)
      continue;
    const resolved = resolveIntent({ intent: null, type: asText(task['type']), description });
    if (resolved.kind === 'resolved') continue;
    const { first, second } = resolved;
    const message = `This task reads as ${first.intent} (${quoted(first.reading)}) and as ${second.intent} (${quoted(second.reading)}), and a task has one intent; add "intent": "${first.intent}" or "intent": "${second.intent}", or make two tasks of it.`;
    report('INTENT_AMBIGUOUS', `${pointer}/description`, message);
  }
}

/** A script runs as it is then, because the approval binds the bytes of the plan alone. */
function unbound({ path, read }: NamedFile, writable: readonly string[]): Right {
  const is = read ? ` (${read.bytes} bytes, SHA-256 ${read.sha256})` : '';
  const written = within(path, writable, caseSensitive) ? ', and tasks may write it' : '';
  return usual(`Commands name ${path}${is}, which the approval does not bind${written}.`);
}

/** A line for each program. What a task can make anew in folders is not known, and the line says so. */
function ranLater(paths: readonly string[], below: readonly string[], hooks: string | null): readonly Right[] {
  const ran = (path: string): readonly (Runner & { readonly path: string })[] => {
    const isHook = hooks !== null && (within(path, [hooks], caseSensitive) || within(hooks, [path], caseSensitive));
    const runner = isHook ? runsHooks : ranByOthers(path);
    return runner ? [{ ...runner, path }] : [];
  };
  const approved = paths.flatMap(ran);
  const named = approved.map(({ path }) => path);
  const inFolders = below.filter((one) => !within(one, named, caseSensitive)).flatMap(ran);
  const found = [...approved, ...inFolders];
  return [...new Set(found.map(({ who }) => who))].map((who) => {
    const its = found.filter((one) => one.who === who);
    const examples = inFolders.filter((one) => one.who === who).slice(0, mostExamples);
    const what = examples.length === 0 ? 'what tasks write to' : 'what tasks change or make anew, such as';
    const names = [...approved.filter((one) => one.who === who), ...examples].map(({ path }) => path);
    const says = its.some(({ alone }) => alone)
      ? large(`Outside the sandbox ${who} runs by itself ${what}`)
      : usual(`Outside the sandbox ${who} runs ${what}`);
    return { ...says, names };
  });
}

const runsHooks: Runner = { who: 'git, in the hooks that its configuration names,', alone: true };

/** More examples hide what a person approves by name. */
const mostExamples = 8;
