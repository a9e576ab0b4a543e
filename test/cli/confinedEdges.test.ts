import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { aLongTime, processesWith } from '../supervisor/sandboxed';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { decision, start } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** What runs away, and what is said of it. */
const runaways = {
  processes: {
    most: 32,
    words: /Its \d+ (processes|threads) were more than/,
    runaway: (time: string) => ['sh', '-c', `i=0; while [ $i -lt 60 ]; do sleep ${time} & i=$((i+1)); done; wait`],
  },
  memory_mb: {
    most: 150,
    words: /more than the 150 MB that execution\.limits allows/,
    runaway: () => ['node', '-e', 'const held = Buffer.alloc(400e6, 1); setInterval(() => held.length, 1000);'],
  },
  file_mb: {
    most: 1,
    words: /It wrote a file longer than the 1 MB/,
    // Without a sandbox the limit comes some time after the start.
    runaway: () => [
      'sh',
      '-c',
      'while [ "$(ulimit -f)" = unlimited ]; do sleep 0.05; done; exec head -c 8000000 /dev/zero > docs/out/long',
    ],
  },
} as const;

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

  for (const confinement of ['required', 'off'])
    for (const [limit, { most, words, runaway }] of Object.entries(runaways))
      it(`ends a task that exceeds ${limit}, and its evidence says how each limit was held (confinement ${confinement})`, async () => {
        const time = aLongTime();
        bed.write('docs/out/there', '');
        const plan = bed.plan('runaway', [{ command: runaway(time) }], { limits: { [limit]: most } });
        const run = await bed.mission('run', plan, '--confinement', confinement);
        assert.equal(run.code, 3, run.stdout + run.stderr);
        assert.equal(run.json.tasks[0]?.status, 'blocked');
        assert.match(run.stdout, /RESOURCE_LIMIT/);
        assert.match(run.stdout, words);
        assert.deepEqual(await processesWith(time), []);
        const launch = await launchOf(bed);
        assert.equal(launch?.reason, 'resource_limit');
        assert.match(launch.error ?? '', words);
        assert.deepEqual(launch.limits, { ...held(launch), exceeded: limit });
      });

  it('reports how the limits were held that nothing exceeded, of a worker and of what verifies it', async () => {
    const plan = bed.plan('kept', [
      { script: `${start}fs.writeFileSync('docs/out/a', '');`, verify: [['node', '-e', '']] },
    ]);
    const run = await bed.mission('run', plan, '--confinement', 'required');
    assert.equal(run.code, 0, run.stdout + run.stderr);
    const [attempt] = bed.evidence('kept', 'T1').attempts ?? [];
    for (const one of [attempt?.launches[0], attempt?.verify[0]])
      assert.deepEqual(one?.limits, { ...held(one), exceeded: null });
  });

  it('ends a verify command that exceeds a limit, and blocks the task for it', async () => {
    const time = aLongTime();
    const verify = [runaways.processes.runaway(time)];
    const script = `${start}fs.writeFileSync('docs/out/a', '');`;
    const plan = bed.plan('judged', [{ script, verify }], { limits: { processes: runaways.processes.most } });
    const run = await bed.mission('run', plan, '--confinement', 'required');
    assert.equal(run.code, 3, run.stdout + run.stderr);
    assert.match(run.stdout, /RESOURCE_LIMIT/);
    assert.deepEqual(await processesWith(time), []);
    await bed.mission('cancel', 'judged', ...decision);
    const check = bed.evidence('judged', 'T1').attempts?.[0]?.verify[0];
    assert.deepEqual(check?.limits, { ...held(check), exceeded: 'processes' });
  });
});

type Limits = NonNullable<NonNullable<TaskEvidence['attempts']>[number]['launches'][number]['limits']>;

/** The means must be one that exists: which, depends on what this machine delegates. */
function held(one: { readonly limits?: Limits | undefined } | undefined): Omit<Limits, 'exceeded'> {
  const { processes, memory_mb } = one?.limits ?? {};
  for (const means of [processes, memory_mb]) assert.match(String(means), /^(cgroup|sampled)$/);
  return { processes: processes ?? null, memory_mb: memory_mb ?? null, file_mb: 'prlimit' };
}

/** The only launch, from the evidence that a cancel leaves. */
async function launchOf(bed: ConfinedBed) {
  await bed.mission('cancel', 'runaway', ...decision);
  return bed.evidence('runaway', 'T1').attempts?.[0]?.launches[0];
}
