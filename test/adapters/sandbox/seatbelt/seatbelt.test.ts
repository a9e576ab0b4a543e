import assert from 'node:assert/strict';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { createSandboxes } from '../../../../src/adapters/sandbox/sandboxes';
import { agentWorkers } from '../../../../src/workers/registry';
import type { SandboxBoundary, SandboxLine, Sandboxes } from '../../../../src/engine/ports/sandbox';
import { allows, rulesOf } from '../readLine';

/** Does what sandbox-exec would do with the small sandbox: the first file is written and the second is not. */
const holding = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\necho x > "$6"\n';
const letting = '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n';
const failing = '#!/bin/sh\necho "sandbox-exec: sandbox_apply: Operation not permitted" >&2\nexit 71\n';

describe('Seatbelt, where it cannot be tried', () => {
  let bed = '';
  beforeEach(() => {
    const parent = path.resolve('.artifacts/sandbox');
    mkdirSync(parent, { recursive: true });
    bed = realpathSync(mkdtempSync(path.join(parent, 'seatbelt-')));
    for (const name of ['ws', 'home']) mkdirSync(path.join(bed, name));
  });
  afterEach(() => rmSync(bed, { recursive: true, force: true }));

  function sandboxes(program: string): Sandboxes {
    const seatbelt = path.join(bed, 'sandbox-exec');
    writeFileSync(seatbelt, program);
    chmodSync(seatbelt, 0o755);
    const environment = { SSH_AUTH_SOCK: '/x', VSCODE_IPC: '/y', HOME: path.join(bed, 'home') };
    return createSandboxes({
      environment,
      home: path.join(bed, 'home'),
      platform: 'darwin',
      seatbelt,
      caches: () => path.join(bed, 'state'),
    });
  }

  async function line(asked: Partial<SandboxBoundary> = {}): Promise<SandboxLine> {
    const answer = await sandboxes(holding).line({
      workspace_dir: path.join(bed, 'ws'),
      run_dir: path.join(bed, 'ws/.mission-control/missions/m/runs/1-a'),
      ...{ writable: ['out'], sealed: ['.git'], granted: [], home: [], network: false },
      ...asked,
    });
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value;
  }

  it('is used where a small sandbox held', async () => {
    const standing = await sandboxes(holding).standing();
    assert.equal(standing.kind, 'available');
    assert.equal((await line()).means, 'seatbelt');
  });

  for (const [what, program, reason] of [
    ['that lets everything through', letting, /let a file be written that it must not let/],
    [
      'that does not start',
      failing,
      /^Seatbelt cannot build a sandbox here: sandbox-exec: sandbox_apply: Operation not/,
    ],
  ] as const) {
    it(`is not used ${what}`, async () => {
      const standing = await sandboxes(program).standing();
      assert.ok(standing.kind === 'unavailable');
      assert.match(standing.reason, reason);
      assert.match(standing.next, /^Try it by hand: `/);
    });
  }

  it('is not used where its program is not there', async () => {
    const none = createSandboxes({ environment: {}, platform: 'darwin', seatbelt: path.join(bed, 'none') });
    const standing = await none.standing();
    assert.ok(standing.kind === 'unavailable');
    assert.match(standing.reason, /^There is no .*none, so no sandbox can be built\.$/);
  });

  it('gets each path as a parameter, and the worker nothing that leads to other programs', async () => {
    mkdirSync(path.join(bed, 'ws/out'));
    const { argv } = await line();
    assert.equal(argv[0], '/usr/bin/env');
    assert.deepEqual(argv.slice(1, 3), ['-u', 'SSH_AUTH_SOCK']);
    assert.ok(argv.includes('VSCODE_IPC'));
    assert.ok(argv.includes(`TMPDIR=${bed}/ws/.mission-control/missions/m/runs/1-a/work/tmp`));
    assert.equal(argv.at(-1), '--');
    const parameters = argv.filter((word) => word.startsWith('-D'));
    assert.ok(parameters.includes(`-DP0=${bed}/ws/out`), parameters.join('\n'));
    const text = argv[argv.indexOf('-p') + 1] ?? '';
    assert.doesNotMatch(text.replace(/#"[^"]*"/g, ''), new RegExp(bed));
  });

  it('leads tools of a command to private caches, which it may write, and no agent', async () => {
    const { argv } = await line({ caches: { env_names: [], shared: { name: 'only' } } });
    const cache = argv.find((word) => word.startsWith('GOCACHE='))?.slice('GOCACHE='.length) ?? '';
    assert.ok(cache.startsWith(`${bed}/state/`), argv.join('\n'));
    assert.ok(allows(rulesOf(argv), 'file-write-create', path.join(cache, '00/a')));
    assert.ok(!(await line()).argv.some((word) => word.startsWith('GOCACHE=')));
  });

  it('leads pnpm to a private store in a project of pnpm alone, because it may not link into HOME', async () => {
    const stores = async (): Promise<readonly string[]> =>
      (await line({ caches: { env_names: [], shared: { name: 'only' } } })).argv.filter((word) =>
        /^p?npm_config_store_dir=/.test(word),
      );
    assert.deepEqual(await stores(), []);
    writeFileSync(path.join(bed, 'ws/pnpm-lock.yaml'), '');
    const [store = ''] = (await stores()).map((word) => word.slice(word.indexOf('=') + 1));
    assert.ok(store.startsWith(`${bed}/state/`), store);
    assert.deepEqual(await stores(), [`pnpm_config_store_dir=${store}`, `npm_config_store_dir=${store}`]);
    const { argv } = await line({ caches: { env_names: [], shared: { name: 'only' } } });
    assert.ok(allows(rulesOf(argv), 'file-write-create', `${store}/v10/files/00/a`));
    assert.ok(!allows(rulesOf(argv), 'file-write-create', path.join(bed, 'home/Library/pnpm/store/v10/a')));
  });

  it('names its places with the deeper ones later, the reserved names after them and the own folder last', async () => {
    mkdirSync(path.join(bed, 'ws/out/deep/sealed'), { recursive: true });
    const { argv } = await line({ sealed: ['.git', 'out/deep/sealed'] });
    const text = argv[argv.indexOf('-p') + 1] ?? '';
    const at = (name: string): string => argv.find((word) => word.startsWith(`-D${name}=`))?.split('=')[1] ?? name;
    const order = text
      .split('\n')
      .map((rule) => /^\((allow|deny) file-write\* file-link .*?(?:\(param "(\w+)"\)|(regex))/.exec(rule))
      .flatMap((found) =>
        found === null ? [] : [`${found[1]} ${found[3] ?? path.relative(bed, at(found[2] ?? ''))}`],
      );
    assert.deepEqual(
      order.filter((one, index) => one !== order[index - 1]),
      [
        'allow ws/out',
        'deny ws/.mission-control/.gitignore',
        'allow ws/out/deep',
        'deny ws/out/deep/sealed',
        'deny ws/.mission-control/missions/m/runs/1-a',
        'deny regex',
        'allow ws/.mission-control/missions/m/runs/1-a/work',
      ],
    );
  });

  it('seals by name what is not there yet, in every spelling, but no neighbour', async () => {
    mkdirSync(path.join(bed, 'ws/out/a b'), { recursive: true });
    const rules = rulesOf((await line({ writable: ['.'], sealed: ['.git', 'docs/plans', 'out/a b/not "yet"'] })).argv);
    const writes = (name: string): boolean => allows(rules, 'file-write-create', path.join(bed, 'ws', name));
    for (const name of [
      '.git',
      '.GIT/x',
      'out/sub/.Git/config',
      'Docs/Plans/p',
      'out/a b/not "yet"',
      'out/.mission-control/x',
    ])
      assert.equal(writes(name), false, name);
    for (const name of ['.github', 'out/x.git', 'docs/planso', 'out/a b/other']) assert.equal(writes(name), true, name);
  });

  it('a workspace within a repository of another is still open', async () => {
    const inner = path.join(bed, 'x/.git/modules/ws');
    mkdirSync(path.join(inner, 'out'), { recursive: true });
    const rules = rulesOf((await line({ workspace_dir: inner, run_dir: path.join(inner, '.mission-control/r') })).argv);
    assert.ok(allows(rules, 'file-write-create', path.join(inner, 'out/new')));
    assert.ok(allows(rules, 'file-write-create', path.join(inner, '.mission-control/r/work/x')));
    assert.ok(!allows(rules, 'file-write-create', path.join(inner, 'out/.git/x')));
  });

  it('keeps the folders around a held hard link where they are, because rules know a path only', async () => {
    mkdirSync(path.join(bed, 'ws/out/deep/er'), { recursive: true });
    writeFileSync(path.join(bed, 'other'), '');
    linkSync(path.join(bed, 'other'), path.join(bed, 'ws/out/deep/er/linked'));
    const { argv, heldLinks: held } = await line();
    assert.deepEqual(held, ['out/deep/er/linked']);
    const rules = rulesOf(argv);
    const at = (name: string): string => path.join(bed, 'ws/out', name);
    for (const operation of ['file-write-data', 'file-write-mode', 'file-write-unlink', 'file-link'])
      assert.ok(!allows(rules, operation, at('deep/er/linked')), operation);
    for (const folder of ['', 'deep', 'deep/er']) assert.ok(!allows(rules, 'file-write-unlink', at(folder)), folder);
    assert.ok(
      allows(rules, 'file-write-create', at('deep/er/new')) && allows(rules, 'file-write-unlink', at('deep/x')),
    );
  });

  it('holds hard links of what is read-only, and sockets elsewhere', async () => {
    mkdirSync(path.join(bed, 'ws/out'));
    for (const network of [false, true]) {
      const rules = rulesOf((await line({ network })).argv);
      assert.ok(!allows(rules, 'file-link', path.join(bed, 'ws/src/a')));
      assert.ok(allows(rules, 'file-link', path.join(bed, 'ws/out/a')));
      for (const socket of ['/var/run/docker.sock', '/private/tmp/agent', path.join(bed, 'ws/out/s')])
        assert.ok(!allows(rules, 'network-outbound', socket), socket);
      const own = path.join(bed, 'ws/.mission-control/missions/m/runs/1-a/work/tmp/s');
      assert.ok(allows(rules, 'network-outbound', own) && allows(rules, 'network-bind', own));
      assert.equal(allows(rules, 'network-outbound', '/private/var/run/mDNSResponder'), network);
      for (const device of ['/dev/null', '/dev/stderr', '/dev/fd/3'])
        assert.ok(allows(rules, 'file-write-data', device), device);
      for (const device of ['/dev/disk0', '/dev/ttys001', '/dev/fd/3/x'])
        assert.ok(!allows(rules, 'file-write-data', device), device);
    }
    const opened = (text: string): boolean => /\(remote tcp\)/.test(text);
    assert.equal(opened((await line({ network: false })).argv.join('\n')), false);
    assert.equal(opened((await line({ network: true })).argv.join('\n')), true);
  });

  it('a CLI that writes more than it keeps gets a private folder by its variable', async () => {
    const home = path.join(bed, 'home');
    for (const folder of ['.gemini/tmp', '.gemini/history', '.config/opencode', '.config/git', '.claude'])
      mkdirSync(path.join(home, folder), { recursive: true });
    writeFileSync(path.join(home, '.gemini/settings.json'), 'mine');
    writeFileSync(path.join(home, '.gemini/projects.json'), '{}');
    const run = path.join(bed, 'ws/.mission-control/missions/m/runs/1-a');
    const gemini = await line({ home: agentWorkers.gemini.home });
    const own = path.join(run, 'work/home/0');
    assert.ok(gemini.argv.includes(`GEMINI_CLI_HOME=${own}`));
    assert.equal(readlinkSync(path.join(own, '.gemini/settings.json')), path.join(home, '.gemini/settings.json'));
    assert.equal(readFileSync(path.join(own, '.gemini/projects.json'), 'utf8'), '{}');
    assert.ok(!lstatSync(path.join(own, '.gemini/projects.json')).isSymbolicLink());
    assert.throws(() => lstatSync(path.join(own, '.gemini/history')));
    const rules = rulesOf(gemini.argv);
    assert.ok(allows(rules, 'file-write-create', path.join(home, '.gemini/tmp/x')));
    assert.ok(!allows(rules, 'file-write-data', path.join(home, '.gemini/settings.json')));
    assert.ok(!allows(rules, 'file-write-create', path.join(home, '.gemini/new')));

    const opencode = await line({ home: agentWorkers.opencode.home });
    assert.ok(opencode.argv.includes(`XDG_CONFIG_HOME=${path.join(run, 'work/home/3')}`));
    assert.equal(readlinkSync(path.join(run, 'work/home/3/git')), path.join(home, '.config/git'));
    assert.ok(lstatSync(path.join(run, 'work/home/3/opencode')).isDirectory());

    // By its folder it knows its sign-in in the keychain.
    const claude = await line({ home: agentWorkers.claude.home });
    assert.ok(!claude.argv.some((word) => word.startsWith('CLAUDE_CONFIG_DIR')));
    assert.ok(allows(rulesOf(claude.argv), 'file-write-create', path.join(home, '.claude/projects/x')));
  });
});
