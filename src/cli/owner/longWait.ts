import { stateFolderOf } from '../../adapters/state/folder';
import { ownerWords } from '../../adapters/state/lease';
import { createTimers, systemClock } from '../../adapters/system/clock';
import { terminal } from '../../base/text/marked/terminal';
import type { LongWait } from '../../engine/owner/deliver';
import type { Invocation } from '../shell/command';
import { looking } from './session';

/** Says on stderr for whom the command waits and how long, because it prints nothing else before the answer. */
export function longWait(call: Invocation): LongWait {
  return {
    clock: systemClock,
    timers: createTimers({ keepAlive: false }),
    tell: (isOver, seconds) => void tell(call, isOver, seconds),
  };
}

async function tell({ workspace, out }: Invocation, isOver: () => boolean, seconds: number): Promise<void> {
  // A look that fails must not end the command that waits.
  const owner = await ownerOf(workspace).catch(() => 'another process');
  if (isOver()) return;
  out.note(
    terminal`Waiting for ${owner}, which runs the missions of this folder: ${seconds} seconds at most. \`mission stop --all\` stops every worker without it.`,
  );
}

async function ownerOf(workspaceDir: string): Promise<string> {
  const { leaseDb } = stateFolderOf(workspaceDir);
  const words = await looking(workspaceDir, async (viewer) => viewer && ownerWords(leaseDb, viewer.journal));
  return (words.ok ? words.value : null) ?? 'another process';
}
