import type { Report } from '../../../core/model/inputs';
import { rowOf, type TaskRow, type ReceivedPlan } from '../../../core/model/state';
import type { Outcome } from '../../../base/outcome';
import type { EnginePorts } from '../../ports/engine';
import type { TreeFacts } from '../../ports/workspace';
import type { EffectRun } from '../run/effectRun';
import type { FileSystemFacts } from '../../../core/locks/lockPath';

/** Reads the files that an accepted milestone is about, before anything relies on it. */
export async function readTree({ effect: { task_id }, mission, ports }: EffectRun<'readTree'>): Promise<Report> {
  const read = await treeOf(mission, rowOf(mission, task_id), ports);
  if (!read.ok) return { type: 'TreeWasRead', task_id, tree_sha256: null, head: null, reason: read.refusal.reason };
  return { type: 'TreeWasRead', task_id, ...read.value, reason: 'read' };
}

/** Reads with the same paths for every look of one row, because the digest depends on them. */
export function treeOf(mission: ReceivedPlan, { scope }: TaskRow, ports: EnginePorts): Promise<Outcome<TreeFacts>> {
  const { forbidden_paths, paths } = scope;
  return ports.workspace.tree({ mission_id: mission.mission_id, forbidden_paths, paths });
}

/** Looks how paths compare in this workspace now, and where links on the way to approved paths lead. */
export async function lookAtFileSystem(mission: ReceivedPlan, ports: EnginePorts): Promise<FileSystemFacts> {
  const paths = [...new Set(mission.plan.tasks.flatMap((task) => [...task.paths, ...task.forbidden_paths]))];
  return { comparison: ports.paths.scope.comparison, links: await ports.workspace.links(paths) };
}
