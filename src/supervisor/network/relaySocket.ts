import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface RelaySocket {
  /** Its file is gone from the disk as soon as the relay has found it. */
  readonly socket: string;
  readonly remove: () => Promise<void>;
}

/** Length of a socket's path that every kernel accepts. */
const longestSocket = 100;

/** Lets a server listen for the relay alone, which waits for the end of its first connection. */
export async function listenForRelay(server: Server): Promise<RelaySocket> {
  const folder = await mkdtemp(path.join(shortFolder(), 'mission-network-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const socket = path.join(folder, 'socket');
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve));
  } catch (error) {
    await remove();
    throw error;
  }
  // A file that cannot be removed is tried again at the end.
  server.once('connection', (first) => {
    const close = (): void => void first.destroy();
    remove().then(close, close);
  });
  return { socket, remove };
}

function shortFolder(): string {
  return tmpdir().length + 'mission-network-XXXXXX/socket'.length + 1 > longestSocket ? '/tmp' : tmpdir();
}
