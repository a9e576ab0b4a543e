import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import net from 'node:net';
import { clientLimits, eventText, type StreamClient } from '../../../src/adapters/events/client';
import { openEventServer, type EventServer, type EventServerParts } from '../../../src/adapters/events/server';
import { ask, follow } from '../../support/eventClient';

const large = eventText([{ name: 'status', id: 'M:1', data: 'x'.repeat(256 * 1024) }]);
const small = eventText([{ name: 'status', id: 'M:2', data: 'y' }]);

describe('the event server', () => {
  let server: EventServer;
  let time = 0;
  const problems: string[] = [];
  const open = async (parts: Partial<EventServerParts>): Promise<Readonly<Record<string, string>>> => {
    const opened = await openEventServer({
      ...{ port: 0, clients: 3, now: () => time, onProblem: (problem) => void problems.push(problem) },
      answer: () => Promise.reject(new Error('nothing')),
      ...parts,
    });
    assert.ok(opened.ok);
    server = opened.value;
    return { authorization: `Bearer ${server.token}` };
  };
  afterEach(() => server.close());
  /** @param text what each of them sends */
  const connected = async (count: number, text = ''): Promise<readonly net.Socket[]> => {
    const sockets: net.Socket[] = [];
    for (let made = 0; made < count; made += 1) {
      const socket = net.connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      await once(socket, 'connect');
      if (text !== '') socket.write(text.replace('PORT', String(server.port)));
      sockets.push(socket);
    }
    return sockets;
  };
  /** What the server says until it closes. */
  const said = async (text: string, then: (socket: net.Socket) => unknown = () => undefined): Promise<string> => {
    let told = '';
    const [socket] = await connected(1, text);
    assert.ok(socket);
    socket.on('data', (data: Buffer) => {
      if (told === '') then(socket);
      told += data.toString();
    });
    await once(socket, 'close');
    return told;
  };

  it('drops a client that reads nothing, and no other; what waits for it is no more than was written before', async () => {
    const written: number[] = [];
    const run = async (client: StreamClient): Promise<void> => {
      let pages = 0;
      // As many as fit; a reader gets them all, and then a word for the end.
      for (; pages < 64 && client.open; pages++) {
        client.send(large);
        if (!(await client.hasRead())) break;
      }
      written.push(pages);
      client.send(small);
      await client.gone;
    };
    const bearer = await open({
      answer: () => Promise.resolve({ kind: 'stream', run }),
      limits: { ...clientLimits, stalls: 1500 },
    });
    const silent = await follow(`${server.origin}/`, bearer, false);
    const reader = await follow(`${server.origin}/`, bearer);
    await reader.has(65);
    assert.equal(reader.events.at(-1)?.data, '"y"');
    // What it left unread hides the end from it.
    await until(() => server.clients === 1);
    silent.leave();
    // A slow reader may be the later one to end.
    const [fewer = 64, all] = written.sort((left, right) => left - right);
    assert.equal(all, 64);
    assert.ok(fewer < 64, 'it got less than there is');
    reader.leave();
  });

  it('keeps a quiet stream alive with comments, and serves so many and no more', async () => {
    const bearer = await open({
      answer: () => Promise.resolve({ kind: 'stream', run: (client) => client.gone }),
      limits: { ...clientLimits, unread: 1, stalls: 1000, keepAlive: 20 },
    });
    const streams = await Promise.all([1, 2, 3].map(() => follow(`${server.origin}/`, bearer)));
    await until(() => (streams[0]?.comments ?? 0) > 1);
    const refused = await ask(`${server.origin}/`, bearer);
    assert.deepEqual([refused.status, codeOf(refused.body)], [503, 'TOO_MANY_CLIENTS']);
    streams[0]?.leave();
    await until(() => server.clients === 2);
    const next = await follow(`${server.origin}/`, bearer);
    assert.equal(next.status, 200);
    // Its own end ends all of them.
    await server.close();
    await Promise.all([...streams, next].map(({ gone }) => gone));
  });

  it('lets go soon of connections that never finish asking, so that they keep no client out', async () => {
    const bearer = await open({
      answer: () => Promise.resolve({ kind: 'body', type: 'text/plain', body: '' }),
      limits: { ...clientLimits, asks: 500 },
    });
    // As many as the server holds.
    const idle = Array.from({ length: 12 }, () => net.connect(server.port, '127.0.0.1'));
    for (const socket of idle) socket.on('error', () => undefined).write('GET /x');
    // Node.js itself looks every 30 s: such a server still holds its connection when this one has let all of them go.
    const slow = createServer({ headersTimeout: 500 }).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const held = net.connect((slow.address() as net.AddressInfo).port, '127.0.0.1');
    held.write('GET /x');
    const first = await Promise.race([
      Promise.all(idle.map((socket) => once(socket, 'close'))).then(() => 'all let go'),
      once(held, 'close').then(() => 'too late'),
    ]);
    held.destroy();
    slow.close();
    assert.equal(first, 'all let go');
    assert.equal((await ask(`${server.origin}/`, bearer)).status, 200);
  });

  it('lets one who opens every connection keep no client out: the oldest stranger goes first, and no stream', async () => {
    const bearer = await open({ answer: () => Promise.resolve({ kind: 'stream', run: (client) => client.gone }) });
    const stream = await follow(`${server.origin}/`, bearer);
    const strangers = await connected(12);
    const next = await follow(`${server.origin}/`, bearer);
    assert.equal(next.status, 200);
    assert.equal(server.clients, 2, 'a stream was dropped');
    await until(() => strangers.slice(0, 2).every((socket) => socket.closed));
    assert.ok(strangers.slice(2).every((socket) => !socket.closed));
    for (const client of [stream, next]) client.leave();
    for (const socket of strangers) socket.destroy();
  });

  it('serves so many connections and no more where all of them were let in', async () => {
    let asked = 0;
    const bearer = await open({ answer: () => ((asked += 1), new Promise(() => undefined)) });
    const all = await connected(
      12,
      `GET / HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nauthorization: ${bearer['authorization']}\r\n\r\n`,
    );
    await until(() => asked === 12);
    const [more] = await connected(1);
    assert.ok(more);
    if (!more.closed) await once(more, 'close');
    assert.ok(all.every((socket) => !socket.closed));
    for (const socket of all) socket.destroy();
  });

  it('says why what it cannot read is no request: too large a head, or none of HTTP', async () => {
    const bearer = await open({ answer: () => Promise.resolve({ kind: 'body', type: 'text/plain', body: '' }) });
    const fits = await ask(`${server.origin}/`, { ...bearer, 'x-large': 'x'.repeat(7000) });
    assert.equal(fits.status, 200);
    const large = await ask(`${server.origin}/`, { ...bearer, 'x-large': 'x'.repeat(9000) });
    assert.deepEqual([large.status, codeOf(large.body)], [431, 'HEAD_TOO_LARGE']);
    assert.deepEqual([large.headers.connection, large.headers['cache-control']], ['close', 'no-store']);
    const lineTooLong = await ask(`${server.origin}/?x=${'x'.repeat(9000)}`, bearer);
    assert.equal(lineTooLong.status, 431);
    // Much of it is still on its way when the answer is written.
    assert.match(await said(`GET / HTTP/1.1\r\nx-large: ${'x'.repeat(4 << 20)}`), /^HTTP\/1\.1 431 .*HEAD_TOO_LARGE/s);
    assert.match(await said('\x16\x03\x01 this is TLS\r\n\r\n'), /^HTTP\/1\.1 400 .*REQUEST_INVALID/s);
    assert.equal((await ask(`${server.origin}/`, bearer)).status, 200);
  });

  it('writes nothing into a stream whose client sends rubbish: it is closed', async () => {
    const bearer = await open({ answer: () => Promise.resolve({ kind: 'stream', run: (client) => client.gone }) });
    const head = `GET / HTTP/1.1\r\nhost: 127.0.0.1:PORT\r\nauthorization: ${bearer['authorization']}\r\n\r\n`;
    const told = await said(head, (socket) => socket.write('rubbish\r\n\r\n'));
    assert.match(told, /^HTTP\/1\.1 200 /);
    assert.doesNotMatch(told, /REQUEST_INVALID/);
  });

  it('forgets a link after its time, and answers when reading fails', async () => {
    const bearer = await open({});
    const late = server.link();
    time += 120_001;
    assert.equal((await ask(late)).status, 401);
    const early = server.link();
    time += 119_999;
    assert.equal((await ask(early)).status, 200);
    const failed = await ask(`${server.origin}/`, bearer);
    assert.deepEqual([failed.status, codeOf(failed.body)], [503, 'NOT_READABLE']);
    assert.match(problems.join(), /nothing/);
  });
});

function codeOf(body: string): string {
  return (JSON.parse(body) as { readonly code: string }).code;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
