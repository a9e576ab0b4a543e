import type { ExecutionHeader } from '../../contracts/record/header';
import { taskEvidenceSchema, type TaskEvidence } from '../../contracts/taskEvidence';
import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import { taskEvidenceStatuses, type ExecutionState } from '../../contracts/vocabulary/execution';
import {
  endedEvidence,
  endingOf,
  externalCriteria,
  isEnded,
  judgeStep,
  type ExternalStep,
  type ExternalTask,
} from '../../core/evidence/external';
import { lockedPlanPath, summaryPath, taskEvidencePath, utcSeconds } from '../../core/evidence/places';
import { summaryMarkdown } from '../../core/evidence/summary';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import {
  externalPlanOf,
  headerRow,
  ownMission,
  planIdOfPath,
  readHeader,
  refuseMission,
  withReason,
  writeHeader,
  type OrchPlan,
  type OrchPorts,
  type OrchTaskWritten,
} from './start';
import { checkPlanText } from '../plans/check';
import type { EvidenceFiles, ReadFile } from '../ports/evidence';
import { done, refused, type Outcome } from '../../base/outcome';
import { documentText, parsedJson } from '../../base/json';

interface KnownTask extends ExternalTask {
  readonly sha256: string | null;
}

export interface OrchTaskRequest extends OrchPlan {
  readonly task_id: string;
  readonly phase: string;
  /** Required at END, absent at START. */
  readonly status: string | null;
  readonly notes: string | null;
  /** Commit to record; null: HEAD. */
  readonly commit: string | null;
}

/** Compares the plan with its lock. The last END or first failure ends it all: open tasks SKIPPED, header REPORTED. */
export async function orchTask(ports: OrchPorts, request: OrchTaskRequest): Promise<Outcome<OrchTaskWritten>> {
  const step = stepOf(request);
  if (!step.ok) return step;
  const planId = planIdOfPath(request.plan_path);
  if (planId === null) {
    const reason = `${request.plan_path} is not where plans lie: docs/plans, as PLAN_, the plan id and .json.`;
    return refused('PLAN_MISPLACED', reason, 'Name the plan that was started.');
  }
  const refusal = await refuseMission(ports, planId);
  if (refusal !== null) return { ok: false, refusal };
  const started = await readHeader(ports.evidence, planId);
  if (!started.ok) return started;
  const header = started.value.document;
  if (typeof header.mission_id === 'string') return { ok: false, refusal: ownMission(planId, header.mission_id) };
  if (header.executor !== 'external' || header.tasks === undefined) {
    const reason = 'The execution was started by another tool; it is not continued here.';
    return refused('EVIDENCE_FOREIGN', reason, 'Go on with the tool that started it.');
  }
  const command = (next: ExternalStep): string => stepCommand(header.plan_path, next);
  if (header.plan_path !== request.plan_path)
    return refused('PLAN_MISPLACED', `The execution was started with ${header.plan_path}.`, command(step.value));
  // The locked bytes name the tasks; the plan file is only compared with them.
  const [plan, text] = [await lockedPlan(ports, header), await ports.plans.read(request.plan_file)];
  if (!plan.ok) return plan;
  const tasks = await readTasks(ports.evidence, header, plan.value);
  if (!tasks.ok) return tasks;

  const { task_id, notes } = request;
  const observed = text.sha256;
  const locked = header.plan_sha256.toUpperCase();
  const plan_unchanged = observed?.toUpperCase() === locked;
  const verdict = judgeStep(
    {
      state: header.state,
      tasks: tasks.value,
      max_parallel: plan.value.mode === 'parallel' ? plan.value.max_parallel : 1,
      plan_unchanged,
      command,
      only_line_ends: !plan_unchanged && text.other_forms?.includes(locked) === true,
    },
    step.value,
  );
  if (!verdict.ok) return verdict;
  if (!verdict.value) return finish(ports, header, plan.value, tasks.value, task_id);
  const at = ports.clock.now();
  const earlier = tasks.value.find((task) => task.task_id === task_id)?.evidence ?? null;
  const { status } = step.value;
  const written = await writeTask(
    ports.evidence,
    earlier === null
      ? { ...newTask(header, plan.value, task_id), started_at_utc: utcSeconds(at), notes, start_notes: notes }
      : endedEvidence(earlier, at, {
          plan_sha256_observed: plan_unchanged ? null : observed,
          end_notes: notes,
          status,
          commit_sha: request.commit ?? (await ports.head()),
          code: plan_unchanged || observed === null ? null : 'PLAN_HASH_MISMATCH',
          reason: status === 'SUCCESS' ? null : (notes ?? `Reported as ${status ?? ''} without a note.`),
        }),
  );
  if (!written.ok) return written;
  const known = tasks.value.map((task) => (task.task_id === task_id ? { ...task, ...written.value } : task));
  return finish(ports, header, plan.value, known, task_id);
}

function stepCommand(plan: string, { task_id, phase, status }: ExternalStep): string {
  const end = status === null ? '' : ` --status ${status}`;
  return `mission orch task --plan ${plan} --task ${task_id} --phase ${phase}${end}`;
}

const longestNotes = 20_000;

function stepOf(request: OrchTaskRequest): Outcome<ExternalStep> {
  const { task_id, phase, commit, notes } = request;
  const invalid = (reason: string): ReturnType<typeof refused> =>
    refused('COMMAND_INVALID', reason, 'mission orch task --help');
  if (phase !== 'START' && phase !== 'END') return invalid('--phase is START or END.');
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/.test(task_id) || task_id.includes('..'))
    return invalid(`${JSON.stringify(task_id)} is not a task id.`);
  const status = taskEvidenceStatuses.find((candidate) => candidate === request.status) ?? null;
  if (phase === 'START' && request.status !== null) return invalid('A task that starts has no status.');
  if (phase === 'END' && status === null)
    return invalid(`--phase END needs --status ${taskEvidenceStatuses.join(', ')}.`);
  if (commit !== null && !/^[0-9a-fA-F]{7,64}$/.test(commit))
    return invalid(`${JSON.stringify(commit)} is not a commit id.`);
  if (notes !== null && notes.length > longestNotes)
    return invalid(`Notes are at most ${String(longestNotes)} characters.`);
  return { ok: true, value: { task_id, phase, status } };
}

async function lockedPlan(ports: OrchPorts, header: ExecutionHeader): Promise<Outcome<ApprovedPlan>> {
  const file = await ports.evidence.read(lockedPlanPath(header.plan_id));
  if (!file.ok) return file;
  const damaged = refused(
    'EVIDENCE_INVALID',
    withReason('The locked plan was changed after it was written.', file.value, header.plan_sha256),
    `mission evidence verify ${header.plan_id}`,
  );
  if (file.value?.sha256 !== header.plan_sha256) return damaged;
  const { plan } = checkPlanText(ports.plans, file.value.text, null);
  return plan === null ? damaged : { ok: true, value: externalPlanOf(plan) };
}

/** Every task of the header with its file; refuses a file that the header did not record. */
async function readTasks(
  evidence: EvidenceFiles,
  header: ExecutionHeader,
  plan: ApprovedPlan,
): Promise<Outcome<readonly KnownTask[]>> {
  const known: KnownTask[] = [];
  for (const { task_id, evidence_sha256, status } of header.tasks ?? []) {
    const path = taskEvidencePath(header.plan_id, task_id);
    const file = await evidence.read(path);
    if (!file.ok) return file;
    const found = file.value && evidenceOf(file.value, header, task_id);
    const sha256 = file.value?.sha256 ?? null;
    const in_header = sha256 === evidence_sha256;
    // A crash between both writes leaves the file one step ahead of the header.
    const ahead = found && (evidence_sha256 === null || (status === null && typeof found.status === 'string'));
    if (!(in_header && (file.value === null || found)) && !ahead) {
      const recorded = evidence_sha256 === null ? null : file.value;
      const reason = withReason(`${path} is not as it was recorded.`, recorded, evidence_sha256);
      return refused('EVIDENCE_INVALID', reason, `mission evidence verify ${header.plan_id}`);
    }
    const depends_on = plan.tasks.find((task) => task.task_id === task_id)?.depends_on ?? [];
    known.push({ task_id, depends_on, evidence: found, in_header, sha256 });
  }
  return done(known);
}

function evidenceOf(file: ReadFile, header: ExecutionHeader, taskId: string): TaskEvidence | null {
  const shape = taskEvidenceSchema.safeParse(parsedJson(file.text));
  if (!shape.success || shape.data.executor !== 'external') return null;
  const { task_id, plan_id, plan_sha256 } = shape.data;
  return task_id === taskId && plan_id === header.plan_id && plan_sha256 === header.plan_sha256 ? shape.data : null;
}

/** Updates the header from the task files, and ends the execution when nothing is left to do. */
async function finish(
  { clock, evidence }: OrchPorts,
  before: ExecutionHeader,
  plan: ApprovedPlan,
  tasks: readonly KnownTask[],
  taskId: string,
): Promise<Outcome<OrchTaskWritten>> {
  const at = clock.now();
  const ending = endingOf(tasks);
  const known: KnownTask[] = [];
  for (const task of tasks) {
    if (ending?.outcome !== 'FAILED' || isEnded(task)) {
      known.push(task);
      continue;
    }
    const { code, reason } = ending;
    const values = { status: 'SKIPPED', code, reason: `Not done: ${reason ?? ''}` } as const;
    const begun = task.evidence ?? newTask(before, plan, task.task_id);
    const written = await writeTask(evidence, endedEvidence(begun, at, values));
    if (!written.ok) return written;
    known.push({ ...task, ...written.value });
  }
  const states: readonly ExecutionState[] = ending
    ? ['EXECUTING', 'EVIDENCED', ending.outcome, 'REPORTED']
    : ['EXECUTING'];
  const { state, state_history = [] } = before;
  const fresh = states.filter((one) => !state_history.some((entry) => entry.state === one));
  let next: ExecutionHeader = {
    ...before,
    state: fresh.at(-1) ?? state,
    state_history: [...state_history, ...fresh.map((one) => ({ state: one, at }))],
    tasks: known.map(headerRow),
    status: 'running',
  };
  if (ending !== null) {
    const documents = known.flatMap((task) => (task.evidence ? [task.evidence] : []));
    next = {
      ...next,
      ...ending,
      ended_at_utc: utcSeconds(at),
      status: ending.outcome === 'COMPLETED' ? 'completed' : 'failed',
      plan_sha256_observed: documents.map((one) => one.plan_sha256_observed).find(Boolean) ?? undefined,
      success_criteria: externalCriteria(plan.success_criteria),
    };
    const withAttempts = documents.map((one) => ({ ...one, attempts: one.attempts ?? [] }));
    const text = summaryMarkdown({ header: next, tasks: withAttempts });
    const summary = await evidence.writeMarkdown(summaryPath(before.plan_id), text);
    if (!summary.ok) return summary;
    next = { ...next, summary: { file: evidenceNames.summary, sha256: summary.value.sha256 } };
  }
  const header = await writeHeader(evidence, next);
  if (!header.ok) return header;
  const task = known.find((candidate) => candidate.task_id === taskId);
  if (!task?.evidence || task.sha256 === null)
    return refused('TASK_UNKNOWN', `Task ${taskId} has no evidence.`, `mission evidence verify ${before.plan_id}`);
  const path = taskEvidencePath(before.plan_id, taskId);
  return done({ path, sha256: task.sha256, document: task.evidence, header: header.value });
}

function newTask(header: ExecutionHeader, plan: ApprovedPlan, taskId: string): TaskEvidence {
  const task = plan.tasks.find((candidate) => candidate.task_id === taskId);
  return {
    contract_version: 'S2-B-06.v1',
    plan_id: header.plan_id,
    task_id: taskId,
    description: task?.description ?? '',
    started_at_utc: null,
    notes: null,
    ended_at_utc: null,
    status: null,
    commit_sha: null,
    start_notes: null,
    end_notes: null,
    executor: 'external',
    mission_id: null,
    run_id: null,
    code: null,
    reason: null,
    plan_sha256: header.plan_sha256,
    plan_sha256_observed: null,
    worker: null,
    paths: task?.paths ?? [],
    forbidden_paths: task?.forbidden_paths ?? [],
    attempts: [],
    recovery: { relaunches: [] },
  };
}

async function writeTask(
  evidence: EvidenceFiles,
  task: TaskEvidence,
): Promise<Outcome<{ evidence: TaskEvidence; sha256: string }>> {
  const path = taskEvidencePath(task.plan_id, task.task_id);
  const written = await evidence.write(path, documentText(task));
  if (!written.ok) return written;
  const file = await evidence.read(path);
  if (!file.ok) return file;
  const shape = taskEvidenceSchema.safeParse(file.value === null ? undefined : parsedJson(file.value.text));
  if (file.value?.sha256 !== written.value.sha256 || !shape.success) {
    const reason = `${path} is not what was written, because another program writes at the same time.`;
    return refused('EVIDENCE_UNWRITABLE', reason, `Look at ${path}, then repeat the command.`);
  }
  return done({ evidence: shape.data, sha256: file.value.sha256 });
}
