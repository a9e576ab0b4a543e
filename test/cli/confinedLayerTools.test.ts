import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { goForTests } from '../../scripts/go.mjs';
import { pytestForTests } from '../../scripts/pytest.mjs';
import { searchedOutside } from '../support/machine';
import { skipWithReason } from '../support/skip';
import { usersOfTier } from '../support/users';
import { ConfinedBed } from './confinedBed';

/** A shell command line that runs the tool, or why this machine has none. */
type Found = { readonly line: string; readonly missing?: never } | { readonly missing: string };

/** A tool that writes beside its work, outside the paths of its task, as it does for a person. */
interface Tool {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** What it leaves in the layer alone. */
  readonly leaves: readonly string[];
  readonly find: (bed: ConfinedBed) => Found;
}

/** By a program of the distribution. */
const by =
  (program: string, line: string): Tool['find'] =>
  (bed) =>
    spawnSync(program, ['--version'], { env: bed.env }).error === undefined
      ? { line }
      : { missing: `${program} is not installed` };

const node = `'${process.execPath}'`;
const local = { name: 'local', version: '1.0.0' };
const dependent = { name: 'x', version: '1.0.0', dependencies: { local: 'file:local' } };

const tools: readonly Tool[] = [
  {
    name: 'git status',
    files: {},
    leaves: [],
    find: by('git', 'git status --porcelain && git diff --stat && git log -1 --format=%s'),
  },
  {
    name: 'npm ci and npm test',
    files: {
      'package.json': JSON.stringify({ ...dependent, scripts: { test: 'node --test test.mjs' } }),
      'package-lock.json': JSON.stringify({
        ...{ name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true },
        packages: {
          '': dependent,
          local: { version: '1.0.0' },
          'node_modules/local': { resolved: 'local', link: true },
        },
      }),
      'local/package.json': JSON.stringify(local),
      'local/index.js': 'module.exports = 1;',
      'test.mjs': "import test from 'node:test'; import 'local'; test('is', () => undefined);\n",
    },
    leaves: ['node_modules'],
    find: by('npm', 'npm ci --offline --no-audit --no-fund && npm test'),
  },
  {
    name: 'tsc into an ignored folder',
    files: {
      'src/a.ts': 'export const a: number = 1;\n',
      'tsconfig.json': JSON.stringify({ compilerOptions: { outDir: 'dist', rootDir: 'src', types: [] } }),
    },
    leaves: ['dist'],
    find: () => ({ line: `${node} '${path.resolve('node_modules/typescript/lib/tsc.js')}' -p . && test -e dist/a.js` }),
  },
  {
    name: 'pytest',
    files: {
      'py/a.py': 'x = 1\n',
      'py/test_a.py': 'import a\ndef test_x(): assert a.x == 1\n',
    },
    leaves: ['py/__pycache__', 'py/.pytest_cache'],
    find: () => {
      const { python, modules, missing } = pytestForTests(process.cwd());
      if (missing !== undefined) return { missing };
      const leaves = 'test -d __pycache__ && test -d .pytest_cache';
      return { line: `cd py && PYTHONPATH='${modules}' '${python}' -m pytest -q && ${leaves}` };
    },
  },
  {
    name: 'go build and go test',
    files: {
      'go.mod': 'module x\n',
      'a.go': 'package main\n\nfunc a() int { return 1 }\n\nfunc main() { println(a()) }\n',
      'a_test.go':
        'package main\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tif a() != 1 {\n\t\tt.Fail()\n\t}\n}\n',
    },
    leaves: ['dist'],
    find: () => {
      const { folder, missing } = goForTests(process.cwd(), searchedOutside());
      if (missing !== undefined) return { missing };
      return { line: `PATH='${folder}':"$PATH" && go build -o dist/x . && dist/x && go test ./...` };
    },
  },
  {
    name: 'cargo build and cargo test',
    files: {
      'Cargo.toml': '[package]\nname = "x"\nversion = "1.0.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn a() -> i32 { 1 }\n\n#[test]\nfn is() { assert_eq!(a(), 1); }\n',
    },
    leaves: ['target', 'Cargo.lock'],
    find: (bed) => {
      // The toolchain's own folder: a program of rustup looks for it below HOME, and tests have a HOME of their own.
      const asked = spawnSync('rustc', ['--print', 'sysroot'], {
        env: { ...process.env, PATH: searchedOutside(), HOME: os.userInfo().homedir },
        encoding: 'utf8',
      });
      if (asked.status !== 0) return { missing: 'cargo is not installed' };
      const folder = path.join(asked.stdout.trim(), 'bin');
      const ids = bed.user === 'nobody' ? { uid: 65_534, gid: 65_534 } : {};
      if (spawnSync(path.join(folder, 'cargo'), ['--version'], ids).status !== 0)
        return { missing: `${bed.user} cannot start cargo, which lies in ${folder}` };
      return { line: `PATH='${folder}':"$PATH" && cargo build --offline && cargo test --offline` };
    },
  },
  {
    name: 'make, which has nothing to do the second time',
    files: { Makefile: 'dist/made: src.txt\n\tmkdir -p dist && cp src.txt dist/made\n', 'src.txt': 'x\n' },
    leaves: ['dist'],
    find: by('make', 'make && make | grep -q "up to date" && test -e dist/made'),
  },
  {
    name: 'sqlite with a write-ahead log',
    files: {},
    leaves: ['local.db'],
    find: by(
      'python3',
      `python3 -c "import sqlite3; c = sqlite3.connect('local.db'); c.execute('pragma journal_mode=wal'); c.execute('create table t (x)'); c.execute('insert into t values (1)'); c.commit(); print(c.execute('pragma integrity_check').fetchone())"`,
    ),
  },
];

for (const user of usersOfTier)
  describe(`in a layered workspace, as ${user},`, function () {
    this.timeout(300_000);

    for (const { name, files, leaves, find } of tools)
      it(`${name} works, reaches nothing of the tree, and blocks nothing where git ignores what it leaves`, async function () {
        const bed = new ConfinedBed(this, user);
        try {
          const found = find(bed);
          if (found.missing !== undefined) skipWithReason(this, `no toolchain here: ${found.missing}`);
          bed.write('.gitignore', `.mission-control/\n__pycache__/\n.pytest_cache/\n*.db*\n${leaves.join('\n')}\n`);
          for (const [file, text] of Object.entries(files)) bed.write(file, text);
          bed.write('docs/out/.keep', '');
          bed.write('tools/run.sh', `( ${found.line} ) && echo worked > docs/out/worked\n`);
          bed.git('add', '-A');
          bed.git('commit', '-qm', 'all');
          const plan = bed.plan('tools', [{ command: ['sh', 'tools/run.sh'] }]);
          const run = await bed.mission('run', plan, '--confinement', 'required');
          assert.equal(run.code, 0, run.stdout + run.stderr);
          assert.equal(bed.read('docs/out/worked'), 'worked\n');
          for (const left of leaves) assert.ok(!bed.exists(left), left);
        } finally {
          await bed.dispose();
        }
      });
  });
