import { metadataFields } from '../../contracts/vocabulary/metadata';
import { changedFields } from '../../core/mission/revision/carryOver';
import { isAsLeft, outputsOf } from '../../core/mission/evidence/outputs';
import type { EarlierWork } from '../../core/model/carried';
import { type Mission, rowNamed, type TaskRow, type Tasks } from '../../core/model/state';
import type { Change } from '../../core/observation/change';
import { inScope } from '../../core/paths/compare';
import type { PlannedTask } from '../../core/plan/approvedPlan';
import { asLeft, leftBy, notAsOutput, type Left } from '../../base/fileState';
import type { HandoffFiles } from '../ports/handoff';
import { provenMissions, type MissionReader } from '../views/reader';
import { foundAt } from './carried';

/** What attempts of a task left within its paths, and that is still so; the task will be done, or done again. */
export interface Unfinished {
  readonly task_id: string;
  readonly paths: readonly string[];
  /** What they deleted, and is still gone. */
  readonly gone: readonly string[];
}

/** What a person revised of a task for its next attempts, and the plan that replaces it does not say. */
export interface NotTakenOver {
  readonly task_id: string;
  /** `priority high, timeout_seconds 777`. */
  readonly revised: string;
}

/** With the missions of the plans that its plan superseded in turn, because what they left may be there. */
export function lineageOf(mission: Mission, missions: readonly Mission[]): readonly [Mission, ...Mission[]] {
  const found = new Set([mission]);
  const plans = new Set([mission.plan.plan_id]);
  for (let before = mission.plan.supersedes; before !== null && !plans.has(before);) {
    plans.add(before);
    const those = missions.filter(({ plan }) => plan.plan_id === before);
    for (const one of those) found.add(one);
    before = those[0]?.plan.supersedes ?? null;
  }
  const [, ...others] = found;
  return [mission, ...others];
}

/** Leaves out what is gone, and what a task of the revision may write. Its baseline has the returned files. */
export async function leftOutside(
  missions: readonly Mission[],
  tasks: readonly Pick<PlannedTask, 'paths'>[],
  { handoffs }: { readonly handoffs: Pick<HandoffFiles, 'found'> },
): Promise<readonly string[]> {
  const approved = tasks.flatMap(({ paths }) => paths);
  const changes = missions
    .flatMap(({ rows }) => rows.flatMap(outsideOf))
    // No file shows a flag in git's index, so those changes are left out.
    .filter(({ kind, path }) => kind !== 'index_flag' && !inScope(path, approved))
    // A file of `.git` without content is gone.
    .map((one) => (one.kind === 'git' && one.after_sha256 === null ? { ...one, kind: 'deleted' as const } : one));
  const now = await foundAt(
    changes.map(({ path }) => path),
    { handoffs },
  );
  return [
    ...new Set(changes.flatMap((change) => (isStill(leftBy(change), now.get(change.path)) ? [change.path] : []))),
  ];
}

/** Changes that are violations, and doubtful ones that a person has not accepted. */
function outsideOf({ attempts, outstanding }: TaskRow): readonly Change[] {
  const accepted = new Set(outstanding.flatMap(({ path, settled }) => (settled?.how === 'accepted' ? [path] : [])));
  return attempts
    .flatMap(({ observed }) => observed?.changes ?? [])
    .filter(({ path, violation, doubt }) => violation !== null || (doubt !== undefined && !accepted.has(path)));
}

/** Returns whether a file is as it was left. One that cannot be compared counts as left, so that a person looks. */
function isStill(left: Left, now: Left = { kind: 'nothing' }): boolean {
  if (left.kind === 'unknown' || now.kind === 'unknown') return now.kind !== 'nothing';
  return notAsOutput(left, now) === null;
}

/** Names what open tasks left or deleted, and is still so, because a revision has it in its baseline. */
export async function unfinishedWork(
  lineage: readonly [Mission, ...Mission[]],
  { again, elsewhere }: { readonly again: ReadonlySet<string>; readonly elsewhere: readonly string[] },
  ports: { readonly handoffs: Pick<HandoffFiles, 'found'> },
): Promise<readonly Unfinished[]> {
  return (await workOfOpen(lineage, again, ports)).flatMap(({ task_id, outputs }): readonly Unfinished[] => {
    const [gone = [], paths = []] = [true, false].map((is) => {
      const those = outputs.filter(
        (output) => (asLeft(output).kind === 'nothing') === is && !elsewhere.includes(output.path),
      );
      return [...new Set(those.map(({ path }) => path))];
    });
    return gone.length + paths.length === 0 ? [] : [{ task_id, paths, gone }];
  });
}

/** Finds what open tasks left, for tasks of the plan that do the same work. */
export async function earlierWork(
  { supersedes, tasks }: Mission['plan'],
  carried: ReadonlySet<string>,
  ports: { readonly journal: MissionJournal; readonly handoffs: Pick<HandoffFiles, 'found'> },
): Promise<readonly EarlierWork[]> {
  if (supersedes === null) return [];
  const missions = (await provenMissions(ports.journal)).missions.map(({ mission }) => mission);
  const source = missions.find(({ plan }) => plan.plan_id === supersedes);
  const same = tasks.filter((task) => {
    const before = source && rowNamed(source, task.task_id)?.task;
    return before && !carried.has(task.task_id) && !changedFields(before, task).some((field) => workFields.has(field));
  });
  if (!source || same.length === 0) return [];
  const open = new Set(same.map(({ task_id }) => task_id));
  const work = await workOfOpen(lineageOf(source, missions), open, ports);
  return work.filter(({ task_id, outputs }) => open.has(task_id) && outputs.length > 0);
}

type MissionJournal = ConstructorParameters<typeof MissionReader>[0];

/** A task with another value of these does other work. */
const workFields: ReadonlySet<string> = new Set(['description', 'worker', 'command', 'intent', 'prompt', 'validate']);

/** Counts outputs of earlier missions too, unless a later attempt changed them. */
async function workOfOpen(
  [mission, ...earlier]: readonly [Mission, ...Mission[]],
  again: ReadonlySet<string>,
  { handoffs }: { readonly handoffs: Pick<HandoffFiles, 'found'> },
): Promise<readonly EarlierWork[]> {
  const open = mission.rows
    .filter(({ status, task }) => status !== 'done' || again.has(task.task_id))
    .map(({ task: { task_id } }) => ({
      task_id,
      outputs: [...earlier.toReversed(), mission].flatMap((one) => {
        const row = rowNamed(one, task_id);
        return row ? outputsOf(row) : [];
      }),
    }));
  const now = await foundAt(
    open.flatMap(({ outputs }) => outputs.map(({ path }) => path)),
    { handoffs },
  );
  return open.map(({ task_id, outputs }) => ({
    task_id,
    outputs: outputs.filter(({ path, ...output }) => isAsLeft(output, now.get(path))),
  }));
}

/** @param tasks those of the revision */
export function notTakenOver({ rows }: Tasks, tasks: readonly PlannedTask[]): readonly NotTakenOver[] {
  return rows.flatMap((row): readonly NotTakenOver[] => {
    const planned = tasks.find(({ task_id }) => task_id === row.task.task_id);
    const revised = planned && row.status !== 'done' ? differencesOf(row, planned) : [];
    return revised.length === 0 ? [] : [{ task_id: row.task.task_id, revised: revised.join(', ') }];
  });
}

function differencesOf({ task, notes, revisions }: TaskRow, planned: PlannedTask): readonly string[] {
  return metadataFields.flatMap((field): readonly string[] => {
    if (field === 'note') return notes.map(({ text }) => `note ${JSON.stringify(text)}`);
    const ordered = revisions.some(({ after }) => after[field] !== undefined);
    return ordered && task[field] !== planned[field] ? [`${field} ${task[field] ?? 'none'}`] : [];
  });
}
