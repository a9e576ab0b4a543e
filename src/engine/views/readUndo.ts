import { done, type Outcome } from '../../base/outcome';
import type { Undone } from '../../contracts/taskEvidence';
import { undoPlan, type UndoStep } from '../../core/lifecycle/changes/undoPlan';
import { cannotUndo } from '../../core/mission/resolve/undo';
import { rowOf, type Progress } from '../../core/model/state';
import type { Contents } from '../ports/contents';

/** What an undo of the last attempt, or a redo, would do now. */
export interface UndoPreview {
  readonly attempt: number;
  readonly redo: boolean;
  readonly files: readonly { readonly path: string; readonly does: string }[];
  /** `why` completes "<path> ...". */
  readonly left: Undone['left'];
  /** Those of `left` that the command names. */
  readonly leaves: readonly string[];
}

/** Writes nothing. */
export async function readUndo(
  mission: Progress,
  { task_id, redo }: { readonly task_id: string; readonly redo: boolean },
  contents: Contents,
): Promise<Outcome<UndoPreview>> {
  const refusal = cannotUndo(mission, { task_id, redo });
  if (refusal) return { ok: false, refusal };
  const plan = undoPlan(rowOf(mission, task_id), redo);
  if (!plan) throw new Error(`Broken invariant: no undo of ${task_id}, and no refusal.`);
  const { attempt, request, left } = plan;
  const found = await contents.undo({ mission_id: mission.mission_id, leaves: [], ...request });
  if (!found.ok) return found;
  const ready = new Set(found.value.paths);
  const narrowed = new Set(found.value.narrowed);
  return done({
    ...{ attempt, redo },
    files: [
      ...found.value.folders.map((folder) => ({ path: `${folder}/`, does: `is made again${narrow}` })),
      ...request.steps.flatMap((step) =>
        ready.has(step.path) ? [{ path: step.path, does: doesWords(step, narrowed.has(step.path)) }] : [],
      ),
    ],
    left: [...found.value.left, ...left],
    leaves: found.value.left.map(({ path }) => path),
  });
}

const narrow = ', readable for you alone, because its permissions were not recorded';

function doesWords({ from, to }: UndoStep, narrowed: boolean): string {
  if (to.kind === 'nothing') return 'is removed';
  if (narrowed) return `is put back${narrow}`;
  return from.kind === 'nothing' ? 'is put back' : 'is put back as it was';
}
