import type { DraftLaunch } from '../ports/drafts';
import type { Launches } from '../ports/launches';

/** Milliseconds after which `stopDrafts` ends the trees itself, because their supervisors did not. */
const at = { trees: 6_000 } as const;
const pauseMs = 200;

/** Ends every launch that drafts a plan, and says which processes are not proven gone. */
export async function stopDrafts(
  list: () => Promise<readonly DraftLaunch[]>,
  launches: Pick<Launches, 'requestStop' | 'proveGone' | 'activity' | 'standing'>,
  reason: string,
  time: { now(): number; wait(ms: number): Promise<void> },
): Promise<readonly { readonly draft_id: string; readonly pid: number | null }[]> {
  const began = time.now();
  const found = await list();
  for (const { run_dir, known } of found) await launches.requestStop(run_dir, { ...known, grace_seconds: 1 }, reason);
  for (;;) {
    const force = time.now() - began > at.trees;
    const left: { draft_id: string; pid: number | null }[] = [];
    for (const { draft_id, run_dir, known } of found) {
      if (force && (await launches.proveGone(run_dir, known)).gone) continue;
      const supervised = (await launches.standing(run_dir, known)) === 'supervised';
      const { alive } = await launches.activity(run_dir, known, false);
      if (alive || supervised)
        left.push({ draft_id, pid: known.process?.worker?.pid ?? known.process?.supervisor.pid ?? null });
    }
    if (left.length === 0 || force) return left;
    await time.wait(pauseMs);
  }
}
