import type { TreeLayer } from '../../contracts/launch';
import { laneOf } from '../../core/model/lanes';
import { rowOf, type Tasks } from '../../core/model/state';
import { waitingWork } from '../../core/model/waitingWork';
import type { ReviewFile } from '../../core/view/review';
import type { Contents, FileContent } from '../ports/contents';

/** Reads the workspace, or the layer in which the work of a task waits. */
export async function contentNow(
  mission: Tasks,
  files: readonly ReviewFile[],
  contents: Contents,
): Promise<readonly FileContent[]> {
  const found = new Map<ReviewFile, FileContent>();
  const layers = new Map<TreeLayer | undefined, ReviewFile[]>();
  for (const file of files) {
    const layer = layerOf(mission, file);
    if (layer && file.after.kind === 'absent') found.set(file, { kind: 'absent' });
    else layers.set(layer, [...(layers.get(layer) ?? []), file]);
  }
  for (const [layer, of] of layers) {
    const names = of.map(({ path }) => path);
    const read = await (layer ? contents.now(names, layer) : contents.now(names));
    for (const [index, file] of of.entries()) found.set(file, read[index] ?? { kind: 'absent' });
  }
  return files.map((file) => found.get(file) ?? { kind: 'absent' });
}

function layerOf(mission: Tasks, { path, tasks }: ReviewFile): TreeLayer | undefined {
  for (const task_id of tasks.toReversed()) {
    const row = rowOf(mission, task_id);
    const attempt = laneOf(mission, task_id) ?? row?.attempts.at(-1);
    const work = row && attempt && waitingWork(row, attempt);
    if (work && attempt.observed?.changes.some((change) => change.layered && change.path === path)) return work.layer;
  }
  return undefined;
}
