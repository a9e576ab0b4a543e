import { laneOf } from '../../core/mission/lanes';
import { rowOf, type Mission } from '../../core/mission/state';
import type { Effect } from '../../core/mission/effects';
import type { Report } from '../../core/mission/inputs';
import type { RawChange } from '../../core/observation/change';
import type { EnginePorts } from '../ports/hostPorts';
import { lookAtFileSystem } from '../fileSystem';
import { readPlanHash } from '../planHash';

/** Reads what changed since the baseline, after the worker's tree is gone and before any verify command. */
export async function observeChanges(
  effect: Extract<Effect, { kind: 'observeChanges' }>,
  mission: Mission,
  ports: EnginePorts,
): Promise<Report> {
  const scope = rowOf(mission, effect.task_id)?.scope;
  const baseline = laneOf(mission, effect.task_id)?.baseline;
  const { task_id, attempt } = effect;
  if (!baseline)
    return { type: 'ChangesCouldNotBeRead', task_id, attempt, reason: 'No baseline was recorded for this attempt.' };
  const difference = await ports.workspace.difference({
    mission_id: mission.mission_id,
    baseline_sha256: baseline.manifest_sha256,
    run_dir: ports.paths.runDir(mission.mission_id, effect.run_dir),
    forbidden_paths: scope?.forbidden_paths ?? [],
    paths: scope?.paths ?? [],
  });
  if (!difference.ok) return { type: 'ChangesCouldNotBeRead', task_id, attempt, reason: difference.refusal.reason };
  const plan = await readPlanHash(mission, ports);
  const { changes, observed_sha256, head, not_observed } = difference.value;
  return {
    type: 'ChangesWereRead',
    task_id,
    attempt,
    changes,
    observed_sha256,
    head,
    not_observed,
    comparison: ports.paths.scope.comparison,
    plan_sha256_observed: plan.sha256,
    ...(changes.some(isLink) ? { file_system: await lookAtFileSystem(mission, ports) } : {}),
  };
}

/** A link came, changed or went: a lock may mean something else now. */
function isLink({ kind, resolved_path, before_sha256 }: RawChange): boolean {
  return resolved_path !== null || kind === 'type_changed' || (kind === 'deleted' && before_sha256 === null);
}
