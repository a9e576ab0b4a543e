import assert from 'node:assert/strict';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { usersOfTier } from '../../support/users';
import { makeBed, removeBeds, type Asked, type Bed } from './bed';

const odd = ['with blanks', 'quo\'te"s', 'ümläut', 'line\nend', '-rf', '--', '$(HOME)', '*', 'a\\b', '%s'];

describe('places of a sandbox', function () {
  this.timeout(120_000);
  after(removeBeds);

  for (const user of usersOfTier) {
    describe(`as ${user}`, () => {
      for (const name of odd) {
        it(`may have odd names: ${JSON.stringify(name)}`, async function () {
          const bed = makeBed(this, user, 'checkout', name);
          bed.put({ [`out ${name}/${name}`]: '', [`${name}/one`]: '', [`${name}/${name}`]: '', 'docs/plans/p': '' });
          await holds(
            bed,
            { writable: [`out ${name}`, `${name}/one`] },
            {
              open: [`out ${name}/new`, `out ${name}/${name}`, `${name}/one`],
              closed: [`${name}/${name}`, 'docs/plans/p', 'new'],
            },
          );
        });
      }

      it('a run directory that is not there yet', async function () {
        const bed = makeBed(this, user);
        rmSync(path.join(bed.workspace, '.mission-control'), { recursive: true });
        await holds(bed, {}, { open: [`${bed.run}/work/log`, '/tmp/x'], closed: [`${bed.run}/exit.json`] });
      });

      it('a run directory that another program planted is refused', async function () {
        const bed = makeBed(this, user);
        rmSync(bed.run, { recursive: true });
        symlinkSync(bed.outside, bed.run);
        await assert.rejects(bed.line({}), /1-a is not a folder/);
        rmSync(bed.run);
        mkdirSync(bed.run);
        symlinkSync(bed.outside, path.join(bed.run, 'work'));
        await assert.rejects(bed.line({}), /work is not a folder/);
      });

      it('a workspace below /tmp, and a home and programs beside it', async function () {
        const bed = makeBed(this, user, 'tmp');
        bed.put({
          'out/': '',
          'src/a': '',
          [`${bed.folder}/tools/bin/tool`]: '#!/bin/sh\ncat "$0/../../lib/text"',
          [`${bed.folder}/tools/lib/text`]: 'brought',
        });
        await holds(
          bed,
          { writable: ['out'] },
          { open: ['out/new', '/tmp/x'], closed: ['src/a', `${bed.home}/x`, `${bed.folder}/outside/x`] },
        );
        bed.environment['PATH'] = `${bed.folder}/tools/bin:${bed.environment['PATH']}`;
        const { output } = await bed.confined({}, `cat ${bed.folder}/tools/lib/text`);
        assert.equal(output, 'brought');
        const hidden = await bed.confined({}, `ls ${bed.outside} ${path.dirname(bed.folder)}/..`);
        assert.notEqual(hidden.code, 0, 'what is not needed there cannot be seen');
      });

      it('an executable below /tmp that PATH does not name', async function () {
        const bed = makeBed(this, user, 'tmp');
        bed.put({
          [`${bed.folder}/x/lib/node_modules/cli/run.js`]: 'yes',
          [`${bed.folder}/x/lib/node_modules/dep/d.js`]: 'yes',
        });
        const file = `${bed.folder}/x/lib/node_modules/cli/run.js`;
        mkdirSync(`${bed.folder}/links`);
        symlinkSync(file, `${bed.folder}/links/cli`);
        const script = `cat ${bed.folder}/links/cli ${path.dirname(file)}/../dep/d.js`;
        assert.equal((await bed.confined({ programWords: [`${bed.folder}/links/cli`] }, script)).output, 'yesyes');
      });

      for (const where of ['tmp', 'checkout'] as const) {
        it(`a workspace that is reached through a link, ${where}`, async function () {
          const bed = makeBed(this, user, where);
          bed.put({ 'out/': '', 'src/a': '' });
          const link = path.join(bed.folder, 'link');
          symlinkSync('ws', link);
          const asked = { workspace_dir: link, writable: ['out'] };
          const ran = await bed.confined(
            asked,
            `cd "${link}" && echo x > out/new && cd out && pwd -P; echo x > ../src/a`,
          );
          assert.match(ran.output, /\/ws\/out\n.*Read-only/s);
          assert.ok(existsSync(path.join(bed.workspace, 'out/new')));
        });
      }

      it('a workspace that is the home', async function () {
        const bed = makeBed(this, user, 'checkout', 'home');
        bed.put({ 'out/': '', '.bashrc': '', '.cli/settings': '', '.cli/sessions/': '' });
        const home = [place('.cli', 'sessions')];
        await holds(
          bed,
          { writable: ['out'], home },
          { open: ['out/new', '.cli/sessions/s'], closed: ['.bashrc', '.cli/settings'] },
        );
        await holds(
          bed,
          { writable: ['notes.txt'], home },
          { open: ['notes.txt'], closed: ['.bashrc', '.cli/settings'] },
        );
      });

      it('a workspace below the home', async function () {
        const bed = makeBed(this, user, 'checkout', 'home/code/ws');
        bed.put({ 'out/': '', 'src/a': '', [`${bed.home}/.cli/settings`]: '' });
        const home = [place('.cli', 'sessions'), { ...place('.new/folder', 's'), entries: [] }];
        const closed = ['src/a', `${bed.home}/.cli/settings`, `${bed.home}/code/x`];
        await holds(bed, { writable: ['out'], home }, { open: ['out/new', `${bed.home}/.cli/sessions/s`], closed });
        const { output } = await bed.confined(
          { writable: ['out'], home },
          'echo x > ~/.new/folder/f && cat ~/.new/folder/f; echo y > out/y; cat out/y',
        );
        assert.equal(output, 'x\ny\n');
        assert.ok(!existsSync(path.join(bed.home, '.new')), 'no placeholder is left in the home');
      });

      it('an approved folder that is a link opens nothing', async function () {
        const bed = makeBed(this, user);
        bed.put({ 'real/a': '', 'src/a': '', [`${bed.outside}/a`]: '' });
        symlinkSync('real', path.join(bed.workspace, 'inner'));
        symlinkSync(bed.outside, path.join(bed.workspace, 'outer'));
        const asked: Asked = { writable: ['inner', 'outer', 'inner/deep', 'outer/deep/er', '../outside', '/'] };
        await holds(bed, asked, { open: [], closed: ['real/a', 'src/a', `${bed.outside}/a`] });
        const { coarser } = await bed.line({ writable: ['outer/deep', '../outside', 'missing/deep'] });
        for (const part of [
          'outer/deep is reached through a link',
          '../outside lies outside',
          'missing/deep has no folder',
        ])
          assert.ok(
            coarser.some((one) => one.includes(part)),
            `${part} in ${coarser.join('|')}`,
          );
      });

      it('a granted folder outside, but its repository', async function () {
        const bed = makeBed(this, user);
        bed.put({
          [`${bed.outside}/sub/a`]: '',
          [`${bed.outside}/.git/config`]: '',
          [`${bed.outside}/n/.git/config`]: '',
        });
        const granted = [bed.outside, path.join(bed.folder, 'absent')];
        const closed = [`${bed.outside}/.git/config`, `${bed.outside}/n/.git/config`, 'new', `${bed.run}/exit.json`];
        await holds(bed, { granted }, { open: [`${bed.outside}/sub/a`], closed });
      });

      it('a granted folder that holds the workspace, but not the workspace', async function () {
        const bed = makeBed(this, user, 'checkout', 'outside/code/ws');
        bed.put({ 'src/a': '' });
        const open = [`${bed.outside}/x`, `${bed.outside}/code/y`];
        await holds(bed, { granted: [bed.outside] }, { open, closed: ['new', 'src/a', `${bed.run}/exit.json`] });
      });

      it('a granted folder that holds the home opens nothing', async function () {
        const bed = makeBed(this, user);
        bed.put({ [`${bed.home}/.profile`]: '' });
        const closed = [`${bed.home}/.profile`, `${bed.home}/new`, `${bed.folder}/x`, `${bed.outside}/x`];
        for (const one of [bed.home, bed.folder]) await holds(bed, { granted: [one] }, { open: [], closed });
        await holds(bed, { granted: [`${bed.home}/given`] }, { open: [], closed });
      });

      it('a granted folder that lies in the workspace, or leads there, opens nothing', async function () {
        const bed = makeBed(this, user);
        bed.put({ 'src/a': '', [`${bed.outside}/x`]: '' });
        const back = path.join(bed.outside, 'back');
        symlinkSync(bed.workspace, back);
        const granted = [bed.workspace, path.join(bed.workspace, 'src'), back, path.join(back, 'src')];
        await holds(bed, { granted }, { open: [], closed: ['src/a', 'src/new', 'new'] });
        const { coarser } = await bed.line({ granted });
        assert.ok(coarser.some((one) => one.includes('lies in the workspace: it opens nothing')));
      });

      it('a linked worktree, whose repository lies elsewhere', async function () {
        const bed = makeBed(this, user, 'tmp');
        bed.put({
          [`${bed.folder}/main/.git/worktrees/ws/HEAD`]: 'ref: x',
          [`${bed.folder}/main/.git/worktrees/ws/commondir`]: '../..',
          [`${bed.folder}/main/.git/HEAD`]: 'ref: y',
          '.git': `gitdir: ${bed.folder}/main/.git/worktrees/ws\n`,
        });
        const { output } = await bed.confined(
          { writable: ['.'] },
          `cat ${bed.folder}/main/.git/HEAD; echo x > .git; echo x > ${bed.folder}/main/.git/HEAD; echo x > new`,
        );
        assert.match(output, /^ref: y.*Read-only.*Read-only/s);
        assert.ok(existsSync(path.join(bed.workspace, 'new')));
      });

      it('a copy of a mixed file of the CLI, and its credentials', async function () {
        const bed = makeBed(this, user);
        bed.put({
          [`${bed.home}/.cli/mixed.json`]: 'mine',
          [`${bed.home}/.cli/auth.json`]: 'old',
          [`${bed.home}/.cli/left`]: 'left',
          [`${bed.home}/.cli/left`]: 'left',
          [`${bed.home}/.cli/deep/state/x`]: '',
        });
        const home = [
          {
            ...place('.cli', 'deep/state'),
            entries: [
              { path: 'mixed.json', kind: 'file', access: 'copy', reason: '' },
              { path: 'auth.json', kind: 'file', access: 'write', reason: '' },
              { path: 'left', kind: 'file', access: 'absent', reason: '' },
              { path: 'deep/state', kind: 'folder', access: 'write', reason: '' },
            ] as const,
          },
        ];
        const script =
          'cd ~/.cli; echo x > mixed.tmp && mv mixed.tmp mixed.json; echo new > auth.json; echo x > deep/state/y; echo x > deep/z; cat mixed.json auth.json deep/z; cat left; echo x > left';
        assert.equal(
          (await bed.confined({ home }, script)).output,
          'x\nnew\nx\ncat: left: No such file or directory\n',
        );
        assert.equal(readFileSync(`${bed.home}/.cli/left`, 'utf8'), 'left');
        assert.equal(readFileSync(`${bed.home}/.cli/mixed.json`, 'utf8'), 'mine');
        assert.equal(readFileSync(`${bed.home}/.cli/auth.json`, 'utf8'), 'new\n');
        assert.deepEqual(bed.names(bed.home), [
          '.cli/',
          '.cli/auth.json',
          '.cli/deep/',
          '.cli/deep/state/',
          '.cli/deep/state/x',
          '.cli/deep/state/y',
          '.cli/left',
          '.cli/mixed.json',
        ]);
      });

      it('a folder of a CLI with a thousand entries', async function () {
        const bed = makeBed(this, user);
        const names = Array.from({ length: 1_000 }, (_, n) => `${bed.home}/.cli/f${n}`);
        bed.put(Object.fromEntries(names.map((name) => [name, 'there'])));
        bed.put({ [`${bed.home}/.cli/sessions/`]: '' });
        const home = [place('.cli', 'sessions')];
        const line = await bed.line({ home });
        assert.ok(line.argv.length < 300, `${line.argv.length} arguments`);
        const script =
          'cat ~/.cli/f999; echo; echo x > ~/.cli/new && echo x > ~/.cli/sessions/s; rm ~/.cli/f998; echo x > ~/.cli/f997';
        assert.match((await bed.confined({ home }, script)).output, /^there\n.*Read-only/s);
        assert.equal(readFileSync(`${bed.home}/.cli/f997`, 'utf8'), 'there');
        assert.ok(existsSync(`${bed.home}/.cli/f998`) && existsSync(`${bed.home}/.cli/sessions/s`));
        assert.ok(!existsSync(`${bed.home}/.cli/new`));
      });

      it('300 siblings of a file are read-only, 301 are not, and a note says so', async function () {
        const bed = makeBed(this, user);
        const names = Array.from({ length: 301 }, (_, n) => `many/f${n}`);
        bed.put({ ...Object.fromEntries(names.slice(0, 300).map((name) => [name, ''])), 'many/one': '' });
        const asked = { writable: ['many/one'] };
        await holds(bed, asked, { open: ['many/one'], closed: ['many/f0', 'many/f299'] });
        assert.deepEqual((await bed.line(asked)).unheld, []);
        bed.put({ 'many/f300': '', 'many/.git/config': '', 'many/sealed': '' });
        const sealed = ['.git', 'many/sealed'];
        await holds(
          bed,
          { ...asked, sealed },
          { open: ['many/one', 'many/f0'], closed: ['many/.git/config', 'many/sealed', 'new'] },
        );
        assert.match(
          (await bed.line(asked)).unheld.join(),
          /All of the folder of one is writable: its 30\d other entries/,
        );
      });

      it('300 nested repositories', async function () {
        const bed = makeBed(this, user);
        const names = Array.from({ length: 300 }, (_, n) => `out/n${n}/.git/config`);
        bed.put(Object.fromEntries(names.map((name) => [name, ''])));
        await holds(
          bed,
          { writable: ['out'] },
          { open: ['out/n0/x'], closed: ['out/n0/.git/config', 'out/n299/.git/config'] },
        );
      });

      it('more than bubblewrap takes is refused', async function () {
        const bed = makeBed(this, user);
        const names = Array.from({ length: 2_700 }, (_, n) => `out/n${n}/.git/config`);
        bed.put(Object.fromEntries(names.map((name) => [name, ''])));
        await assert.rejects(bed.line({ writable: ['out'] }), /CONFINEMENT_UNAVAILABLE/);
      });

      it('only observation catches: a new sibling, a sibling that was replaced meanwhile', async function () {
        const bed = makeBed(this, user);
        bed.put({ 'app/one': '', 'app/two': 'old', 'out/': '' });
        const { coarser } = await bed.line({ writable: ['app/one', 'out'] });
        assert.ok(coarser.includes('The folder of one is writable: a new entry in it can be made.'), coarser.join());
        const script =
          'echo x > app/new; touch out/ready; while [ ! -e out/go ]; do sleep 0.05; done; echo worker > app/two; echo $?';
        const running = bed.confined({ writable: ['app/one', 'out'] }, script);
        while (!existsSync(path.join(bed.workspace, 'out/ready')))
          await new Promise((resolve) => setTimeout(resolve, 20));
        // As an editor saves.
        writeFileSync(path.join(bed.workspace, 'app/two~'), 'saved', { mode: 0o666 });
        renameSync(path.join(bed.workspace, 'app/two~'), path.join(bed.workspace, 'app/two'));
        if (user === 'nobody') chownSync(path.join(bed.workspace, 'app/two'), 65534, 65534);
        writeFileSync(path.join(bed.workspace, 'out/go'), '');
        assert.equal((await running).output, '0\n');
        assert.equal(readFileSync(path.join(bed.workspace, 'app/new'), 'utf8'), 'x\n');
        assert.equal(readFileSync(path.join(bed.workspace, 'app/two'), 'utf8'), 'worker\n');
      });
    });
  }
});

function place(otherwise: string, sessions: string): NonNullable<Asked['home']>[number] {
  return {
    variable: null,
    below: '',
    otherwise,
    entries: [{ path: sessions, kind: 'folder', access: 'write', reason: '' }],
  };
}

interface Expected {
  readonly open: readonly string[];
  readonly closed: readonly string[];
}

/** Tries to write each place in the sandbox; what is closed stays as it is outside. */
async function holds(bed: Bed, asked: Asked, { open, closed }: Expected): Promise<void> {
  const all = [...open, ...closed].map((name) => path.resolve(bed.workspace, name));
  const before = closed.map((name) => contentOf(bed, name));
  const script = all.map((at) => `(echo x >> ${quoted(at)}) 2>/dev/null && echo yes || echo no`).join('\n');
  const { output } = await bed.confined(asked, script);
  const told = output.trim().split('\n');
  const wanted = [...open.map(() => 'yes'), ...closed.map(() => 'no')];
  // Where the checkout lies below a private folder, a write into that arrives nowhere, as is seen outside.
  const judged = wanted.map((one, index) => (one === 'no' && isPrivate(all[index] ?? '') ? one : told[index]));
  assert.deepEqual([judged, told.length], [wanted, wanted.length], JSON.stringify({ open, closed }));
  assert.deepEqual(
    closed.map((name) => contentOf(bed, name)),
    before,
  );
}

function isPrivate(at: string): boolean {
  return ['/tmp/', '/var/tmp/'].some((folder) => at.startsWith(folder));
}

function contentOf(bed: Bed, name: string): string | null {
  const at = path.resolve(bed.workspace, name);
  return existsSync(at) ? readFileSync(at, 'utf8') : null;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
