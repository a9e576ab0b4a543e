import assert from 'node:assert/strict';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { start, type Running } from './cliBed';
import { usersOfTier } from '../support/users';
import { ConfinedBed } from './confinedBed';

/** A bed with tools of its own below /tmp, beside the home: there the sandbox hides everything. */
class ToolsBed extends ConfinedBed {
  readonly tools = mkdtempSync('/tmp/mission-tools-');

  override get env(): NodeJS.ProcessEnv {
    const env = super.env;
    return { ...env, PATH: [this.tool('bin'), this.tool('links'), env['PATH']].join(path.delimiter) };
  }

  tool(relative: string): string {
    return path.join(this.tools, relative);
  }
  putTool(relative: string, text: string): void {
    mkdirSync(path.dirname(this.tool(relative)), { recursive: true });
    writeFileSync(this.tool(relative), text, { mode: 0o755 });
  }

  override start(...args: string[]): Running {
    if (this.user === 'nobody') execFileSync('chown', ['-Rh', '65534:65534', this.tools]);
    return super.start(...args);
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    rmSync(this.tools, { recursive: true, force: true });
  }
}

/** Programs below /tmp, through whole missions: a virtual environment, a checkout with its own Node, a private tool. */
for (const user of usersOfTier) {
  describe(`a confined mission with programs below /tmp, as ${user}`, function () {
    this.timeout(180_000);
    let bed: ToolsBed;
    beforeEach(function () {
      bed = new ToolsBed(this, user);
      chmodSync(bed.tools, 0o755);
      bed.putTool('kit/bin/private-tool', '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../lib/text"\n');
      bed.putTool('kit/lib/text', 'from the kit');
      bed.putTool('single/check', '#!/bin/sh\ntest "$(cat docs/out/linked)" = "from the kit"\n');
      bed.putTool('note', 'nobody names this');
      for (const folder of ['bin', 'links', 'hops']) mkdirSync(bed.tool(folder));
      symlinkSync('../kit/bin/private-tool', bed.tool('hops/tool'));
      symlinkSync('../hops/tool', bed.tool('links/linked-tool'));
    });
    afterEach(() => bed.dispose());

    for (const way of ['a script', 'a link'] as const) {
      it(`starts them; the node on PATH is ${way} that leads to the one of a clone`, async () => {
        const clone = bed.tool('clone/node_modules/node/bin/node');
        mkdirSync(path.dirname(clone), { recursive: true });
        copyFileSync(process.execPath, clone, constants.COPYFILE_FICLONE);
        if (way === 'a link') symlinkSync(clone, bed.tool('bin/node'));
        else bed.putTool('bin/node', `#!/bin/sh\nexec '${clone}' "$@"\n`);
        const script = `${start}import { execFileSync } from 'node:child_process';
const tried = (attempt) => { try { return String(attempt()); } catch (error) { return error.code ?? String(error.message); } };
fs.writeFileSync('docs/out/linked', tried(() => execFileSync('linked-tool')));
fs.writeFileSync('docs/out/told.json', JSON.stringify({
  node: process.execPath,
  again: tried(() => execFileSync('node', ['-p', '1+1']).toString().trim()),
  write: tried(() => fs.appendFileSync(${JSON.stringify(bed.tool('kit/bin/private-tool'))}, 'x')),
  beside: tried(() => fs.writeFileSync(${JSON.stringify(bed.tool('kit/new'))}, 'x')),
  note: tried(() => fs.readFileSync(${JSON.stringify(bed.tool('note'))})),
}));
`;
        const verify = [[bed.tool('single/check')], ['sh', bed.tool('single/check')]];
        const run = await bed.mission('run', bed.plan('tools', [{ script, verify }]), '--confinement', 'required');
        assert.equal(run.code, 0, run.stdout + run.stderr);
        assert.deepEqual(JSON.parse(bed.read('docs/out/told.json')), {
          node: clone,
          again: '2',
          write: 'EROFS',
          beside: 'EROFS',
          note: 'ENOENT',
        });
        assert.ok(!existsSync(bed.tool('kit/new')));
      });
    }

    it('blocks before the launch what has to stay hidden, and names it', async () => {
      const key = path.join(bed.scratch, '.config/mission-control/tool');
      mkdirSync(path.dirname(key), { recursive: true, mode: 0o700 });
      writeFileSync(key, '#!/bin/sh\n', { mode: 0o755 });
      const plan = bed.plan('hidden', [{ command: [key] }]);
      const run = await bed.mission('run', plan, '--confinement', 'required');
      assert.equal(run.code, 3, run.stdout + run.stderr);
      assert.equal(run.json.code, 'LAUNCH_FAILED');
      assert.ok(run.stdout.includes(`The sandbox hides ${key}, which the launch needs: move it`), run.stdout);
    });
  });
}
