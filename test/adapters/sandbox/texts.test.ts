import type { SandboxReach } from '../../../src/contracts/launchEvidence';
import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bubblewrapLine } from '../../../src/adapters/sandbox/bubblewrap/bubblewrap';
import { look } from '../../../src/adapters/sandbox/look';
import { seatbeltLine } from '../../../src/adapters/sandbox/seatbelt/seatbelt';
import { lookForSeatbelt } from '../../../src/adapters/sandbox/seatbelt/look';
import type { Outcome } from '../../../src/base/outcome';
import { isBeyondReach } from '../../../src/core/observation/writablePlaces';
import { caseSensitive } from '../../../src/core/paths/compare';
import type { SandboxBoundary, SandboxLine } from '../../../src/engine/ports/sandbox';
import { readLine } from './readLine';

interface Case {
  readonly name: string;
  readonly files?: readonly string[];
  readonly asked?: Partial<SandboxBoundary>;
  /** The workspace's name. */
  readonly workspace?: string;
  readonly open?: readonly string[];
  readonly closed?: readonly string[];
  /** What may not be renamed or replaced although its content may be written. */
  readonly fixed?: readonly string[];
  /** Hard links: a place, and the other one of the same file. */
  readonly linked?: Readonly<Record<string, string>>;
  readonly held?: readonly string[];
  readonly coarser?: RegExp;
  readonly unheld?: RegExp;
}

function couldWrite(path: string, reach: SandboxReach): boolean {
  const nothing = { before_sha256: null, after_sha256: null, resolved_path: null, changed_at: null, detail: null };
  return !isBeyondReach({ path, kind: 'modified', ...nothing }, [reach], caseSensitive);
}

const many = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `many/f${n}`);
const odd = [
  'with blanks',
  'quo\'te"s',
  'ümläut',
  'line\nend',
  '-rf',
  '--',
  '$(HOME)',
  '*',
  'a\\b',
  '%s',
  'x=y',
  ')(',
  '#"',
];

/** What every means holds back alike, as far as its command line says it. */
const cases: readonly Case[] = [
  {
    name: 'an approved folder and nothing else',
    files: ['out/a', 'src/a'],
    asked: { writable: ['out'] },
    open: ['out/a', 'out/new', 'out/deep/er'],
    closed: ['src/a', 'new', 'outer', '.', '..', '/etc/passwd', '/usr/bin/x'],
    fixed: ['out'],
  },
  {
    name: 'sealed places inside an approved folder, and the folders on the way to them',
    files: ['out/deep/er/sealed/a', 'out/b'],
    asked: { writable: ['out'], sealed: ['out/deep/er/sealed'] },
    open: ['out/b', 'out/deep/x', 'out/deep/er/x'],
    closed: ['out/deep/er/sealed', 'out/deep/er/sealed/a', 'out/deep/er/sealed/new'],
    fixed: ['out/deep', 'out/deep/er', 'out/deep/er/sealed'],
  },
  {
    name: 'the whole workspace but what is reserved',
    files: ['.git/config', 'docs/plans/p', 'docs/ops/executions/e', 'lib/.git/config', 'a'],
    asked: { writable: ['.'] },
    open: ['a', 'docs/x', 'docs/ops/x', 'lib/x', '.gitignore', 'x.git'],
    closed: [
      ...['.git', '.git/config', 'docs/plans/p', 'docs/ops/executions/e', 'lib/.git/config', 'lib/.git'],
      ...['.mission-control/missions/m1/runs/1-a/exit.json', '.mission-control/state.db'],
    ],
    fixed: ['docs', 'docs/ops', 'lib'],
  },
  {
    name: 'what the run itself writes, although it lies in a sealed place',
    asked: { writable: [] },
    open: ['.mission-control/missions/m1/runs/1-a/work/tmp/x', '.mission-control/missions/m1/runs/1-a/work/worklog.md'],
    closed: ['.mission-control/missions/m1/runs/1-a/launch.json', '.mission-control/missions/m1/runs/1-a/exit.json'],
    fixed: ['.mission-control/missions/m1/runs/1-a/work'],
  },
  {
    name: 'a single file: its folder is open, its siblings are not',
    files: ['app/one', 'app/two', 'app/sub/three'],
    asked: { writable: ['app/one'] },
    open: ['app/one', 'app/one.tmp.1234'],
    closed: ['app/two', 'app/sub/three', 'app/sub/new', 'new'],
    coarser: /The folder of one is writable: a new entry in it can be made\./,
  },
  {
    name: 'a file that is not there yet',
    files: ['app/two'],
    asked: { writable: ['app/one'] },
    open: ['app/one'],
    closed: ['app/two'],
  },
  {
    name: '300 siblings',
    files: [...many(300), 'many/one'],
    asked: { writable: ['many/one'] },
    open: ['many/one'],
    closed: ['many/f0', 'many/f299'],
  },
  {
    name: '301 siblings, which are told',
    files: [...many(301), 'many/one'],
    asked: { writable: ['many/one'] },
    open: ['many/one', 'many/f0'],
    closed: ['new'],
    unheld: /its 301 other entries are more than 300/,
  },
  {
    name: 'a folder outside that was granted, but its repository',
    files: ['../outside/sub/a', '../outside/.git/config'],
    asked: { granted: ['../outside'] },
    open: ['../outside/sub/a', '../outside/new'],
    closed: ['../outside/.git/config', '../new', 'new'],
  },
  {
    name: 'what a CLI keeps in its home',
    files: ['../home/.cli/sessions/a', '../home/.cli/settings.json', '../home/.bashrc'],
    asked: {
      home: [
        {
          ...{ variable: 'CLI_HOME', below: '', otherwise: '.cli' },
          entries: [{ path: 'sessions', kind: 'folder', access: 'write', reason: '' }],
        },
      ],
    },
    open: ['../home/.cli/sessions/a', '../home/.cli/sessions/new'],
    closed: ['../home/.cli/settings.json', '../home/.bashrc', '../home/.new'],
  },
  {
    name: 'hard links that lead out, the folders around them, and no others',
    files: ['out/a', 'out/deep/er/own'],
    linked: { 'out/deep/er/linked': '../outside/x', 'out/b': 'out/deep/b', 'app/one': 'src/one' },
    asked: { writable: ['out', 'app/one'] },
    open: ['out/a', 'out/b', 'out/deep/b', 'out/deep/er/own', 'out/deep/er/new', 'app/new'],
    closed: ['out/deep/er/linked', 'app/one', 'src/one', '../outside/x'],
    fixed: ['out/deep/er/linked', 'app/one'],
    held: ['app/one', 'out/deep/er/linked'],
  },
  ...odd.map((name): Case => ({
    name: `odd names: ${JSON.stringify(name)}`,
    workspace: name,
    files: [`out ${name}/${name}`, `${name}/one`, `${name}/${name}`, 'docs/plans/p'],
    asked: { writable: [`out ${name}`, `${name}/one`], sealed: [`out ${name}/${name}`, 'docs/plans'] },
    open: [`out ${name}/new`, `${name}/one`],
    closed: [`${name}/${name}`, `out ${name}/${name}`, 'docs/plans/p', 'new'],
  })),
];

const sealedAlways = ['docs/plans', 'docs/ops/executions', '.mission-control', '.git'];

describe('the command line of a sandbox, as text', () => {
  const parent = path.resolve('.artifacts/sandbox');
  let bed = '';
  beforeEach(() => {
    mkdirSync(parent, { recursive: true });
    bed = realpathSync(mkdtempSync(path.join(parent, 'text-')));
    for (const name of ['home', 'outside']) mkdirSync(path.join(bed, name));
  });
  afterEach(() => rmSync(bed, { recursive: true, force: true }));

  function boundaryOf({ files = [], linked = {}, asked = {}, workspace = 'ws' }: Case): SandboxBoundary {
    const root = path.join(bed, workspace);
    mkdirSync(root, { recursive: true });
    for (const file of files) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), '');
    }
    for (const [name, other] of Object.entries(linked)) {
      for (const one of [name, other]) mkdirSync(path.dirname(path.join(root, one)), { recursive: true });
      writeFileSync(path.join(root, other), '');
      linkSync(path.join(root, other), path.join(root, name));
    }
    return {
      workspace_dir: root,
      run_dir: path.join(root, '.mission-control/missions/m1/runs/1-a'),
      ...{ writable: [], home: [], network: false },
      ...asked,
      granted: (asked.granted ?? []).map((one) => path.join(root, one)),
      sealed: [...sealedAlways, ...(asked.sealed ?? [])],
    };
  }

  const means: Readonly<Record<string, (boundary: SandboxBoundary) => Promise<Outcome<SandboxLine>>>> = {
    bubblewrap: async (boundary) =>
      bubblewrapLine(
        await look(boundary, {
          bwrap: '/bwrap',
          environment: {},
          home: path.join(bed, 'home'),
          user: { uid: 1000, gid: 1000 },
          layering: { means: null, why: 'none' },
        }),
      ),
    seatbelt: async (boundary) =>
      seatbeltLine(
        await lookForSeatbelt(boundary, { program: '/sandbox-exec', environment: {}, home: path.join(bed, 'home') }),
      ),
  };

  for (const [name, line] of Object.entries(means)) {
    describe(name, () => {
      for (const one of cases) {
        it(one.name, async () => {
          const boundary = boundaryOf(one);
          const answer = await line(boundary);
          assert.ok(answer.ok, JSON.stringify(answer));
          const reader = readLine(answer.value);
          const told = (places: readonly string[] = [], what: 'writable' | 'fixed'): readonly string[] =>
            places.filter((at) => reader[what](path.posix.resolve(boundary.workspace_dir, at)));
          assert.deepEqual(told(one.open, 'writable'), one.open ?? []);
          assert.deepEqual(told(one.closed, 'writable'), []);
          assert.deepEqual(told(one.fixed, 'fixed'), one.fixed ?? []);
          assert.deepEqual([...answer.value.heldLinks].sort(), one.held ?? []);
          const { reach } = answer.value;
          assert.equal(reach === undefined, /hard links/.test(String(one.unheld)));
          if (reach) {
            const here = (places: readonly string[] = []): readonly string[] =>
              places
                .filter((at) => at !== '..' && !at.includes('/work/'))
                .map((at) => (at.startsWith('../') ? path.posix.resolve(boundary.workspace_dir, at) : at));
            const reached = (places?: readonly string[]) => here(places).filter((path) => couldWrite(path, reach));
            assert.deepEqual(reached(one.open), here(one.open));
            // A held place may be gone when the launch starts, and what lies around a writable place counts as one.
            const held = one.held ?? [];
            const around = (at: string): boolean =>
              [...reach.writable, ...held].some((w) => `${w}/`.startsWith(`${at}/`) || w === at || at === '.');
            assert.deepEqual(
              reached(one.closed).filter((at) => !around(at)),
              [],
            );
          }
          assert.match(answer.value.coarser.join('\n'), one.coarser ?? /^/);
          if (one.unheld === undefined) assert.deepEqual(answer.value.unheld, []);
          else assert.match(answer.value.unheld.join('\n'), one.unheld);
        });
      }

      it('an approved folder that is a link opens nothing', async () => {
        const boundary = boundaryOf({ name: '', files: ['real/a'], asked: { writable: ['link', 'link/deep'] } });
        symlinkSync('real', path.join(boundary.workspace_dir, 'link'));
        const answer = await line(boundary);
        assert.ok(answer.ok);
        const reader = readLine(answer.value);
        assert.equal(reader.writable(path.join(boundary.workspace_dir, 'real/a')), false);
      });

      it('too many hard links that lead out are refused, with a path and what mends it', async () => {
        const linked = Object.fromEntries(many(301).map((name) => [name, `../outside/${name}`]));
        const answer = await line(boundaryOf({ name: '', linked, asked: { writable: ['many'] } }));
        assert.ok(!answer.ok);
        assert.equal(answer.refusal.code, 'HARD_LINKS_LEAD_OUT');
        assert.match(answer.refusal.reason, /^301 files .* such as many\/f\d+\. .*`cp -a FOLDER COPY`/);
      });

      it('more than its command line takes is refused', async () => {
        const files = Array.from({ length: 2_700 }, (_, n) => `out/${'n'.repeat(150)}${n}/.git/config`);
        const answer = await line(boundaryOf({ name: '', files, asked: { writable: ['out'] } }));
        assert.equal(answer.ok ? 'ok' : answer.refusal.code, 'CONFINEMENT_UNAVAILABLE');
      });
    });
  }
});
