import { connect, createServer, type Socket } from 'node:net';
import { errorWords } from '../../base/outcome';
import { terminal } from '../../base/text/marked/terminal';
import { drained, listen } from './relaySocket';
import { standsByte } from './portNetwork';
import { awaitWay, join, noWayOut, onTerm, runInside } from './providerRelay';
import { complain } from '../screen';

/**
 * Runs inside a sandbox without a network, around the worker. Leads connections to a named port of the sandbox's own
 * loopback through the supervisor's socket for that port. Ends with the worker, with its code.
 *
 * @param named `PORT=SOCKET` each, separated by commas
 */
export async function relayPorts(named: string, argv: readonly string[]): Promise<number> {
  const stop = onTerm();
  const open = new Set<Socket>();
  const failed = await openAll(named, open).then(() => null, errorWords);
  if (failed === null) {
    const code = await runInside(argv, process.env, stop);
    if (!stop.aborted) await drained(open);
    return code;
  }
  complain(terminal`A port of this task cannot be opened in its sandbox: ${failed}`);
  return noWayOut;
}

async function openAll(named: string, open: Set<Socket>): Promise<void> {
  for (const one of named.split(',')) {
    const [port, socket = ''] = one.split('=');
    await awaitWay(socket);
    const listenAt = (host: string): Promise<void> =>
      listen(
        createServer({ allowHalfOpen: true }, (client) => leadOut(client, socket, open)),
        { port: Number(port), host },
      );
    await listenAt('127.0.0.1');
    // Ignores a failure, because a machine may have no IPv6.
    await listenAt('::1').catch(() => undefined);
  }
}

/** Resets a client whose service does not listen, because its connection is open here already. */
function leadOut(client: Socket, socket: string, open: Set<Socket>): void {
  const way = connect({ path: socket, allowHalfOpen: true });
  for (const one of [client, way]) open.add(one.once('close', () => open.delete(one)));
  const reset = (): void => void client.resetAndDestroy();
  client.on('error', () => way.destroy());
  way.on('error', () => undefined);
  way.once('close', reset);
  way.once('end', reset);
  way.once('readable', () => {
    const first = way.read(1) as Buffer | null;
    if (first?.[0] !== standsByte) return void way.destroy();
    way.removeListener('close', reset).removeListener('end', reset);
    join(client, way);
  });
}
