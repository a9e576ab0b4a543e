import { connect, createServer, type Socket } from 'node:net';
import { terminal } from '../base/text/terminal';
import { standsByte } from './portNetwork';
import { awaitWay, join, noWayOut, onTerm, runInside } from './providerRelay';
import { complain } from './screen';

const mostConnections = 256;

/**
 * Runs inside a sandbox without a network, around the worker: what arrives on a named port of the sandbox's own
 * loopback goes through the socket of the supervisor for that port. Ends with the worker, with its code.
 *
 * @param named `PORT=SOCKET` each, with a comma between
 */
export async function relayPorts(named: string, argv: readonly string[]): Promise<number> {
  const stop = onTerm();
  const failed = await openAll(named).then(
    () => null,
    (error: unknown) => String(error),
  );
  if (failed === null) return runInside(argv, process.env, stop);
  complain(terminal`A port of this task cannot be opened in its sandbox: ${failed}`);
  return noWayOut;
}

async function openAll(named: string): Promise<void> {
  for (const one of named.split(',')) {
    const [port, socket = ''] = one.split('=');
    await awaitWay(socket);
    await listen(Number(port), '127.0.0.1', socket);
    // A machine may have no IPv6.
    await listen(Number(port), '::1', socket).catch(() => undefined);
  }
}

async function listen(port: number, host: string, socket: string): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (client) => lead(client, socket));
  server.maxConnections = mostConnections;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ port, host }, resolve));
}

/** A client whose service does not listen is reset, because its connection stands here already. */
function lead(client: Socket, socket: string): void {
  const way = connect({ path: socket, allowHalfOpen: true });
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
