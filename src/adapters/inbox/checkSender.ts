import { readdir, stat } from 'node:fs/promises';
import type { InboxCommandFile } from '../../contracts/inbox';
import type { ProcessIdentity } from '../../contracts/launch';
import { liveRuns } from '../launches/launches';
import { processIsInsideWorker } from '../launches/ancestry';
import { isAlive } from '../processes/table';

/** The owner's own findings about the sender of a command. */
export interface SenderFinding {
  /** The named process lives and holds the command file open. */
  readonly identified: boolean;
  /** The process belongs to a worker. */
  readonly inside: boolean;
}

/**
 * Checks who sent a command. The file proves nothing about its sender, because an agent can write
 * one. So the process that it names must live and must not descend from a supervisor. On Linux it
 * must also hold this very file open.
 *
 * Limits: elsewhere a file may name any living process of the user. On Linux a worker may write a
 * file that another process holds open, and link it to this name. Then the file may name that
 * process. A process that left its worker's tree with an emptied environment has no ancestors that
 * show its origin.
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
    const open = await stat(`${folder}/${name}`, { bigint: true }).catch(() => null); // closed meanwhile
    if (open !== null && open.dev === wanted.dev && open.ino === wanted.ino) return true;
  }
  return false;
}
