import type { ExecutionHeader } from '../../contracts/record/header';
import { taskEvidenceSchema, type TaskEvidence } from '../../contracts/taskEvidence';
import { taskEvidenceStatuses } from '../../contracts/vocabulary/execution';
import { endedEvidence, judgeStep, type ExternalStep } from '../../core/evidence/external';
import { lockedPlanPath, taskEvidencePath, utcSeconds } from '../../core/evidence/places';
import type { ApprovedPlan } from '../../core/plan/approvedPlan';
import {
  ownMission,
  planIdOfPath,
  readHeader,
  withReason,
  type OrchPlan,
  type OrchPorts,
  type OrchTaskWritten,
  externalPlanOf,
} from './start';
import { finish, newTask, writeTask, type KnownTask } from './finish';
import { checkPlanText } from '../plans/check';
import type { EvidenceFiles, ReadFile } from '../ports/evidence';
import { refused, type Outcome } from '../../base/outcome';
import { parsedJson } from '../../base/json';

export interface OrchTaskRequest extends OrchPlan {
  readonly task_id: string;
  readonly phase: string;
  /** Required at END, absent at START. */
  readonly status: string | null;
  readonly notes: string | null;
  /** Commit to record; null: HEAD. */
  readonly commit: string | null;
}

/**
 * Records START or END of one task. Each call checks the plan hash against the lock. The last END, or the first
 * failure, ends the execution: remaining tasks are SKIPPED, the summary is written, the header is REPORTED.
 */
export async function orchTask(ports: OrchPorts, request: OrchTaskRequest): Promise<Outcome<OrchTaskWritten>> {
  const step = stepOf(request);
  if (!step.ok) return step;
  const planId = planIdOfPath(request.plan_path);
  if (planId === null)
    return refused(
      'PLAN_MISPLACED',
      `${request.plan_path} is not where plans lie: docs/plans, as PLAN_, the plan id and .json.`,
      'Name the plan that was started.',
    );
  const mission = await ports.missionOf(planId);
  if (mission !== null) return { ok: false, refusal: ownMission(planId, mission) };
  const started = await readHeader(ports.evidence, planId);
  if (!started.ok) return started;
  const header = started.value.document;
  if (typeof header.mission_id === 'string') return { ok: false, refusal: ownMission(planId, header.mission_id) };
  if (header.executor !== 'external' || header.tasks === undefined) {
    return refused(
      'EVIDENCE_FOREIGN',
      'The execution was started by another tool; it is not continued here.',
      'Go on with the tool that started it.',
    );
  }
  if (header.plan_path !== request.plan_path) {
    return refused(
      'PLAN_MISPLACED',
      `The execution was started with ${header.plan_path}.`,
      stepCommand(header.plan_path, step.value),
    );
  }
  // The locked bytes name the tasks; the plan file is only compared with them.
  const [plan, text] = [await lockedPlan(ports, header), await ports.plans.read(request.plan_file)];
  if (!plan.ok) return plan;
  const tasks = await readTasks(ports.evidence, header, plan.value);
  if (!tasks.ok) return tasks;

  const observed = text.sha256;
  const locked = header.plan_sha256.toUpperCase();
  const plan_unchanged = observed?.toUpperCase() === locked;
  const verdict = judgeStep(
    {
      state: header.state,
      tasks: tasks.value,
      max_parallel: plan.value.mode === 'parallel' ? plan.value.max_parallel : 1,
      plan_unchanged,
      command: (next) => stepCommand(header.plan_path, next),
      only_line_ends: !plan_unchanged && text.other_forms?.includes(locked) === true,
    },
    step.value,
  );
  if (verdict.kind === 'refuse') return refused(verdict.code, verdict.reason, ...verdict.next);
  let known = tasks.value;
  if (verdict.kind === 'write') {
    const { task_id, notes } = request;
    const earlier = tasks.value.find((task) => task.task_id === task_id)?.evidence ?? null;
    const begun = { started_at_utc: utcSeconds(ports.clock.now()), notes, start_notes: notes };
    const evidence =
      step.value.phase === 'START' || earlier === null
        ? { ...newTask(header, plan.value, task_id), ...begun }
        : await endedTask(ports, request, step.value, {
            ...earlier,
            plan_sha256_observed: plan_unchanged ? null : observed,
          });
    const written = await writeTask(ports.evidence, evidence);
    if (!written.ok) return written;
    known = known.map((task) => (task.task_id === request.task_id ? { ...task, ...written.value } : task));
  }
  return finish(ports, header, plan.value, known, request.task_id);
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
  for (const row of header.tasks ?? []) {
    const path = taskEvidencePath(header.plan_id, row.task_id);
    const file = await evidence.read(path);
    if (!file.ok) return file;
    const found = file.value === null ? null : evidenceOf(file.value, header, row.task_id);
    // A crash between both writes leaves the file one step ahead of the header.
    const ahead =
      found !== null && (row.evidence_sha256 === null || (row.status === null && typeof found.status === 'string'));
    const recorded = (file.value?.sha256 ?? null) === row.evidence_sha256;
    if (!(recorded && (file.value === null || found !== null)) && !ahead) {
      const known = row.evidence_sha256 === null ? null : file.value;
      const reason = withReason(`${path} is not as it was recorded.`, known, row.evidence_sha256);
      return refused('EVIDENCE_INVALID', reason, `mission evidence verify ${header.plan_id}`);
    }
    const depends_on = plan.tasks.find((task) => task.task_id === row.task_id)?.depends_on ?? [];
    known.push({
      task_id: row.task_id,
      depends_on,
      evidence: found,
      in_header: recorded,
      sha256: file.value?.sha256 ?? null,
    });
  }
  return { ok: true, value: known };
}

function evidenceOf(file: ReadFile, header: ExecutionHeader, taskId: string): TaskEvidence | null {
  const shape = taskEvidenceSchema.safeParse(parsedJson(file.text));
  if (!shape.success || shape.data.executor !== 'external') return null;
  const { task_id, plan_id, plan_sha256 } = shape.data;
  return task_id === taskId && plan_id === header.plan_id && plan_sha256 === header.plan_sha256 ? shape.data : null;
}

async function endedTask(
  ports: OrchPorts,
  request: OrchTaskRequest,
  { status }: ExternalStep,
  task: TaskEvidence,
): Promise<TaskEvidence> {
  return endedEvidence(task, ports.clock.now(), {
    end_notes: request.notes,
    status,
    commit_sha: request.commit ?? (await ports.head()),
    code: task.plan_sha256_observed === null ? null : 'PLAN_HASH_MISMATCH',
    reason: status === 'SUCCESS' ? null : (request.notes ?? `Reported as ${status ?? ''} without a note.`),
  });
}
