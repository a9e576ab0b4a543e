import type { FileSystemFacts } from '../../../core/locks/lockPath';

import type { EnginePorts } from '../../ports/engine';
import type { ReceivedPlan } from '../../../core/model/state';

/** Looks how paths compare in this workspace now, and where links on the way to approved paths lead. */
export async function lookAtFileSystem(mission: ReceivedPlan, ports: EnginePorts): Promise<FileSystemFacts> {
  const paths = [...new Set(mission.plan.tasks.flatMap((task) => [...task.paths, ...task.forbidden_paths]))];
  return { comparison: ports.paths.scope.comparison, links: await ports.workspace.links(paths) };
}
