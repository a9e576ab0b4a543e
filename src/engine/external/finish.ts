import type { ExecutionHeader } from '../../contracts/record/header';
import { taskEvidenceSchema, type TaskEvidence } from '../../contracts/taskEvidence';
import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import type { ExecutionState } from '../../contracts/vocabulary/execution';
import { endedEvidence, endingOf, externalCriteria, type ExternalTask } from '../../core/evidence/external';
import { summaryPath, taskEvidencePath, utcSeconds } from '../../core/evidence/places';
import { summaryMarkdown } from '../../core/evidence/summary';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { writeHeader, type OrchPorts, type OrchTaskWritten } from './start';
import type { EvidenceFiles } from '../ports/evidence';
import { done, refused, type Outcome } from '../../base/outcome';
import { documentText, parsedJson } from '../../base/json';

/** A task of an external execution, with the digest of its file. */
export interface KnownTask extends ExternalTask {
  readonly sha256: string | null;
}

/** Updates the header from the task files, and ends the execution when nothing is left to do. */
export async function finish(
  ports: OrchPorts,
  before: ExecutionHeader,
  plan: ApprovedPlan,
  tasks: readonly KnownTask[],
  taskId: string,
): Promise<Outcome<OrchTaskWritten>> {
  const at = ports.clock.now();
  const ending = endingOf(tasks);
  let known = tasks;
  if (ending?.outcome === 'FAILED') {
    const skipped: KnownTask[] = [];
    for (const task of tasks) {
      if (typeof task.evidence?.status === 'string') skipped.push(task);
      else {
        const values = {
          status: 'SKIPPED',
          code: ending.code,
          reason: `Not done: ${ending.reason ?? ''}`,
        } as const;
        const evidence = endedEvidence(task.evidence ?? newTask(before, plan, task.task_id), at, values);
        const written = await writeTask(ports.evidence, evidence);
        if (!written.ok) return written;
        skipped.push({ ...task, ...written.value });
      }
    }
    known = skipped;
  }
  const tasksNow = known.map(({ task_id, evidence, sha256 }) => ({
    ...{ task_id, status: evidence?.status ?? null, code: evidence?.code ?? null },
    ...{ attempts: 0, evidence_sha256: sha256 },
  }));
  const states: readonly ExecutionState[] = ending
    ? ['EXECUTING', 'EVIDENCED', ending.outcome, 'REPORTED']
    : ['EXECUTING'];
  let next: ExecutionHeader = { ...withStates(before, states, at), tasks: tasksNow, status: 'running' };
  if (ending !== null) {
    const observed = known.map(({ evidence }) => evidence?.plan_sha256_observed).find(Boolean);
    next = {
      ...next,
      ...ending,
      ended_at_utc: utcSeconds(at),
      status: ending.outcome === 'COMPLETED' ? 'completed' : 'failed',
      plan_sha256_observed: observed ?? undefined,
      success_criteria: externalCriteria(plan.success_criteria),
    };
    const tasks = known.flatMap(({ evidence }) =>
      evidence ? [{ ...evidence, attempts: evidence.attempts ?? [] }] : [],
    );
    const summary = await ports.evidence.writeMarkdown(
      summaryPath(before.plan_id),
      summaryMarkdown({ header: next, tasks }),
    );
    if (!summary.ok) return summary;
    next = { ...next, summary: { file: evidenceNames.summary, sha256: summary.value.sha256 } };
  }
  const header = await writeHeader(ports.evidence, next);
  if (!header.ok) return header;
  const task = known.find((candidate) => candidate.task_id === taskId);
  if (task === undefined || task.evidence === null || task.sha256 === null)
    return refused('TASK_UNKNOWN', `Task ${taskId} has no evidence.`, `mission evidence verify ${before.plan_id}`);
  return done({
    path: taskEvidencePath(before.plan_id, taskId),
    sha256: task.sha256,
    document: task.evidence,
    header: header.value,
  });
}

function withStates(header: ExecutionHeader, states: readonly ExecutionState[], at: string): ExecutionHeader {
  const { state, state_history = [] } = header;
  const fresh = states.filter((one) => !state_history.some((entry) => entry.state === one));
  return {
    ...header,
    state: fresh.at(-1) ?? state,
    state_history: [...state_history, ...fresh.map((one) => ({ state: one, at }))],
  };
}

/** Evidence of a task that another executor has not begun. */
export function newTask(header: ExecutionHeader, plan: ApprovedPlan, taskId: string): TaskEvidence {
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

export async function writeTask(
  evidence: EvidenceFiles,
  task: TaskEvidence,
): Promise<Outcome<{ evidence: TaskEvidence; sha256: string }>> {
  const path = taskEvidencePath(task.plan_id, task.task_id);
  const written = await evidence.write(path, documentText(task));
  if (!written.ok) return written;
  const file = await evidence.read(path);
  if (!file.ok) return file;
  const shape = taskEvidenceSchema.safeParse(file.value === null ? undefined : parsedJson(file.value.text));
  if (file.value?.sha256 !== written.value.sha256 || !shape.success)
    return refused(
      'EVIDENCE_UNWRITABLE',
      `${path} is not what was written, because another program writes at the same time.`,
      `Look at ${path}, then repeat the command.`,
    );
  return { ok: true, value: { evidence: shape.data, sha256: file.value.sha256 } };
}
