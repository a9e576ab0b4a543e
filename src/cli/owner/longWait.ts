import { openNodeViewer } from '../../adapters/nodeViewer';
import { stateFolderOf } from '../../adapters/state/folder';
import { ownerWords } from '../../adapters/state/lease';
import { createTimers, systemClock } from '../../adapters/system/clock';
import { terminal } from '../../base/text/marked/terminal';
import type { LongWait } from '../../engine/owner/deliver';
import type { Invocation } from '../shell/command';

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
  const viewer = await openNodeViewer({ workspaceDir, journal: { kind: 'in_process' } });
  if (!viewer.ok || viewer.value === null) return 'another process';
  try {
    return await ownerWords(stateFolderOf(workspaceDir).leaseDb, viewer.value.journal);
  } finally {
    await viewer.value.close();
  }
}
