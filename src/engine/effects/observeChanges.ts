import { acceptedPlaces } from '../../core/lifecycle/acceptedRead';
import { differencesOfVerify } from '../../core/lifecycle/verifyChanges';
import { laneOf } from '../../core/model/lanes';
import { openChanges, rowOf, type Mission } from '../../core/model/state';
import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/model/inputs';
import { isLink } from '../../core/observation/attribute';
import { foldersToRemove } from '../../core/confinement/folders';
import type { EnginePorts } from '../ports/engine';
import { signsOfDoubts } from './doubtSigns';
import { lookAtFileSystem } from './fileSystem';
import { projectAtEnd } from './contextAtEnd';
import { readPlanNow } from './planHash';
import { treeOf } from './readTree';
import { standingOf } from './standing';
import { writeOutcome } from './writeOutcome';

/** Reads what changed since the baseline: when the worker's tree is gone, and again after its verify commands. */
export async function observeChanges(
  effect: Extract<Effect, { kind: 'observeChanges' }>,
  mission: Mission,
  ports: EnginePorts,
): Promise<Report> {
  const { task_id, attempt } = effect;
  const after = effect.after === 'worker' ? {} : { after: effect.after };
  const row = rowOf(mission, task_id);
  const lane = laneOf(mission, task_id);
  const { comparison } = ports.paths.scope;
  if (row && effect.after === 'intervention') await writeOutcome(mission, row, ports);
  const unread = (reason: string): Report => ({ type: 'ChangesCouldNotBeRead', task_id, attempt, ...after, reason });
  await ports.folders.removeEmpty(foldersToRemove(mission, task_id, comparison));
  if (!lane?.baseline) return unread('No baseline was recorded for this attempt.');
  // Read before the difference, because this attempt has to explain a change between the two looks.
  const tree = row?.task.validator ? await treeOf(mission, row, ports) : null;
  if (tree && !tree.ok) return unread(tree.refusal.reason);
  const difference = await ports.workspace.difference({
    mission_id: mission.mission_id,
    baseline_sha256: lane.baseline.manifest_sha256,
    run_dir: ports.paths.runDir(mission.mission_id, effect.run_dir),
    forbidden_paths: row?.scope.forbidden_paths ?? [],
    paths: [...(row?.scope.paths ?? []), ...(lane.baseline.folders ?? [])],
  });
  if (!difference.ok) return unread(difference.refusal.reason);
  const { observed_sha256, head, not_observed } = difference.value;
  // Waits for saves that people made as the worker ended, because they decide whose a change is.
  if (difference.value.changes.length > 0) await ports.savesReported?.();
  // The first look judges real names; the look after verify compares with the names that were stored.
  const changes =
    effect.after === 'verify'
      ? difference.value.changes.map((change) => ({ ...change, path: ports.storedName?.(change.path) ?? change.path }))
      : difference.value.changes;
  const later = effect.after === 'verify' ? differencesOfVerify(mission, lane, changes, comparison).differences : [];
  const accepted = lane.validates && effect.after === 'worker' ? acceptedPlaces(mission, lane, comparison) : [];
  const standing = await standingOf([...(row ? openChanges(row) : []), ...accepted], later, ports);
  if (!standing.ok) return unread(standing.refusal.reason);
  const signs = effect.after === 'verify' ? [] : await signsOfDoubts(mission, lane, changes, ports);
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
