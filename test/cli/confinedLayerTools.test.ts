import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { usersOfTier } from '../support/users';
import { ConfinedBed } from './confinedBed';

/** Each tool writes beside its work, outside the paths of its task, as it does for a person. */
const tools: readonly (readonly [program: string, name: string, script: string])[] = [
  ['git', 'git status', 'git status --porcelain; git diff --stat; git log -1 --format=%s'],
  ['npm', 'npm ci', 'npm ci --offline --no-audit --no-fund && test -e node_modules/local/index.js'],
  [
    'node',
    'tsc',
    `'${process.execPath}' '${path.resolve('node_modules/typescript/lib/tsc.js')}' -p . && test -e dist/a.js`,
  ],
  ['make', 'make', 'make && make | grep -q "up to date" && test -e dist/made'],
  [
    'python3',
    'sqlite with a write-ahead log',
    `python3 -c "import sqlite3; c = sqlite3.connect('local.db'); c.execute('pragma journal_mode=wal'); c.execute('create table t (x)'); c.execute('insert into t values (1)'); c.commit(); print(c.execute('pragma integrity_check').fetchone())"`,
  ],
  ['python3', 'python’s unittest', 'cd py && python3 -m unittest -q test_a && test -d __pycache__'],
  ['node', 'node --test', `'${process.execPath}' --test test.mjs`],
];

for (const user of usersOfTier)
  describe(`tools in a layered workspace, as ${user}`, function () {
    this.timeout(300_000);

    it('work, reach nothing of the tree, and block nothing where git ignores what they leave', async function () {
      const bed = new ConfinedBed(this, user);
      try {
        bed.write('.gitignore', '.mission-control/\nnode_modules/\ndist/\n*.db*\ndocs/out/\n');
        bed.write(
          'package.json',
          JSON.stringify({ name: 'x', version: '1.0.0', dependencies: { local: 'file:local' } }),
        );
        bed.write(
          'package-lock.json',
          JSON.stringify({
            ...{ name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true },
            packages: {
              '': { name: 'x', version: '1.0.0', dependencies: { local: 'file:local' } },
              local: { version: '1.0.0' },
              'node_modules/local': { resolved: 'local', link: true },
            },
          }),
        );
        bed.write('local/package.json', JSON.stringify({ name: 'local', version: '1.0.0' }));
        bed.write('local/index.js', '');
        bed.write('src/a.ts', 'export const a: number = 1;\n');
        bed.write(
          'tsconfig.json',
          JSON.stringify({ compilerOptions: { outDir: 'dist', rootDir: 'src', types: [] }, files: ['src/a.ts'] }),
        );
        bed.write('Makefile', 'dist/made: src/a.ts\n\tmkdir -p dist && cp src/a.ts dist/made\n');
        bed.write('py/a.py', 'x = 1\n');
        bed.write(
          'py/test_a.py',
          'import unittest, a\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(a.x, 1)\n',
        );
        bed.write('test.mjs', "import test from 'node:test'; test('is', () => undefined);\n");
        bed.write('docs/out/.keep', '');
        bed.git('add', '-A');
        bed.git('commit', '-qm', 'all');
        const found = tools.filter(
          ([program]) => spawnSync(program, ['--version'], { env: bed.env }).error === undefined,
        );
        const script = found.map(([, name, line]) => `( ${line} ) && echo '${name}' >> docs/out/worked`).join('\n');
        bed.write('tools/all.sh', `cd "$(pwd)"\n${script}\n`);
        const plan = bed.plan('tools', [{ command: ['sh', 'tools/all.sh'] }]);
        const run = await bed.mission('run', plan, '--confinement', 'required');
        assert.equal(run.code, 0, run.stdout + run.stderr);
        assert.deepEqual(
          bed.read('docs/out/worked').trim().split('\n'),
          found.map(([, name]) => name),
        );
        for (const name of ['node_modules', 'dist', 'local.db', 'py/__pycache__']) assert.ok(!bed.exists(name), name);
      } finally {
        await bed.dispose();
      }
    });
  });
