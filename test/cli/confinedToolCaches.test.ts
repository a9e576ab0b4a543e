import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cachePlaces } from '../../src/contracts/vocabulary/files/caches';
import { skipWithReason } from '../support/skip';
import { start } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** A machine on which variables of the person lead tools to caches elsewhere below HOME. */
class LedBed extends ConfinedBed {
  readonly variables: Readonly<Record<string, string>> = Object.fromEntries(
    cachePlaces.flatMap(({ variable }) =>
      variable === null ? [] : [[variable, path.join(this.scratch, 'led', variable)]],
    ),
  );
  override get env(): NodeJS.ProcessEnv {
    return { ...super.env, ...this.variables };
  }
}

const required = ['--confinement', 'required'];

describe('caches of tools in the sandbox', function () {
  this.timeout(180_000);

  it('are layers where a variable leads a tool elsewhere, and the person’s own cache does not change', async function () {
    const bed = new LedBed(this);
    try {
      const folders = cachePlaces.flatMap(({ variable, below }) =>
        variable === null ? [] : [path.join(bed.variables[variable] ?? '', below)],
      );
      assert.ok(folders.length > 20, folders.join());
      for (const folder of folders) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(path.join(folder, 'of-person'), 'person');
      }
      const each = (body: string): string =>
        `${start}for (const folder of ${JSON.stringify(folders)}) {\n${body}\n}\nfs.writeFileSync('docs/out/done', 'x');`;
      const next = each(`for (const [name, text] of [['of-person', 'person'], ['new', 'tool']])
          if (fs.readFileSync(folder + '/' + name, 'utf8') !== text) throw new Error(folder + ' ' + name);`);
      const names = Object.keys(bed.variables);
      const script = each(`for (const variable of ${JSON.stringify(names)})
          if (!process.env[variable]) throw new Error(variable);
        if (fs.readFileSync(folder + '/of-person', 'utf8') !== 'person') throw new Error(folder);
        for (const name of ['of-person', 'new']) fs.writeFileSync(folder + '/' + name, 'tool');`);
      const tasks = [{ script }, { task_id: 'T2', script: next.replace('out/done', 'out/next'), depends_on: ['T1'] }];
      const plan = bed.plan('led', tasks, { env: names });
      const run = await bed.mission('run', plan, ...required);
      assert.equal(run.code, 0, run.stdout + run.stderr);
      for (const folder of folders) {
        assert.equal(readFileSync(path.join(folder, 'of-person'), 'utf8'), 'person');
        assert.equal(existsSync(path.join(folder, 'new')), false, folder);
      }
    } finally {
      await bed.dispose();
    }
  });

  describe('of one workspace and of another', () => {
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this);
    });
    afterEach(() => bed.dispose());

    it('are not shared: a mission finds what it has written, and not what another has', async () => {
      const at = "process.env.HOME + '/.cache/tool/key'";
      const script = (task: string): string => `${start}const at = ${at};
        fs.mkdirSync(at.slice(0, -4), { recursive: true });
        fs.writeFileSync('docs/out/${task}', fs.existsSync(at) ? fs.readFileSync(at, 'utf8') : 'nothing');
        fs.writeFileSync(at, process.cwd());`;
      const there = path.join(bed.scratch, 'there');
      const plans = ['first', 'second'].map((name) =>
        bed.plan(name, [
          { script: script(`${name}-1`) },
          { task_id: 'T2', script: script(`${name}-2`), depends_on: ['T1'] },
        ]),
      );
      cpSync(bed.root, there, { recursive: true, filter: (name) => !name.endsWith('.mission-control') });
      for (const [index, name] of ['first', 'second'].entries())
        for (const workspace of [bed.root, there]) {
          const file = path.join(workspace, plans[index] ?? '');
          const ran = await bed.mission('run', file, '--workspace', workspace, ...required);
          assert.equal(ran.code, 0, ran.stdout + ran.stderr);
          const found = (task: number): string =>
            readFileSync(path.join(workspace, `docs/out/${name}-${task}`), 'utf8');
          assert.deepEqual([found(1), found(2)], ['nothing', workspace]);
        }
    });

    it('take what a Makefile writes below ~/.cache, and the next make finds it', async function () {
      const made = await bed.spawn('make', ['--version']).ended.catch(() => null);
      if (made?.code !== 0) skipWithReason(this, 'no toolchain here: make');
      bed.write(
        'Makefile',
        'STAMP = $(HOME)/.cache/built/stamp\nall: $(STAMP)\n\t@cp $(STAMP) docs/out/stamp\n$(STAMP):\n\t@mkdir -p $(@D) docs/out && date +%N > $@ && echo made >> docs/out/made\n',
      );
      const again = { task_id: 'T2', command: ['make'], verify: [['node', '-e', '']], depends_on: ['T1'] };
      const run = await bed.mission('run', bed.plan('make', [{ command: ['make'] }, again]), ...required);
      assert.equal(run.code, 0, run.stdout + run.stderr);
      assert.equal(bed.read('docs/out/made'), 'made\n');
      assert.equal(existsSync(path.join(bed.scratch, '.cache/built')), false);
    });
  });
});
