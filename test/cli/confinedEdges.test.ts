import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { aLongTime, processesWith } from '../supervisor/sandboxed';
import { start } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** What a plan opens to confined tasks and where it ends them, through whole missions. */
describe('a mission with confined tasks', function () {
  this.timeout(180_000);
  let bed: ConfinedBed;
  beforeEach(function () {
    bed = new ConfinedBed(this);
  });
  afterEach(() => bed.dispose());

  for (const network of [false, true]) {
    it(`${network ? 'reaches' : 'does not reach'} loopback where the plan says network ${network}, verify commands likewise`, async () => {
      const server = createServer((socket) => socket.end('hello'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = server.address() as AddressInfo;
        const reach = `await new Promise((resolve) => net.connect(${port}, '127.0.0.1').on('error', () => resolve(false)).on('data', () => resolve(true)))`;
        const script = `${start}import net from 'node:net'; fs.writeFileSync('docs/out/reached', String(${reach}));`;
        const judge = `import net from 'node:net'; process.exit(${reach} === ${network} ? 0 : 1)`;
        const verify = [['node', '--input-type=module', '-e', judge]];
        const plan = bed.plan('net', [{ script, verify }], { network, confinement: 'required' });
        const run = await bed.mission('run', plan);
        assert.equal(run.code, 0, run.stdout + run.stderr);
        assert.equal(bed.read('docs/out/reached'), String(network));
      } finally {
        server.close();
      }
    });
  }

  for (const confinement of ['required', 'off']) {
    it(`ends a task that starts too many processes with all of them (confinement ${confinement})`, async () => {
      const time = aLongTime();
      const script = `${start}
import { spawn } from 'node:child_process';
for (let count = 0; count < 60; count += 1) spawn('sleep', ['${time}'], { stdio: 'ignore' });
setInterval(() => undefined, 1000);`;
      const plan = bed.plan('many', [{ script }], { limits: { processes: 32 } });
      const run = await bed.mission('run', plan, '--confinement', confinement);
      assert.equal(run.code, 3, run.stdout + run.stderr);
      assert.match(run.stdout, /RESOURCE_LIMIT/);
      assert.deepEqual(await processesWith(time), []);
    });

    it(`ends a task that writes too long a file (confinement ${confinement})`, async () => {
      // Without a sandbox the limit comes right after the start.
      const command = ['sh', '-c', 'sleep 1; exec head -c 8000000 /dev/zero > docs/out/long'];
      bed.write('docs/out/there', '');
      const plan = bed.plan('long', [{ command }], { limits: { file_mb: 1 } });
      const run = await bed.mission('run', plan, '--confinement', confinement);
      assert.equal(run.code, 3, run.stdout + run.stderr);
      assert.match(run.stdout, /RESOURCE_LIMIT/);
    });
  }
});
