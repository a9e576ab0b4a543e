import { connect, createServer, type LookupFunction, type Socket } from 'node:net';
import type { LaunchTicket } from '../../contracts/launch';
import { drained, listenForRelay, relayed } from './relaySocket';

/** Reports to the relay that the connection is open; every later byte is the service's. */
export const standsByte = 0x2b;

/**
 * Opens the network of one launch that reaches ports of the machine on a loopback of its own. The ticket has the relay
 * around its worker, and the sockets to the ports in its sandbox. Null: it names no ports.
 */
export async function openPortNetwork(ticket: LaunchTicket) {
  const { ports = [] } = ticket.sandbox ?? {};
  if (ports.length === 0) return null;
  const ways: Awaited<ReturnType<typeof openWay>>[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(ways.map((way) => way.close()));
  };
  try {
    for (const port of new Set(ports)) ways.push(await openWay(port));
  } catch (error) {
    await close();
    throw error;
  }
  const named = ways.map(({ port, inside }) => `${port}=${inside}`).join(',');
  return { ticket: relayed(ticket, ways, ['ports', named]), close };
}

/** A Unix socket that leads to one port on loopback, and nowhere else. */
async function openWay(port: number) {
  const open = new Set<Socket>();
  const kept = (socket: Socket): Socket => {
    open.add(socket);
    return socket.once('close', () => open.delete(socket)).on('error', () => undefined);
  };
  const server = createServer({ allowHalfOpen: true }, kept);
  const { socket, remove } = await listenForRelay(server);
  // The relay itself makes the first connection.
  server.once('connection', () =>
    server.on('connection', (client: Socket) => {
      const service = kept(
        connect({ host: 'localhost', port, lookup: loopback, autoSelectFamily: true, allowHalfOpen: true }),
      );
      // Still sends what the client has sent.
      client.once('close', () => (service.connecting ? service.destroy() : service.destroySoon()));
      service.once('close', () => client.destroySoon());
      service.once('connect', () => {
        client.write(Uint8Array.of(standsByte));
        client.pipe(service);
        service.pipe(client);
      });
    }),
  );
  return {
    ...{ port, socket },
    /** The place of the socket in the sandbox, below /dev, because that is always the sandbox's own. */
    inside: `/dev/mission-port-${port}`,
    async close(): Promise<void> {
      server.close();
      await drained(open);
      for (const one of open) one.destroy();
      await remove();
    },
  };
}

/** Resolves localhost without a name server, because no server may decide that. */
const loopback: LookupFunction = (_name, _options, answer) =>
  answer(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
