import type { ExecutionHeader } from '../../contracts/header';
import { taskEvidenceSchema, type TaskEvidence } from '../../contracts/taskEvidence';
import type { ExecutionState } from '../../contracts/vocabulary/execution';
import {
  endingOf,
  externalCriteria,
  headerFactsOf,
  taskFactsOf,
  type ExternalTask,
} from '../../core/evidence/external';
import type { HeaderFacts, TaskFacts } from '../../core/evidence/facts';
import { summaryPath, taskEvidencePath } from '../../core/evidence/places';
import { summaryMarkdown } from '../../core/evidence/summary';
import { taskEvidenceDocument } from '../../core/evidence/taskEvidence';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import { refusal, writeHeader, type OrchPorts, type OrchTaskWritten } from './start';
import type { EvidenceFiles } from '../ports/evidence';
import type { Outcome } from '../../base/outcome';
import { parsedJson } from '../../base/json';

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
          ended_at: at,
          status: 'SKIPPED',
          code: ending.code,
          reason: `Not done: ${ending.reason ?? ''}`,
        } as const;
        const facts =
          task.evidence === null
            ? newTask(before, plan, task.task_id, values)
            : { ...taskFactsOf(task.evidence, before.plan_sha256), ...values };
        const written = await writeTask(ports.evidence, facts);
        if (!written.ok) return written;
        skipped.push({ ...task, ...written.value });
      }
    }
    known = skipped;
  }
  const observed =
    known.map((task) => task.evidence?.plan_sha256_observed).find((digest) => typeof digest === 'string') ?? null;
  const base: HeaderFacts = {
    ...headerFactsOf(before),
    tasks: known.map((task) => ({
      task_id: task.task_id,
      status: task.evidence?.status ?? null,
      code: task.evidence?.code ?? null,
      attempts: 0,
      evidence_sha256: task.sha256,
    })),
  };
  const history = withStates(
    base,
    ending === null ? ['EXECUTING'] : ['EXECUTING', 'EVIDENCED', ending.outcome, 'REPORTED'],
    at,
  );
  let facts: HeaderFacts = { ...history, status: 'running' };
  if (ending !== null) {
    facts = {
      ...history,
      ...ending,
      ended_at: at,
      status: ending.outcome === 'COMPLETED' ? 'completed' : 'failed',
      plan_sha256_observed: observed,
      success_criteria: externalCriteria(plan.success_criteria),
    };
    const taskFacts = known.flatMap((task) =>
      task.evidence === null ? [] : [taskFactsOf(task.evidence, before.plan_sha256)],
    );
    const summary = await ports.evidence.writeMarkdown(
      summaryPath(before.plan_id),
      summaryMarkdown({ header: facts, tasks: taskFacts }),
    );
    if (!summary.ok) return summary;
    facts = { ...facts, summary_sha256: summary.value.sha256 };
  }
  const header = await writeHeader(ports.evidence, facts);
  if (!header.ok) return header;
  const task = known.find((candidate) => candidate.task_id === taskId);
  if (task === undefined || task.evidence === null || task.sha256 === null)
    return refusal('TASK_UNKNOWN', `Task ${taskId} has no evidence.`, [`mission evidence verify ${facts.plan_id}`]);
  return {
    ok: true,
    value: {
      path: taskEvidencePath(before.plan_id, taskId),
      sha256: task.sha256,
      document: task.evidence,
      header: header.value,
    },
  };
}

function withStates(facts: HeaderFacts, states: readonly ExecutionState[], at: string): HeaderFacts {
  const fresh = states.filter((state) => !facts.state_history.some((entry) => entry.state === state));
  return {
    ...facts,
    state: fresh.at(-1) ?? facts.state,
    state_history: [...facts.state_history, ...fresh.map((state) => ({ state, at }))],
  };
}

export function newTask(
  header: ExecutionHeader,
  plan: ApprovedPlan,
  taskId: string,
  values: Partial<TaskFacts>,
): TaskFacts {
  const task = plan.tasks.find((candidate) => candidate.task_id === taskId);
  return {
    plan_id: header.plan_id,
    task_id: taskId,
    description: task?.description ?? '',
    started_at: null,
    start_notes: null,
    ended_at: null,
    end_notes: null,
    status: null,
    commit_sha: null,
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
    places: [],
    ...values,
  };
}

export async function writeTask(
  evidence: EvidenceFiles,
  facts: TaskFacts,
): Promise<Outcome<{ evidence: TaskEvidence; sha256: string }>> {
  const path = taskEvidencePath(facts.plan_id, facts.task_id);
  const written = await evidence.write(path, taskEvidenceDocument(facts));
  if (!written.ok) return written;
  const file = await evidence.read(path);
  if (!file.ok) return file;
  const shape = taskEvidenceSchema.safeParse(file.value === null ? undefined : parsedJson(file.value.text));
  if (file.value?.sha256 !== written.value.sha256 || !shape.success)
    return refusal(
      'EVIDENCE_UNWRITABLE',
      `${path} is not what was written, because another program writes at the same time.`,
      [`Look at ${path}, then repeat the command.`],
    );
  return { ok: true, value: { evidence: shape.data, sha256: file.value.sha256 } };
}
