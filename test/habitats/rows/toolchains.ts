import { execFile } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { goForTests } from '../../../scripts/go.mjs';
import { findExecutable } from '../../../src/adapters/processes/commandLine';
import { machinePath, searchedOutside } from '../../support/machine';
import type { Habitat } from '../habitat';
import type { Place } from '../place';
import { pip } from './pip';
import { pnpm } from './pnpm';

/**
 * What tests of other languages meet in the sandbox. In each repository the task mends a module, which its tests, the
 * verify command, find broken before.
 */
export const toolchains: readonly Habitat[] = [...rust(), ...python(), ...go(), ...pnpmLinks(), ...pnpm, ...pip];

function rust(): readonly Habitat[] {
  const row = (name: string, cargoHome: string, rustupHome: string | null, more: Partial<Habitat> = {}): Habitat => ({
    name,
    confined: true,
    lacks: async () =>
      (await needs(['cargo', 'rustc', 'cc', ...(rustupHome === null ? [] : ['rustup'])])()) ??
      ((await sysroot()) === null ? 'no toolchain here: rustc has none' : null),
    project: { module: 'src/lib.rs', test: ['cargo', 'test', '--offline'] },
    execution: { scratch: ['target/'] },
    async make(place) {
      place.write(path.join(place.scratch, 'seed/Cargo.toml'), '[package]\nname = "seed"\nversion = "1.0.0"\n');
      place.write(path.join(place.scratch, 'seed/src/lib.rs'), 'pub fn none() -> u32 {\n    0\n}\n');
      place.write(
        'Cargo.toml',
        `[package]\nname = "answer"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nseed = { git = "file://${place.scratch}/seed" }\n`,
      );
      place.write('src/lib.rs', 'pub fn answer() -> u32 {\n    seed::none() + 41\n}\n');
      place.write('tests/answer.rs', '#[test]\nfn is_right() {\n    assert_eq!(answer::answer(), 42);\n}\n');
      await place.sh('cd "$SCRATCH/seed" && git init -q -b main && git add . && git commit -q -m seed');
      const cargo = path.join(place.home, cargoHome);
      const toolchain = (await sysroot()) ?? '';
      if (rustupHome === null) place.search(path.join(toolchain, 'bin'));
      else await rustup(place, path.join(place.home, rustupHome), cargo, toolchain);
      // What cargo has fetched is there, and not unpacked yet.
      await place.repository(`echo target > .gitignore && cargo fetch -q && rm -r '${cargo}/git/checkouts'`);
    },
    afterwards: (place) => {
      const unpacked = path.join(place.home, cargoHome, 'git/checkouts');
      return Promise.resolve({ 'cargo unpacked nothing in HOME itself': !existsSync(unpacked) });
    },
    ...more,
  });
  const elsewhere = ['.local/share/cargo', '.local/share/rustup'] as const;
  return [
    row('Rust: cargo test with cold caches', '.cargo', null),
    row('Rust: a toolchain of rustup below HOME', '.cargo', '.rustup'),
    row('Rust: rustup where RUSTUP_HOME says, which no plan passes', ...elsewhere, {
      expected: {
        sample: {
          exit: 3,
          status: 'blocked',
          code: 'ACCEPTANCE_FAILED',
          facts: ['no evidence'],
          says: /not passed to it: [A-Z_, ]*RUSTUP_HOME[^]*execution\.env/,
        },
      },
    }),
    row('Rust: rustup where RUSTUP_HOME says, asked for by the plan', ...elsewhere, {
      execution: { scratch: ['target/'], env: ['RUSTUP_HOME', 'CARGO_HOME'] },
    }),
  ];
}

/** The programs of rustup as it installs them, with a toolchain of this machine linked. */
async function rustup(place: Place, rustupHome: string, cargoHome: string, toolchain: string): Promise<void> {
  if (rustupHome !== path.join(place.home, '.rustup'))
    Object.assign(place.env, { RUSTUP_HOME: rustupHome, CARGO_HOME: cargoHome });
  place.search(path.join(cargoHome, 'bin'));
  const program = await findExecutable('rustup', { PATH: searchedOutside() });
  await place.sh(`mkdir -p '${cargoHome}/bin' && cp -L '${program}' '${cargoHome}/bin/rustup'
    for name in cargo rustc rustdoc; do ln -s rustup '${cargoHome}/bin/'$name; done
    rustup -q toolchain link machine '${toolchain}' && rustup -q default machine`);
}

function python(): readonly Habitat[] {
  const row = (name: string, more: Partial<Habitat>, prepare: (place: Place) => Promise<string>): Habitat => ({
    name,
    confined: true,
    lacks: needs(['python3'], machinePath),
    async make(place) {
      place.write('app/__init__.py', '');
      place.write('app/answer.py', 'def answer():\n    return 41\n');
      place.write('tests/__init__.py', '');
      place.write(
        'tests/test_answer.py',
        'import unittest\nfrom app.answer import answer\n\n\nclass Answer(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(answer(), 42)\n',
      );
      await place.repository(await prepare(place));
    },
    project: { module: 'app/answer.py', test: ['python3', '-m', 'unittest', '-q'] },
    afterwards: (place) =>
      Promise.resolve({
        'compiled modules lie where the task may write, and nowhere else':
          place.exists('app/__pycache__') && !place.exists('tests/__pycache__'),
      }),
    ...more,
  });
  const venv = {
    project: { module: 'app/answer.py', test: ['.venv/bin/python3', '-m', 'unittest', '-q'] },
  } as const;
  const ignored = `printf '.venv/\\n__pycache__/\\n' > .gitignore`;
  const makeVenv = `"$(readlink -f "$(command -v python3)")" -m venv --without-pip .venv`;
  return [
    row('Python: a .venv', venv, () => Promise.resolve(`${ignored} && ${makeVenv}`)),
    row('Python: a .venv, and git does not ignore __pycache__', venv, () =>
      Promise.resolve(`echo .venv/ > .gitignore && ${makeVenv}`),
    ),
    row('Python: pyenv below HOME', { lacks: needs(['pyenv']) }, async (place) => {
      await pyenv(place);
      return ignored;
    }),
    row('Python: a .venv of pyenv below HOME', { lacks: needs(['pyenv']), ...venv }, async (place) => {
      await pyenv(place);
      return `${ignored} && python3 -m venv --without-pip .venv`;
    }),
  ];
}

/** The programs of pyenv as it installs them, below HOME, with the Python of this machine linked. */
async function pyenv(place: Place): Promise<void> {
  const [root, prefix] = [await answerOf('pyenv', 'root'), await answerOf('pyenv', 'prefix')];
  const mine = path.join(place.home, '.pyenv');
  place.env['PYENV_ROOT'] = mine;
  for (const folder of ['bin', 'shims']) place.search(path.join(mine, folder));
  await place.sh(`mkdir -p '${mine}/versions' && cp -R '${root}/bin' '${root}/libexec' '${root}/pyenv.d' '${mine}'
    ln -s '${prefix}' '${mine}/versions/machine' && echo machine > '${mine}/version' && pyenv rehash`);
}

function go(): readonly Habitat[] {
  const row = (name: string, prepare: (place: Place) => Promise<GoModule>): Habitat => ({
    name,
    confined: true,
    lacks: () => {
      const { missing } = goFolder();
      return Promise.resolve(missing === undefined ? null : `no toolchain here: ${missing}`);
    },
    project: { module: 'answer/answer.go', test: ['go', 'test', './...'] },
    async make(place) {
      place.search(goFolder().folder ?? '');
      const { requires, imports, base, then } = await prepare(place);
      place.write('go.mod', `module example.invalid/answer\n\ngo 1.16\n${requires}`);
      place.write('answer/answer.go', `package answer\n${imports}\nfunc Answer() int {\n\treturn ${base}41\n}\n`);
      place.write(
        'answer/answer_test.go',
        'package answer\n\nimport "testing"\n\nfunc TestAnswer(t *testing.T) {\n\tif Answer() != 42 {\n\t\tt.Fatal(Answer())\n\t}\n}\n',
      );
      await place.repository(then);
    },
    afterwards: (place) =>
      Promise.resolve({
        'nothing was built in HOME itself': !existsSync(path.join(place.home, '.cache/go-build')),
      }),
  });
  return [
    row('Go: go test with cold caches', () => Promise.resolve({ requires: '', imports: '', base: '', then: 'true' })),
    row('Go: a module of the cache in HOME, whose files are read-only', async (place) => {
      await goProxy(place);
      return {
        requires: '\nrequire example.invalid/seed v1.0.0\n',
        imports: '\nimport "example.invalid/seed"\n',
        base: 'seed.None() + ',
        then: 'GOPROXY="file://$SCRATCH/proxy" GOSUMDB=off GOFLAGS=-mod=mod go mod tidy && rm -rf "$HOME/.cache/go-build"',
      };
    }),
  ];
}

interface GoModule {
  /** Text for go.mod and for the source. */
  readonly requires: string;
  readonly imports: string;
  readonly base: string;
  /** A line of the shell before the first commit. */
  readonly then: string;
}

/** A folder that answers as a proxy of modules does, with one module. */
async function goProxy(place: Place): Promise<void> {
  place.write(path.join(place.scratch, 'seed/go.mod'), 'module example.invalid/seed\n\ngo 1.16\n');
  place.write(path.join(place.scratch, 'seed/seed.go'), 'package seed\n\nfunc None() int {\n\treturn 0\n}\n');
  await place.sh(`cd "$SCRATCH/seed" && git init -q -b main && git add . && git commit -q -m seed
    at="$SCRATCH/proxy/example.invalid/seed/@v" && mkdir -p "$at" && cp go.mod "$at/v1.0.0.mod"
    git archive --format=zip --prefix=example.invalid/seed@v1.0.0/ -o "$at/v1.0.0.zip" HEAD
    echo v1.0.0 > "$at/list" && echo '{"Version": "v1.0.0"}' > "$at/v1.0.0.info"`);
}

/** Where Go lies that the machine has, or that the tests unpacked. */
function goFolder(): ReturnType<typeof goForTests> {
  return goForTests(process.cwd(), searchedOutside());
}

/** node_modules as pnpm lays it: each file of a package is a hard link into the store below HOME. */
function pnpmLinks(): readonly Habitat[] {
  const stored = '.local/share/pnpm/store/v10/files';
  const row = (name: string, files: number, opened: boolean): Habitat => ({
    name,
    confined: true,
    project: { module: 'src/answer.mjs', test: ['node', '--test'] },
    ...(opened && { execution: { scratch: ['node_modules/'] } }),
    async make(place) {
      const inside = path.join(place.workspace, 'node_modules/.pnpm/seed@1.0.0/node_modules/seed');
      mkdirSync(inside, { recursive: true });
      const link = (file: string, content: string): void => {
        const kept = path.join(place.home, stored, file);
        place.write(kept, content);
        linkSync(kept, path.join(inside, file));
      };
      link('package.json', '{"name": "seed", "version": "1.0.0", "type": "module", "exports": "./0.js"}\n');
      for (let n = 0; n < files; n++) link(`${n}.js`, `export const none = ${n};\n`);
      place.write('package.json', '{"type": "module", "dependencies": {"seed": "1.0.0"}}\n');
      place.write('src/answer.mjs', `import { none } from 'seed';\n\nexport const answer = none + 41;\n`);
      place.write('test/answer.test.mjs', nodeTest);
      await place.repository(
        `echo node_modules > .gitignore && ln -s .pnpm/seed@1.0.0/node_modules/seed node_modules/seed`,
      );
    },
    afterwards: (place) =>
      Promise.resolve({
        'the store is as it was':
          readFileSync(path.join(place.home, stored, '0.js'), 'utf8') === 'export const none = 0;\n',
        'a tool keeps its cache in node_modules where the plan opens it':
          place.exists('node_modules/.cache/seen') === opened,
      }),
  });
  return [
    row('pnpm: node_modules of hard links into the store below HOME', 400, false),
    row('pnpm: the plan opens node_modules, a few links', 20, true),
    row('pnpm: the plan opens node_modules, more links than are held one by one', 400, true),
  ];
}

/** Beside what it tests: a tool's own cache and a package are written, which a layer takes or the sandbox refuses. */
const nodeTest = `import assert from 'node:assert';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { it } from 'node:test';
import { answer } from '../src/answer.mjs';

it('is right', () => assert.equal(answer, 42));
try {
  appendFileSync('node_modules/seed/0.js', 'changed');
} catch {}
try {
  mkdirSync('node_modules/.cache', { recursive: true });
  writeFileSync('node_modules/.cache/seen', '');
} catch {}
`;

/** Why a habitat cannot be made without these programs; test/tiers.json knows the words. */
function needs(programs: readonly string[], searched = searchedOutside): () => Promise<string | null> {
  return async () => {
    for (const program of programs)
      if ((await findExecutable(program, { PATH: searched() })) === null)
        return `no toolchain here: ${program} is not on PATH`;
    return null;
  };
}

/** Where the toolchain of the person who runs the tests lies; null: rustc is rustup's, which has none. */
async function sysroot(): Promise<string | null> {
  return answerOf('rustc', '--print', 'sysroot').catch(() => null);
}

/** What a program of this machine prints, as the person who runs the tests has it. */
async function answerOf(program: string, ...args: readonly string[]): Promise<string> {
  // rustup and pyenv look into the person's own home, which a test process does not have as HOME.
  const env = { ...process.env, HOME: os.userInfo().homedir, PATH: searchedOutside() };
  const { stdout } = await promisify(execFile)(program, args, { env });
  return stdout.trim();
}
