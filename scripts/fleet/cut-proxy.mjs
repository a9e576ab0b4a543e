// A way to the database that can be cut: a port of 127.0.0.1 in front of a socket. Cut, it forwards nothing and closes
// nothing, as a network does that lost its cable. Healed, it delivers what was written meanwhile.
import net from 'node:net';

/** @param {string} socket the path of the database's socket */
export async function cutProxy(socket) {
  const ends = new Set();
  let isCut = false;
  const server = net.createServer((client) => {
    const database = net.connect(socket);
    for (const [one, other] of [
      [client, database],
      [database, client],
    ]) {
      ends.add(one);
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => {});
      one.on('close', () => {
        ends.delete(one);
        other.destroy();
      });
      if (isCut) one.pause();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    cut: () => {
      isCut = true;
      for (const end of ends) end.pause();
    },
    heal: () => {
      isCut = false;
      for (const end of ends) end.resume();
    },
    close: () => {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}
