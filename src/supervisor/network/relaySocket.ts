import { mkdtemp, rm } from 'node:fs/promises';
import type { ListenOptions, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LaunchTicket } from '../../contracts/launch';
import { setTimeout as sleep } from 'node:timers/promises';

/** Length of a socket's path that every kernel accepts. */
const longestSocket = 100;

const mostConnections = 256;

/** Lets a server listen, with no more connections than a launch may have. Rejects where it cannot. */
export function listen(server: Server, where: ListenOptions): Promise<void> {
  server.maxConnections = mostConnections;
  return new Promise((resolve, reject) => server.once('error', reject).listen(where, resolve));
}

/**
 * Lets a server listen for the relay alone, which waits for the end of its first connection. The file of the socket is
 * gone from the disk as soon as the relay has found it.
 */
export async function listenForRelay(server: Server) {
  const folder = await mkdtemp(path.join(shortFolder(), 'mission-network-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const socket = path.join(folder, 'socket');
  try {
    await listen(server, { path: socket });
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

/** The ticket with a relay around its worker, and with the sockets that the relay takes in its sandbox. */
export function relayed(
  ticket: LaunchTicket,
  sockets: readonly { readonly socket: string; readonly inside: string }[],
  order: readonly [mode: 'relay' | 'ports', where: string],
): LaunchTicket {
  if (ticket.sandbox === undefined) return ticket;
  const electron = process.versions['electron'] === undefined ? [] : ['--setenv', 'ELECTRON_RUN_AS_NODE', '1'];
  const places = sockets.flatMap(({ socket, inside }) => ['--ro-bind', socket, inside]);
  const argv = [...ticket.sandbox.argv.slice(0, -1), ...places, ...electron, '--'];
  const worker = [process.execPath, process.argv[1] ?? '', ...order, '--', ...ticket.argv];
  return { ...ticket, sandbox: { ...ticket.sandbox, argv }, argv: worker };
}

function shortFolder(): string {
  return tmpdir().length + 'mission-network-XXXXXX/socket'.length + 1 > longestSocket ? '/tmp' : tmpdir();
}

/**
 * Waits until connections have ended by themselves, so that what a worker sent right before its end still arrives.
 * Gives up on connections without traffic, because a process that the worker left behind may hold one for ever.
 *
 * @param open a connection leaves this set when it is closed
 */
export async function drained(open: ReadonlySet<Socket>): Promise<void> {
  let before = '';
  let idle = 0;
  for (let left = mostLooks; left > 0; left -= 1) {
    // Waits first, because the first connection may not be in the set yet.
    await sleep(everyMs);
    if (open.size === 0) return;
    const now = [...open].map(({ bytesRead, writableLength }) => `${bytesRead} ${writableLength}`).join();
    idle = now === before ? idle + 1 : 0;
    if (idle >= mostIdle) return;
    before = now;
  }
}

const everyMs = 25;
/** Looks; together three seconds. */
const mostIdle = 120;
/** Looks; together ten seconds. */
const mostLooks = 400;
