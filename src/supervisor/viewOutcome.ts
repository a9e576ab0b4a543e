import path from 'node:path';
import { runFiles, type TaskOutcome } from '../contracts/launch';
import { watchRun } from '../adapters/launches/files';
import { readOutcome } from '../adapters/launches/outcome';
import { isOwned } from '../adapters/state/lease';
import { stateFolderOf } from '../adapters/state/folder';
import { terminal } from '../base/text/marked/terminal';
import type { Screen } from './screen';
import { outcomeLines, resumeLines, undecidedLine } from './viewLines';

/** Milliseconds that an answer to "does a process run missions here?" is used. */
const ownerEveryMs = 5000;
/**
 * Milliseconds between looks once an outcome is shown, because it changes only when a person decides about a block.
 */
const patientMs = 10_000;

/**
 * Follows a task after the worker's end. Shows that it is not decided yet, then what became of it.
 * Also shows each change of that (a blocked task is canceled). Resolves when the outcome is final
 * or the view is closed.
 */
export async function followOutcome(
  runDir: string,
  launchId: string,
  screen: Screen,
  closing: Promise<void>,
): Promise<void> {
  const began = performance.now();
  const closed = closing.then(() => true);
  const owner = ownerLook(stateFolderOf(path.resolve(runDir, '../../../../..')).leaseDb);
  const missionId = path.basename(path.resolve(runDir, '../..'));
  let watch = watchRun(runDir, [runFiles.outcome]);
  let shown = '';
  let deserted = false;
  try {
    for (;;) {
      const outcome = await readOutcome(runDir, launchId);
      const lines = outcome === null ? [] : outcomeLines(outcome);
      const text = lines.join('\n');
      if (outcome === null) {
        const owned = await owner();
        if (!owned && !deserted) for (const line of resumeLines(missionId)) screen.line(line);
        deserted = !owned;
        if (shown === '') screen.status(undecidedLine(performance.now() - began, owned));
      } else if (text !== shown) {
        for (const line of lines) screen.line(line);
        screen.status(terminal``);
        if (shown === '') {
          watch.dispose();
          watch = watchRun(runDir, [runFiles.outcome], patientMs);
        }
        shown = text;
      }
      await screen.flush();
      if (screen.closed() || (outcome !== null && isFinal(outcome))) return;
      if (await Promise.race([closed, watch.changed().then(() => false)])) return;
    }
  } finally {
    watch.dispose();
  }
}

function isFinal({ status }: TaskOutcome): boolean {
  return status === 'done' || status === 'failed' || status === 'canceled';
}

/** Says whether a process held the lease within the last `ownerEveryMs`. */
function ownerLook(file: string): () => Promise<boolean> {
  let last: { readonly at: number; readonly owned: boolean } | null = null;
  return async () => {
    if (last === null || performance.now() - last.at > ownerEveryMs)
      last = { at: performance.now(), owned: await isOwned(file) };
    return last.owned;
  };
}
