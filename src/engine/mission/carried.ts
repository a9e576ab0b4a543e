import { carriedFromIn, longestChain } from '../../base/carriedFrom';
import type { Plan } from '../../contracts/plan';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import { errorWords } from '../../base/outcome';
import { evidenceNames } from '../../contracts/vocabulary/files/evidenceFiles';
import type { Finding } from '../../core/documents/finding';
import { evidenceDir, taskEvidencePath } from '../../core/evidence/places';
import {
  broughtProblems,
  broughtTasks,
  carryProblems,
  doneTasks,
  type CarryReading,
} from '../../core/mission/revision/carryOver';
import { fold } from '../../core/mission/evolve';
import { cameBackAs } from '../../core/mission/handoff/movedRun';
import { reviseStep } from '../../core/mission/revision/supersede';
import type { CarriedTask } from '../../core/model/carried';
import type { MissionEvent } from '../../core/model/events';
import type { Mission, Tasks } from '../../core/model/state';
import type { Left } from '../../base/fileState';
import type { CarriedFrom, PlannedTask } from '../../core/plan/approvedPlan';
import { approvedPlanOf } from '../../core/plan/normalize';
import { notCarried } from '../../core/plan/rules/carried';
import { redactedName } from '../effects/observe/currentPathStates';
import type { EvidenceFiles } from '../ports/evidence';
import type { HandoffFiles } from '../ports/handoff';
import type { Journal } from '../ports/journal';
import type { PlanText } from '../ports/plans';
import { isMissionStream } from '../ports/workspaceEvents';
import { provenMissions } from '../views/reader';

/** Where the tasks of an earlier mission are looked up; `journal`: null where this workspace has none. */
export interface CarriedPorts {
  readonly journal: Pick<Journal<MissionEvent>, 'pages' | 'read' | 'streams'> | null;
  readonly evidence: Pick<EvidenceFiles, 'read'>;
  readonly handoffs: Pick<HandoffFiles, 'found'>;
}

/** The missions of a workspace, the newest first, and where their tasks are looked up. */
export interface MissionSources {
  readonly missions: readonly Mission[];
  readonly ports: CarriedPorts;
}

export interface CarriedCheck {
  /** Why tasks are not carried over; empty: all of them are. */
  readonly findings: readonly Finding[];
  readonly carried: readonly CarriedTask[];
}

/** By the journal here, which alone says what was done, evidence and files. `plan`: valid but for its approval. */
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
  const source = await sourceOf(from, plan, ports);
  const done = source.ok ? source.tasks(source.mission) : [];
  const problems = source.ok
    ? source.problems(tasks, source.mission, await readTasks(done, ports))
    : marked.map(({ task_id }) => ({ task_id, reason: source.reason }));
  const step = (source.ok ? null : source.step) ?? notCarried;
  const findings = problems.map(({ task_id, reason }): Finding => {
    const pointer = `/tasks/${tasks.findIndex((task) => task.task_id === task_id)}/carried_from`;
    const message = `Task ${JSON.stringify(task_id)} cannot be carried over: ${reason}. ${step}`;
    return { code: 'CARRIED_REFUSED', severity: 'error', pointer, message };
  });
  const carried = findings.length === 0 ? done.filter(among(marked)) : [];
  return { findings: text.locate(findings), carried };
}

export function readCarry(mission: Tasks, ports: CarriedPorts): Promise<CarryReading> {
  return readTasks(doneTasks(mission), ports);
}

async function readTasks(tasks: readonly CarriedTask[], ports: CarriedPorts): Promise<CarryReading> {
  const evidence = new Map<string, string | null>();
  for (const { task_id, from } of tasks) evidence.set(task_id, await evidenceProblem(task_id, from, ports));
  const paths = [...new Set(tasks.flatMap(({ outputs }) => outputs.map(({ path }) => path)))];
  return { evidence, found: await foundAt(paths, ports) };
}

/** Returns what lies at these paths. The file of a redacted name cannot be found. */
export async function foundAt(
  paths: readonly string[],
  { handoffs }: Pick<CarriedPorts, 'handoffs'>,
): Promise<ReadonlyMap<string, Left>> {
  const unnamed = paths.filter((path) => redactedName.test(path));
  const found = await handoffs.found(paths.filter((path) => !redactedName.test(path)));
  const why = 'its name holds a secret, which no record keeps';
  return new Map<string, Left>([...found, ...unnamed.map((path) => [path, { kind: 'unknown', why }] as const)]);
}

type Source =
  | {
      readonly ok: true;
      readonly mission: Mission;
      readonly tasks: typeof doneTasks;
      readonly problems: typeof carryProblems;
    }
  | { readonly ok: false; readonly reason: string; readonly step?: string };

/** Only this workspace's own journal counts, and it has to be whole: any program can write evidence. */
async function sourceOf(
  { mission_id: missionId, plan_id: planId }: CarriedFrom,
  plan: Plan,
  { journal }: CarriedPorts,
): Promise<Source> {
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
  // A revision of a run that was given away runs where the run goes on.
  if (mission.moved) {
    const missions = (await provenMissions(journal)).missions.map((one) => one.mission);
    // The place that took the run over has revised it, and checked what was done before.
    const came = missions.find((one) => one.plan.plan_id === plan.plan_id && one.resumed_from && !one.moved);
    if (came) return { ok: true, mission: came, tasks: broughtTasks, problems: broughtProblems };
    const back = cameBackAs(mission, missions);
    return {
      ok: false,
      reason: `the run of mission ${missionId} was given away`,
      step:
        back === null
          ? 'Remove supersedes and every carried_from to have all tasks done again, as another run.'
          : `The run came back as mission ${back}. To revise its plan: ${reviseStep({ mission_id: back })}.`,
    };
  }
  return { ok: true, mission, tasks: doneTasks, problems: carryProblems };
}

/** Null: nothing. Looks also at the evidence of each mission that carried the task over before. */
async function evidenceProblem(taskId: string, first: CarriedFrom, ports: CarriedPorts): Promise<string | null> {
  let from: CarriedFrom | null = first;
  for (let count = 0; from !== null && count < longestChain; count += 1) {
    const { text, found } = await evidenceNow(taskId, from, ports);
    const place = taskEvidencePath(from.plan_id, taskId);
    if (text === null) return `its evidence ${place} ${found ? 'is not as it was written' : 'is gone'}`;
    from = carriedFromIn(text);
  }
  return null;
}

/** The task's evidence with the recorded digest, where it was written, or where a later execution has archived it. */
async function evidenceNow(
  taskId: string,
  { plan_id, mission_id, evidence_sha256 }: CarriedFrom,
  { evidence }: CarriedPorts,
): Promise<{ readonly text: string | null; readonly found: boolean }> {
  let found = false;
  for (const place of [
    taskEvidencePath(plan_id, taskId),
    `${evidenceDir(plan_id)}/${evidenceNames.archive}/${mission_id}/TASK_${taskId}.json`,
  ]) {
    const read = await evidence.read(place);
    if (!read.ok || read.value === null) continue;
    if (read.value.sha256.toUpperCase() === evidence_sha256.toUpperCase()) return { text: read.value.text, found };
    found = true;
  }
  return { text: null, found };
}

function among(tasks: readonly PlannedTask[]): (task: CarriedTask) => boolean {
  const ids = new Set(tasks.map(({ task_id }) => task_id));
  return ({ task_id }) => ids.has(task_id);
}
