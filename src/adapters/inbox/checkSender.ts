import { readdir, stat } from 'node:fs/promises';
import type { InboxCommandFile } from '../../contracts/inbox';
import type { ProcessIdentity } from '../../contracts/launch';
import { liveRuns } from '../launches/launches';
import { processIsInsideWorker } from '../launches/ancestry';
import { isAlive } from '../processes/table';

/** What the owner found out about the sender of a command by itself. */
export interface SenderFinding {
  /** The process that is named lives and holds the command open. */
  readonly identified: boolean;
  /** It belongs to a worker. */
  readonly inside: boolean;
}

/**
 * Who sent a command. What a file says about its sender is worth nothing: an agent can write one. So the process it
 * names has to be alive, must not descend from a supervisor, and (Linux, where it can be asked) has to hold this very
 * file open.
 *
 * Limits: elsewhere a file may name another living process of the user; on Linux one that holds a file open which the
 * worker may write and link to this name. A process that left its worker's tree with an emptied environment has no
 * ancestors to ask.
 */
export async function checkSender(
  command: Pick<InboxCommandFile, 'sender'>,
  file: string,
  missionsDir: string,
): Promise<SenderFinding> {
  const { sender } = command;
  if (sender === undefined) return { identified: false, inside: false };
  const inside = await processIsInsideWorker(sender.pid, await liveRuns(missionsDir));
  return { identified: (await isAlive(sender)) && (await holdsOpen(sender, file)), inside };
}

async function holdsOpen(sender: ProcessIdentity, file: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const wanted = await stat(file, { bigint: true });
  const folder = `/proc/${sender.pid}/fd`;
  for (const name of await readdir(folder).catch(() => [])) {
    const held = await stat(`${folder}/${name}`, { bigint: true }).catch(() => null); // closed meanwhile
    if (held !== null && held.dev === wanted.dev && held.ino === wanted.ino) return true;
  }
  return false;
}
