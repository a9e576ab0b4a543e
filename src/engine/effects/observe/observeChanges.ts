import { acceptedPlaces } from '../../../core/lifecycle/changes/outstandingRead';
import { differencesOfVerify } from '../../../core/lifecycle/changes/verifyChanges';
import { laneOf } from '../../../core/model/lanes';
import { hasToChange } from '../../../core/lifecycle/judge/judgeMissingChange';
import { isAsLeft, outputsOf } from '../../../core/mission/evidence/outputs';
import { inScope } from '../../../core/paths/compare';
import { placeKey } from '../../../core/observation/outstanding';
import { openChanges, rowOf, type TaskRow, type Tasks, type Mission } from '../../../core/model/state';
import type { Report } from '../../../core/model/inputs';
import { isLink } from '../../../core/observation/attribute';
import { waitingWork } from '../../../core/model/waitingWork';
import { foldersToRemove } from '../../../core/confinement/boundary';
import type { EnginePorts } from '../../ports/engine';
import { isGone, workGone } from '../write/landWork';
import { lookAtFileSystem, treeOf } from './readTree';
import { readPlanNow } from '../launch/planHash';
import { standingOf } from './currentPathStates';
import { writeOutcome } from '../write/written';
import { attributeChanges } from '../../../core/lifecycle/changes/attributeChanges';
import type { Attempt } from '../../../core/model/attempt';
import type { RawChange } from '../../../core/observation/change';
import type { MakerSign } from '../../../core/observation/likelyMakers';
import { errorLines } from '../../../core/documents/finding';
import { needsOf, lockedIntent } from '../../../core/context/tier0';
import type { ProjectAtEnd } from '../../../core/model/facts';
import { judgedProject } from '../../plans/documentCheck';
import type { EffectRun } from '../run/effectRun';
import { ranInOthers } from '../../../core/lifecycle/changes/ownChanges';
import { fold } from '../../../core/mission/evolve';
import type { RanBeside } from '../../../core/observation/assignChangesToLanes';
import { isMissionStream } from '../../ports/workspaceEvents';

/** Reads what changed since the baseline: when the worker's tree is gone, and again after its verify commands. */
export async function observeChanges({ effect, mission, ports }: EffectRun<'observeChanges'>): Promise<Report> {
  const { task_id, attempt } = effect;
  const after = effect.after === 'worker' ? {} : { after: effect.after };
  const row = rowOf(mission, task_id);
  const lane = laneOf(mission, task_id);
  const { comparison } = ports.paths.scope;
  if (effect.after === 'intervention') await writeOutcome(mission, row, ports);
  const unread = (reason: string): Report => ({ type: 'ChangesCouldNotBeRead', task_id, attempt, ...after, reason });
  await ports.folders.removeEmpty(foldersToRemove(mission, task_id, comparison));
  if (!lane?.baseline) return unread('No baseline was recorded for this attempt.');
  // Read before the difference, because this attempt has to explain a change between the two looks.
  const tree = row.task.validator ? await treeOf(mission, row, ports) : null;
  if (tree && !tree.ok) return unread(tree.refusal.reason);
  const work = waitingWork(row, lane);
  if (work && (await isGone(mission, work, ports)))
    return { type: 'WorkCouldNotLand', task_id, attempt, launch_id: work.launch_id, ...workGone };
  const difference = await ports.workspace.difference({
    mission_id: mission.mission_id,
    baseline_sha256: lane.baseline.manifest_sha256,
    run_dir: ports.paths.runDir(mission.mission_id, effect.run_dir),
    forbidden_paths: row.scope.forbidden_paths,
    paths: [...row.scope.paths, ...(lane.baseline.folders ?? [])],
    ...(work && { layer: work.layer }),
  });
  if (!difference.ok) return unread(difference.refusal.reason);
  const { observed_sha256, head, not_observed } = difference.value;
  // Waits for saves that people made as the worker ended, because they decide whose a change is.
  if (difference.value.changes.length > 0) await ports.savesReported();
  // The first look judges real names; the look after verify compares with the names that were stored.
  const changes =
    effect.after === 'verify'
      ? difference.value.changes.map((change) => ({
          ...change,
          path: ports.storedName(change.path),
          after_link: change.after_link && ports.storedName(change.after_link),
          resolved_path: change.resolved_path && ports.storedName(change.resolved_path),
        }))
      : difference.value.changes;
  const others = lane.intervention ? await ranMeanwhile(mission, lane, ports) : null;
  const judged = { comparison, ...(others && { others }) };
  const later = effect.after === 'verify' ? differencesOfVerify(mission, lane, changes, judged).differences : [];
  const accepted = lane.validates && effect.after === 'worker' ? acceptedPlaces(mission, lane, comparison) : [];
  // What waits in a layer is not in the workspace, so its absence there says nothing.
  const waiting = new Set(changes.filter(({ layered }) => layered).map(placeKey));
  const open = openChanges(row).filter((entry) => !waiting.has(placeKey(entry)));
  const standing = await standingOf([...open, ...accepted], later, ports);
  if (!standing.ok) return unread(standing.refusal.reason);
  const signs = effect.after === 'verify' ? [] : await signsOfDoubts(mission, lane, changes, ports);
  const earlier = await earlierWork(row, changes, ports);
  const plan = await readPlanNow(mission, ports);
  const project = await projectAtEnd(mission, lane, ports);
  return {
    type: 'ChangesWereRead',
    task_id,
    attempt,
    ...after,
    ...(standing.value.length > 0 ? { standing: standing.value } : {}),
    changes,
    ...(signs.length > 0 && { signs }),
    ...(earlier.length > 0 && { earlier }),
    ...(others && { others }),
    observed_sha256,
    head,
    not_observed,
    comparison,
    plan_sha256_observed: plan.observed,
    ...(plan.explanation !== null && { plan_hash_explanation: plan.explanation }),
    ...(project && { project_at_end: project }),
    ...(tree && { tree_sha256: tree.value.tree_sha256 }),
    // A changed link may lead a lock to other files.
    ...(changes.some(isLink) ? { file_system: await lookAtFileSystem(mission, ports) } : {}),
  };
}

/** Names what earlier attempts left and still lies so. Of a command only where this one changed nothing that could be its work. */
async function earlierWork(
  row: TaskRow,
  changes: readonly RawChange[],
  { handoffs, paths }: Pick<EnginePorts, 'handoffs' | 'paths'>,
): Promise<readonly string[]> {
  const isOwn = ({ path }: { readonly path: string }): boolean =>
    inScope(path, row.scope.paths, paths.scope.comparison);
  if (row.task.worker === 'command' && (!hasToChange(row.task) || changes.some(isOwn))) return [];
  const changed = new Set(changes.map(({ path }) => path));
  const outputs = [...row.earlier, ...outputsOf(row)].filter((one) => isOwn(one) && !changed.has(one.path));
  const now = await handoffs.found(outputs.map(({ path }) => path));
  return [...new Set(outputs.filter(({ path, ...output }) => isAsLeft(output, now.get(path))).map(({ path }) => path))];
}

/** Finds signs of who may have made the changes that only their time links to the worker. */
async function signsOfDoubts(
  mission: Tasks,
  lane: Attempt,
  found: readonly RawChange[],
  { makers, paths }: Pick<EnginePorts, 'makers' | 'paths'>,
): Promise<readonly MakerSign[]> {
  if (found.length === 0) return [];
  const { changes } = attributeChanges(mission, lane, found, paths.scope);
  const doubts = changes.filter(({ doubt }) => doubt !== undefined);
  return doubts.length === 0 ? [] : makers.signsOf(doubts);
}

/** Reads ai.project.json again, where the context holds it or the task had to make it; null: the task needs no look. */
async function projectAtEnd(mission: Tasks, lane: Attempt, ports: EnginePorts): Promise<ProjectAtEnd | null> {
  const intent = lockedIntent(lane, rowOf(mission, lane.task_id).task);
  const { bootstrap } = needsOf(intent);
  if (!bootstrap && !lane.context?.project_sha256) return null;
  const reading = await judgedProject(await ports.project.read(intent), ports.project);
  if (reading.kind === 'read') return { sha256: reading.sha256, problems: errorLines(reading.findings, 10) };
  return { sha256: null, problems: [reading.kind === 'absent' ? 'it is not there' : reading.reason] };
}

/** Missions may run while a person completes a result. One with a damaged journal answers for no change. */
async function ranMeanwhile(
  { mission_id }: Pick<Mission, 'mission_id'>,
  { started_at }: Attempt,
  { journal }: Pick<EnginePorts, 'journal'>,
): Promise<RanBeside> {
  const others: Mission[] = [];
  for (const { stream } of await journal.streams()) {
    if (stream === mission_id || !isMissionStream(stream)) continue;
    try {
      let other: Mission | null = null;
      for await (const page of journal.pages(stream, { verified: true })) other = fold(page, other);
      if (other) others.push(other);
    } catch {
      // Its changes block the task then, and verification names the damage.
    }
  }
  return ranInOthers(others, started_at);
}
