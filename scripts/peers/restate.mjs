// Durable steps in sequence by Restate: `node scripts/peers/restate.mjs FOLDER STEPS` prints their milliseconds. Server and
// service listen on 127.0.0.1 alone, and the server's telemetry is off.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http2 from 'node:http2';
import { createRequire } from 'node:module';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

const tools = path.resolve(import.meta.dirname, '../../test/tools/peers');
const restate = createRequire(path.join(tools, 'package.json'))('@restatedev/restate-sdk');
const program = path.join(
  tools,
  `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`,
);
const [, , folder, steps] = process.argv;
const [service, node, admin, ingress] = await Promise.all(Array.from({ length: 4 }, freePort));
const peer = restate.service({
  name: 'peer',
  handlers: {
    run: async (context) => {
      const began = performance.now();
      for (let step = 0; step < Number(steps); step++) await context.run(`step ${step}`, () => step);
      return performance.now() - began;
    },
  },
});
const handler = restate.createEndpointHandler({ services: [peer] });
const listener = http2.createServer(handler).listen(service, '127.0.0.1');
const server = spawn(program, ['--no-logo', '--listen-mode', 'tcp', '--base-dir', folder], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_LOG_FILTER: 'error',
    RESTATE_BIND_IP: '127.0.0.1',
    RESTATE_BIND_PORT: String(node),
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
  },
});
try {
  await answered(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${service}` });
  console.log(await answered(`http://127.0.0.1:${ingress}/peer/run`));
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  listener.close();
  process.exit();
}

/** Asks again while the server starts. */
async function answered(url, body) {
  for (let left = 300; ; left -= 1) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => null);
    if (answer?.ok) return await answer.json();
    if (left === 0 || server.exitCode !== null)
      throw new Error(`${url}: ${answer ? await answer.text() : 'no answer'}`);
    await delay(100);
  }
}

async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
