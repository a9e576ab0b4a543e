import { createServer, get, type Server } from 'node:http';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { stateFolderOf } from '../../src/adapters/state/folder';
import { writeHistory } from './history';
import { interleaved, wallTime, type Line } from './measure';

const stream = 'BENCH-20260101T000000Z-bench1';
const clients = 20;
const events = 10_000;

/**
 * All events of a mission to twenty clients by a real `mission events serve`, against the same bytes written by a plain
 * HTTP server that has nothing else to do.
 */
export async function eventsBench(scratch: string): Promise<readonly Line[]> {
  const workspace = path.join(scratch, 'events');
  const { root, stateDb } = stateFolderOf(workspace);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const written = writeHistory(stateDb, stream, events).events;
  const child = spawn(process.execPath, ['dist/cli.js', 'events', 'serve', '--workspace', workspace, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let plain: Server | null = null;
  try {
    const { url, token } = await new Promise<{ readonly url: string; readonly token: string }>((resolve, reject) => {
      let told = '';
      child.once('exit', () => reject(new Error(`The server ended: ${told}`)));
      child.stdout.on('data', (data: Buffer) => {
        told += data.toString();
        if (told.trimEnd().endsWith('}')) resolve(JSON.parse(told) as { url: string; token: string });
      });
    });
    const headers = { authorization: `Bearer ${token}` };
    const last = `id:${stream}:${written}\n`;
    const from = `${url}/events?from=start`;
    const body = await received(from, headers, last);
    const server = createServer((_, response) => void response.end(body));
    plain = server;
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const raw = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const all = async (from_: string, head: Readonly<Record<string, string>>): Promise<void> => {
      await Promise.all(Array.from({ length: clients }, () => received(from_, head, last)));
    };
    const [ours = 0, limit = 0] = await interleaved(3, wallTime, [() => all(from, headers), () => all(raw, {})]);
    const rate = (ms: number): number => Math.round((written * clients) / (ms / 1000));
    return [
      {
        ...{ name: `${written} events to ${clients} clients`, unit: 'events/s', ours: rate(ours), limit: rate(limit) },
        against: `the same ${Math.round(body.length / 1000)} kB by a plain HTTP server`,
        aim: { of: 'ratio', is: 'at_least', value: 0.1 },
      },
    ];
  } finally {
    child.kill('SIGTERM');
    plain?.close();
  }
}

/** What a client gets until this stands in it. */
function received(url: string, headers: Readonly<Record<string, string>>, last: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      const parts: string[] = [];
      response.setEncoding('latin1').on('data', (part: string) => {
        parts.push(part);
        if (!`${parts.at(-2) ?? ''}${part}`.includes(last) || !part.endsWith('\n\n')) return;
        request.destroy();
        resolve(parts.join(''));
      });
    });
    request.on('error', reject);
  });
}
