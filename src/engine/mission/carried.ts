import type { Plan } from '../../contracts/plan';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import { errorWords } from '../../base/errorWords';
import { evidenceNames } from '../../contracts/vocabulary/evidenceFiles';
import type { Finding } from '../../core/documents/finding';
import { evidenceDir, taskEvidencePath } from '../../core/evidence/places';
import { carryProblems, doneTasks, type CarryReading } from '../../core/mission/carry';
import { fold } from '../../core/mission/evolve';
import type { CarriedTask } from '../../core/model/carried';
import type { MissionEvent } from '../../core/model/events';
import type { Mission } from '../../core/model/state';
import type { PlannedTask } from '../../core/plan/approvedPlan';
import { approvedPlanOf } from '../../core/plan/normalize';
import { notCarried } from '../../core/plan/rules/carried';
import type { EvidenceFiles } from '../ports/evidence';
import type { HandoffFiles } from '../ports/handoff';
import type { Journal } from '../ports/journal';
import type { PlanText } from '../ports/plans';
import { isMissionStream } from '../ports/workspaceEvents';

/** Where the tasks of an earlier mission are looked up; `journal`: null where this workspace has none. */
export interface CarriedPorts {
  readonly journal: Pick<Journal<MissionEvent>, 'pages' | 'streams'> | null;
  readonly evidence: Pick<EvidenceFiles, 'read'>;
  readonly handoffs: Pick<HandoffFiles, 'digests'>;
}

/** The missions of a workspace, the newest first, and where their tasks are looked up. */
export interface MissionSources {
  readonly missions: readonly Mission[];
  readonly ports: CarriedPorts;
}

/** What holds of the tasks that a plan marks as done before. */
export interface CarriedCheck {
  /** Why tasks are not carried over; empty: all of them are. */
  readonly findings: readonly Finding[];
  readonly carried: readonly CarriedTask[];
}

/**
 * Checks the tasks that a plan carries over against the journal of this workspace, which alone says what was done, the
 * evidence on disk, and the files as they are now. `plan`: valid but for its approval.
 */
export async function checkCarried(
  plan: Plan,
  text: Pick<PlanText, 'locate'>,
  ports: CarriedPorts,
  { defaultWorker }: { readonly defaultWorker: WorkerName },
): Promise<CarriedCheck> {
  const { tasks } = approvedPlanOf(plan, { defaultWorker });
  const marked = tasks.filter(({ carried_from }) => carried_from);
  const from = marked[0]?.carried_from;
  if (!from) return { findings: [], carried: [] };
  const source = await sourceOf(from.mission_id, from.plan_id, ports);
  const problems = source.ok
    ? carryProblems(tasks, source.mission, await readCarry(source.mission, ports))
    : marked.map(({ task_id }) => ({ task_id, reason: source.reason }));
  const findings = problems.map(({ task_id, reason }): Finding => {
    const pointer = `/tasks/${tasks.findIndex((task) => task.task_id === task_id)}/carried_from`;
    const message = `Task ${JSON.stringify(task_id)} cannot be carried over: ${reason}. ${notCarried}`;
    return { code: 'CARRIED_REFUSED', severity: 'error', pointer, message };
  });
  const carried = source.ok && findings.length === 0 ? doneTasks(source.mission).filter(among(marked)) : [];
  return { findings: text.locate(findings), carried };
}

/** What the disk says about the done tasks of a mission. */
export async function readCarry(mission: Mission, ports: CarriedPorts): Promise<CarryReading> {
  const tasks = doneTasks(mission);
  const evidence = new Map<string, string | null>();
  for (const { task_id, from } of tasks) evidence.set(task_id, await evidenceNow(task_id, from, ports));
  const paths = [...new Set(tasks.flatMap(({ outputs }) => outputs.map(({ path }) => path)))];
  return { evidence, digests: await ports.handoffs.digests(paths) };
}

type Source = { readonly ok: true; readonly mission: Mission } | { readonly ok: false; readonly reason: string };

/** The mission, if this workspace's own journal has it whole: anybody can write evidence, and nobody the journal. */
async function sourceOf(missionId: string, planId: string, { journal }: CarriedPorts): Promise<Source> {
  const known = isMissionStream(missionId) && (await journal?.streams())?.some(({ stream }) => stream === missionId);
  if (!journal || known !== true)
    return { ok: false, reason: `the journal of this workspace knows no mission ${missionId}` };
  let mission: Mission | null = null;
  try {
    for await (const page of journal.pages(missionId, { verified: true })) mission = fold(page, mission);
  } catch (error) {
    return { ok: false, reason: `the journal of mission ${missionId} cannot be trusted: ${errorWords(error)}` };
  }
  if (mission?.plan.plan_id !== planId)
    return {
      ok: false,
      reason: `mission ${missionId} is one of plan ${mission?.plan.plan_id ?? 'nothing'}, not of ${planId}`,
    };
  if (mission.moved) return { ok: false, reason: `the run of mission ${missionId} was given away` };
  return { ok: true, mission };
}

/** The digest of the task's evidence where it was written, or where a later execution has archived it. */
async function evidenceNow(
  taskId: string,
  { plan_id, mission_id, evidence_sha256 }: CarriedTask['from'],
  { evidence }: CarriedPorts,
): Promise<string | null> {
  let found: string | null = null;
  for (const place of [
    taskEvidencePath(plan_id, taskId),
    `${evidenceDir(plan_id)}/${evidenceNames.archive}/${mission_id}/TASK_${taskId}.json`,
  ]) {
    const read = await evidence.read(place);
    const now = read.ok ? (read.value?.sha256 ?? null) : null;
    if (now?.toUpperCase() === evidence_sha256) return now;
    found ??= now;
  }
  return found;
}

function among(tasks: readonly PlannedTask[]): (task: CarriedTask) => boolean {
  const ids = new Set(tasks.map(({ task_id }) => task_id));
  return ({ task_id }) => ids.has(task_id);
}
