import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** The package `seed`: small files, and one that a private layer does not copy. */
export function packSeed(scratch: string): Buffer {
  const folder = path.join(scratch, 'seed/package');
  mkdirSync(folder, { recursive: true });
  const manifest = { name: 'seed', version: '1.0.0', type: 'module', exports: './0.js' };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  for (let n = 0; n < 20; n++) writeFileSync(path.join(folder, `${n}.js`), `export const none = ${n};\n`);
  writeFileSync(path.join(folder, 'large.js'), `// ${'l'.repeat(100_000)}\n`);
  return execFileSync('tar', ['-czf', '-', 'package'], { cwd: path.dirname(folder) });
}

export interface Registry {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A registry on loopback that has one package. */
export async function serveSeed(archive: Buffer): Promise<Registry> {
  const server = http.createServer((request, response) => {
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
    const dist = { tarball: `${url}seed/-/seed-1.0.0.tgz`, integrity };
    const versions = { '1.0.0': { name: 'seed', version: '1.0.0', dist } };
    const known = { name: 'seed', 'dist-tags': { latest: '1.0.0' }, versions, time: { '1.0.0': day, modified: day } };
    if (request.url === '/seed') response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url === '/seed') return void response.end(JSON.stringify(known));
    if (request.url === '/seed/-/seed-1.0.0.tgz') return void response.writeHead(200).end(archive);
    response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://localhost:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

const day = '2020-01-01T00:00:00.000Z';
