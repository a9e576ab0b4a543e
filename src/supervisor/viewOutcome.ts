import path from 'node:path';
import { runFiles, type TaskOutcome } from '../contracts/launch';
import { watchRun } from '../adapters/launches/files';
import { readOutcome } from '../adapters/launches/outcome';
import { isOwned } from '../adapters/state/lease';
import { stateFolderOf } from '../adapters/state/folder';
import { terminal } from '../base/text/terminal';
import type { Screen } from './screen';
import { outcomeLine, undecidedLine } from './viewLines';

/** How often it is asked whether anybody is there to decide. */
const ownerEveryMs = 5000;
/** A block is told anew when a person has decided about it, which takes its time. */
const patientMs = 10_000;

/**
 * After the end of its worker: says that nothing is decided yet and who is to decide, then what became of the task, and
 * that anew when it changes (a task that was blocked is canceled). Resolves when nothing can change any more, or nobody looks.
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
  let watch = watchRun(runDir, [runFiles.outcome]);
  let shown = '';
  try {
    for (;;) {
      const outcome = await readOutcome(runDir, launchId);
      const line = outcome === null ? '' : outcomeLine(outcome).toString();
      if (outcome === null) {
        if (shown === '') screen.status(undecidedLine(performance.now() - began, await owner()));
      } else if (line !== shown) {
        screen.line(outcomeLine(outcome));
        screen.status(terminal``);
        if (shown === '') {
          watch.dispose();
          watch = watchRun(runDir, [runFiles.outcome], patientMs);
        }
        shown = line;
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

/** Whether somebody runs missions there, as it was some seconds ago at most. */
function ownerLook(file: string): () => Promise<boolean> {
  let last: { readonly at: number; readonly owned: boolean } | null = null;
  return async () => {
    if (last === null || performance.now() - last.at > ownerEveryMs)
      last = { at: performance.now(), owned: await isOwned(file) };
    return last.owned;
  };
}
