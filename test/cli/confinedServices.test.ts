import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { hiddenDevices } from '../support/devices';
import { cliFile } from './cliBed';
import { ConfinedBed } from './confinedBed';

const required = ['--confinement', 'required'];

/** What a plan opens of the machine, through whole missions of `dist/cli.js`. */
describe('ports, sockets and devices that a plan names', function () {
  this.timeout(180_000);
  let bed: ConfinedBed;
  const servers: Server[] = [];
  beforeEach(function () {
    bed = new ConfinedBed(this);
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
    return bed.dispose();
  });

  const listen = async (at: string | { readonly port: 0; readonly host: string }): Promise<number> => {
    const server = createServer((one) => one.on('error', () => undefined).end('here'));
    servers.push(server);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at, resolve));
    const address = server.address();
    return typeof address === 'string' ? 0 : (address as AddressInfo).port;
  };
  /** Says of each what answers there: `here`, or the code of the error. */
  const tries = `import fs from 'node:fs';
import net from 'node:net';
const ask = (at) => new Promise((done) => net.connect(at).on('data', (data) => done(String(data))).on('error', ({ code }) => done(code)));
const look = (at) => { try { return fs.lstatSync(at).isCharacterDevice() ? 'here' : 'another'; } catch ({ code }) { return code; } };
const found = [];
for (const at of JSON.parse(process.argv[2])) found.push(typeof at === 'string' && at.startsWith('/dev/') ? look(at) : await ask(at));
fs.mkdirSync('docs/out', { recursive: true });
fs.writeFileSync('docs/out/found.json', JSON.stringify(found));
`;

  it('are reached together, what lies beside them is not, and the approval of the terminal names each', async function () {
    const [device, ...others] = hiddenDevices(this, 1);
    const at = (name: string): string => path.join(bed.scratch, 'gates', name);
    const [port, otherPort] = [
      await listen({ port: 0, host: '127.0.0.1' }),
      await listen({ port: 0, host: '127.0.0.1' }),
    ];
    mkdirSync(at('.'));
    for (const name of ['named', 'other']) await listen(at(name));
    const host = '127.0.0.1';
    const asked = [{ port, host }, { path: at('named') }, device];
    const beside = [{ port: otherPort, host }, { path: at('other') }, ...others];
    bed.write('tools/tries.mjs', tries);
    const command = ['node', 'tools/tries.mjs', JSON.stringify([...asked, ...beside])];
    const network = [`localhost:${port}`, `unix:${at('named')}`];
    const plan = bed.plan('services', [{ command }], { network, devices: [device] });
    const shown = await bed.spawn(process.execPath, [cliFile, 'plan', 'approve', plan, '--by', 'Ada', '--yes']).ended;
    for (const one of [...network, device])
      assert.match(shown.stdout, new RegExp(`^ {2}! Commands reach ${one}\\b`, 'm'));
    const run = await bed.mission('run', plan, ...required);
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const found = JSON.parse(bed.read('docs/out/found.json')) as readonly string[];
    assert.deepEqual(found.slice(0, 3), ['here', 'here', 'here']);
    assert.equal(found.length, asked.length + beside.length);
    assert.ok(!found.slice(3).includes('here'), found.join());
  });

  it('of which one device is missing: the block names the line of the plan that opens it', async function () {
    const [device] = hiddenDevices(this, 1);
    const command = ['sh', '-c', `: < ${device} && mkdir -p docs/out && echo x > docs/out/seen`];
    const run = await bed.mission('run', bed.plan('hidden', [{ command }]), ...required);
    assert.equal(run.code, 3, run.stdout + run.stderr);
    const text = JSON.stringify((await bed.mission('status', 'hidden')).json);
    const line = `"execution.devices": ["${device}"] in the plan opens it.`;
    assert.ok(text.includes(JSON.stringify(line).slice(1, -1)), text);
    const open = bed.plan('opened', [{ command }], { devices: [device] });
    const again = await bed.mission('run', open, ...required);
    assert.equal(again.code, 0, again.stdout + again.stderr);
  });
});
