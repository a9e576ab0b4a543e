import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import process from 'node:process';
import { stepLine } from '../../src/base/text/steps';
import type { WayView } from '../../src/contracts/page/blockView';
import { ConfinedBed } from './confinedBed';

interface Shown {
  readonly blocks: readonly { readonly ways: readonly WayView[] }[];
}

/** What a block says of a command that met its sandbox or misses a variable; the advice can be followed. */
describe('the block of a confined command', function () {
  this.timeout(180_000);
  let bed: AdviceBed;
  beforeEach(function () {
    bed = new AdviceBed(this);
  });
  afterEach(() => bed.dispose());

  class AdviceBed extends ConfinedBed {
    more: NodeJS.ProcessEnv = {};
    override get env(): NodeJS.ProcessEnv {
      return { ...super.env, ...this.more };
    }
  }

  /** A tool that writes its settings in the folder of a variable, and says what failed. */
  const tool = `#!/bin/sh
folder=\${TOOL_HOME:-$HOME/.config}
if ! mkdir -p "$folder/tool" 2> /dev/null; then
  echo "mkdir: cannot create directory '$folder/tool': Read-only file system" >&2
  exit 1
fi
mkdir -p docs/out && echo "x $TOOL_HOME" > docs/out/done
`;

  const told = async (id: string): Promise<string> => JSON.stringify((await bed.mission('status', id)).json);

  for (const part of ['worker', 'verify'] as const)
    it(`shows what the program says of a place outside, which a layer does not take, of a ${part}`, async () => {
      bed.write('tools/tool.sh', tool);
      bed.write('tools/write.sh', 'mkdir -p docs/out && echo x > docs/out/done');
      const command = ['sh', 'tools/tool.sh'];
      const task = part === 'worker' ? { command } : { command: ['sh', 'tools/write.sh'], verify: [command] };
      const run = await bed.mission('run', bed.plan('refused', [task]), '--confinement', 'required');
      assert.equal(run.code, 3, run.stdout + run.stderr);
      const text = await told('refused');
      const place = path.join(bed.scratch, '.config/tool');
      assert.ok(text.includes(`mkdir: cannot create directory '${place}': Read-only file system`), text);
      assert.doesNotMatch(text, /edge of its sandbox|execution\.scratch/);

      const mended = { command: ['env', 'TOOL_HOME=/tmp/x', ...command] };
      const again = await bed.mission('run', bed.plan('mended', [mended]), '--confinement', 'required');
      assert.equal(again.code, 0, again.stdout + again.stderr);
    });

  it('names a variable that is set here and not passed, and execution.env passes it', async () => {
    bed.more = { JAVA_HOME: '/opt/java', GOFLAGS: '-mod=vendor', UNRELATED_NAME: 'x' };
    const script = `if [ -z "$JAVA_HOME" ]; then echo "Error: JAVA_HOME is not set" >&2; exit 1; fi; mkdir -p docs/out; echo x > docs/out/java`;
    const command = ['sh', '-c', script];
    const run = await bed.mission('run', bed.plan('java', [{ command }]), '--confinement', 'required');
    assert.equal(run.code, 3, run.stdout + run.stderr);
    const text = await told('java');
    assert.match(text, /Set here and not passed to it: JAVA_HOME\. Name it in execution\.env of the plan/);
    assert.doesNotMatch(text, /UNRELATED_NAME|GOFLAGS/);
    const again = await bed.mission('run', bed.plan('passed', [{ command }], { env: ['JAVA_HOME'] }));
    assert.equal(again.code, 0, again.stdout + again.stderr);
  });

  it('names the port and the socket that its sandbox hides, and the line of the plan that opens each', async () => {
    const server = createServer((one) => one.on('error', () => undefined).end('here'));
    const other = createServer((one) => one.on('error', () => undefined).end('here'));
    const socket = path.join(bed.scratch, 'service.sock');
    try {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await new Promise<void>((resolve) => other.listen(socket, resolve));
      const { port } = server.address() as AddressInfo;
      const client = `require('node:net').connect(JSON.parse(process.argv[1])).on('data', (data) => {
        require('node:fs').mkdirSync('docs/out', { recursive: true });
        require('node:fs').writeFileSync('docs/out/answer', data + process.argv[1]);
      }).on('error', (error) => { console.error(error.code, error.message); process.exit(1); });`;
      const cases = [
        ['port', { port, host: '127.0.0.1' }, `localhost:${port}`],
        ['socket', { path: socket }, `unix:${socket}`],
      ] as const;
      for (const [name, at, entry] of cases) {
        const task = { command: [process.execPath, '-e', client, JSON.stringify(at)] };
        const run = await bed.mission('run', bed.plan(`${name}-hidden`, [task]), '--confinement', 'required');
        assert.equal(run.code, 3, run.stdout + run.stderr);
        const text = await told(`${name}-hidden`);
        const said = JSON.stringify(`"execution.network": ["${name === 'port' ? 'localhost:PORT' : entry}"]`).slice(
          1,
          -1,
        );
        assert.ok(text.includes(said), text);
        const shown = (await bed.mission('status', `${name}-hidden`)).json.missions as unknown as readonly Shown[];
        const ways = shown[0]?.blocks[0]?.ways ?? [];
        const way = ways.find(({ step }) => step.command === 'plan revise' && step.args.edit?.kind === 'opens');
        // The command line names the socket; only the output names the port so that it can be read.
        assert.equal(way?.recommended, name === 'socket' ? true : undefined, JSON.stringify(ways));
        const line = stepLine(way!.step).split(' ').slice(1);
        assert.deepEqual(line.slice(-2), ['--open', entry]);
        const revised = await bed.mission(...line);
        const open = revised.json.plan_path;
        assert.equal((await bed.mission('plan', 'approve', open, '--by', 'Ada', '--yes')).code, 0, revised.stderr);
        const again = await bed.mission('run', open, '--confinement', 'required');
        assert.equal(again.code, 0, again.stdout + again.stderr);
      }
    } finally {
      server.close();
      other.close();
    }
  });

  it('says that a named socket is a link now, and starts nothing without the sandbox instead', async () => {
    const [real, link] = ['real.sock', 'named.sock'].map((name) => path.join(bed.scratch, name)) as [string, string];
    const server = createServer((one) => one.on('error', () => undefined).end('here'));
    try {
      await new Promise<void>((resolve) => server.listen(real, resolve));
      symlinkSync(real, link);
      const task = { command: ['sh', '-c', 'mkdir -p docs/out; echo x > docs/out/started'] };
      const plan = bed.plan('linked', [task], { network: [`unix:${link}`] });
      const run = await bed.mission('run', plan, '--confinement', 'preferred');
      assert.equal(run.code, 3, run.stdout + run.stderr);
      const text = await told('linked');
      assert.ok(text.includes(`${link} is a link, or lies behind one: it leads to ${real}.`), text);
      assert.ok(text.includes(`Name ${real} in the plan if that is meant`), text);
      assert.ok(!bed.exists('docs/out/started'));
    } finally {
      server.close();
    }
  });
});
