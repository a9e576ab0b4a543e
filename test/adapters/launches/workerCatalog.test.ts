import assert from 'node:assert/strict';
import { appendFile, chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  createWorkerCatalog,
  type WorkerCatalogOptions,
  type WorkerSettings,
} from '../../../src/adapters/launches/workerCatalog';
import { agentNames } from '../../../src/contracts/vocabulary/workers';
import type { Surface } from '../../../src/base/text/optionNames';
import type { WorkerCatalog } from '../../../src/engine/ports/workers';
import { agentWorkers } from '../../../src/workers/registry';
import { parseVersion } from '../../../src/workers/versions';
import { machinePath } from '../../support/machine';
import { removeScratch, scratch } from '../scratch';

type KnownVersions = NonNullable<WorkerCatalogOptions['versions']>;

const plain: WorkerSettings = { path: null, extraArgs: [], envNames: [], model: null };

function catalog(
  PATH: string,
  settings: Partial<WorkerSettings> = {},
  environment: Record<string, string> = {},
  surface: Surface = 'terminal',
  versions?: KnownVersions,
): WorkerCatalog {
  return createWorkerCatalog({
    workers: agentWorkers,
    surface,
    ...(versions && { versions }),
    settings: () => ({ ...plain, ...settings }),
    environment: { PATH: `${PATH}:${process.env['PATH'] ?? ''}`, ...environment },
    parseVersion,
  });
}

async function cli(folder: string, name: string, script: string): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(folder, { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

describe('the catalogue of worker CLIs', function () {
  afterEach(removeScratch);

  it('takes no CLI from the workspace, neither from PATH nor by a setting nor behind a link', async () => {
    const folder = await scratch();
    const workspace = path.join(folder, 'work');
    const planted = await cli(path.join(workspace, 'node_modules/.bin'), 'codex', `echo planted > '${folder}/planted'`);
    const real = await cli(path.join(folder, 'bin'), 'codex', 'echo "codex-cli 0.169.0"');
    const link = path.join(folder, 'linked', 'codex');
    await mkdir(path.dirname(link));
    await symlink(planted, link);
    const workers = (PATH: string, file: string | null = null): WorkerCatalog =>
      createWorkerCatalog({
        workers: agentWorkers,
        settings: () => ({ ...plain, path: file }),
        environment: { PATH },
        workspaces: () => [workspace],
        parseVersion,
      });
    const first = await workers(`${path.dirname(planted)}:${path.dirname(real)}:${machinePath()}`).resolve('codex');
    assert.equal(first.ok && first.value.executable, real);
    for (const refused of [
      await workers(path.dirname(planted)).resolve('codex'),
      await workers(path.dirname(link)).resolve('codex'),
      await workers(machinePath(), planted).resolve('codex'),
    ]) {
      assert.ok(!refused.ok && refused.refusal.code === 'WORKER_MISSING');
      assert.match(refused.refusal.reason, /lies in the workspace/);
    }
    await assert.rejects(readFile(path.join(folder, 'planted')), 'it was started');
  });

  it('finds a CLI on PATH, asks it once for its version, and again when the file has changed', async () => {
    const folder = await scratch();
    const real = await cli(
      path.join(folder, 'lib'),
      'codex-real',
      `echo asked >> '${folder}/asked'; env >> '${folder}/env'; echo "codex-cli 0.169.0"`,
    );
    await mkdir(path.join(folder, 'bin'));
    await symlink(real, path.join(folder, 'bin', 'codex'));
    const workers = catalog(
      path.join(folder, 'bin'),
      { extraArgs: ['--x'], envNames: ['MINE'], model: 'm' },
      { OPENAI_API_KEY: 'k', UNRELATED: 'secret', CODEX_SANDBOX: '1' },
    );
    const expected = {
      executable: path.join(folder, 'bin', 'codex'),
      version: '0.169.0',
      extra_args: ['--x'],
      env_names: ['MINE'],
      default_model: 'm',
      hosts: [],
      provider: {
        ...{ hosts: ['api.openai.com:443', 'chatgpt.com:443'], from: 'default' },
        ...{ args: [], variables: [], alone: false, not_passed: [] },
      },
    };
    const [first, second] = await Promise.all([workers.resolve('codex'), workers.resolve('codex')]);
    assert.deepEqual(
      [first, second],
      [
        { ok: true, value: expected },
        { ok: true, value: expected },
      ],
    );
    assert.equal(await readFile(path.join(folder, 'asked'), 'utf8'), 'asked\n');
    const seen = await readFile(path.join(folder, 'env'), 'utf8');
    assert.match(seen, /^OPENAI_API_KEY=k$/m);
    assert.doesNotMatch(seen, /UNRELATED|CODEX_SANDBOX/);
    await appendFile(real, 'echo more\n');
    await workers.resolve('codex');
    assert.equal(await readFile(path.join(folder, 'asked'), 'utf8'), 'asked\nasked\n');
  });

  it('asks for the version with what every start of that CLI has, and the others without', async () => {
    const folder = await scratch();
    for (const name of agentNames) await cli(folder, name, `env > '${folder}/env-${name}'; echo 1.0.0`);
    const workers = catalog(folder, {}, { GEMINI_CLI_NO_RELAUNCH: 'of the session around' });
    const told: string[] = [];
    for (const name of agentNames) {
      assert.ok((await workers.resolve(name)).ok);
      const seen = await readFile(path.join(folder, `env-${name}`), 'utf8');
      told.push(...seen.split('\n').filter((line) => line.includes('RELAUNCH')));
    }
    assert.deepEqual(told, ['GEMINI_CLI_NO_RELAUNCH=true']);
  });

  it('asks no CLI for its version to say that it is here', async () => {
    const folder = await scratch();
    await cli(folder, 'codex', `echo asked >> '${folder}/asked'; echo "codex-cli 0.169.0"`);
    const workers = catalog(folder, {}, { PATH: folder });
    assert.deepEqual([await workers.isHere('codex'), await workers.isHere('claude')], [true, false]);
    await assert.rejects(readFile(path.join(folder, 'asked')), 'it was asked');
  });

  it('asks once where two catalogues share the answers', async () => {
    const folder = await scratch();
    await cli(folder, 'codex', `echo asked >> '${folder}/asked'; echo "codex-cli 0.169.0"`);
    const versions: KnownVersions = new Map();
    for (const workers of [catalog(folder, {}, {}, 'editor', versions), catalog(folder, {}, {}, 'editor', versions)]) {
      const found = await workers.resolve('codex');
      assert.equal(found.ok && found.value.version, '0.169.0');
    }
    assert.equal(await readFile(path.join(folder, 'asked'), 'utf8'), 'asked\n');
  });

  it('asks a silent CLI for its version again for a person who looks, but not for a launch', async () => {
    const folder = await scratch();
    const busy = path.join(folder, 'busy');
    await writeFile(busy, '');
    await cli(folder, 'codex', `[ -e '${busy}' ] && exec sleep 600; echo "codex-cli 0.169.0"`);
    const versions: KnownVersions = new Map();
    const impatient = createWorkerCatalog({
      ...{ workers: agentWorkers, settings: () => plain, parseVersion, versions, versionLimit: 200 },
      environment: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    });
    const patient = catalog(folder, {}, {}, 'editor', versions);
    const version = async (found: ReturnType<WorkerCatalog['resolve']>): Promise<unknown> => {
      const outcome = await found;
      return outcome.ok && outcome.value.version;
    };
    assert.equal(await version(impatient.resolve('codex')), null);
    await rm(busy);
    assert.equal(await version(patient.resolve('codex')), null);
    assert.equal(await version(patient.resolve('codex', 'again')), '0.169.0');
    assert.equal(await version(patient.resolve('codex')), '0.169.0');
  });

  it('prefers the configured path', async () => {
    const folder = await scratch();
    const mine = await cli(folder, 'my-claude', 'echo "2.1.328 (Claude Code)"');
    const found = await catalog('/nowhere', { path: mine }).resolve('claude');
    assert.deepEqual(found.ok && [found.value.executable, found.value.version], [mine, '2.1.328']);
  });

  it('uses a CLI that prints no version, fails or writes without end, and leaves the version out', async () => {
    const folder = await scratch();
    for (const script of ['exit 3', 'echo hello', 'yes']) {
      await cli(folder, 'gemini', script);
      const found = await catalog(folder).resolve('gemini');
      assert.deepEqual(found.ok && found.value.version, null, script);
    }
  });

  it('refuses a CLI that it cannot use, with the step that helps', async () => {
    const folder = await scratch();
    const attempts: readonly [Partial<WorkerSettings>, RegExp][] = [
      [{ path: path.join(folder, 'missing') }, /not there or not executable/],
      [{ path: 'relative/claude' }, /not absolute/],
    ];
    for (const [settings, reason] of attempts) {
      for (const [surface, words] of [
        ['terminal', /--cli claude=/],
        ['editor', /the setting missionControl\.claude\.path/],
      ] as const) {
        const found = await catalog(folder, settings, {}, surface).resolve('claude');
        assert.ok(!found.ok);
        assert.equal(found.refusal.code, 'WORKER_MISSING');
        assert.match(found.refusal.reason, reason);
        assert.match(found.refusal.next[0] ?? '', words);
      }
    }
    const unknown = await catalog(folder).resolve('nobody');
    assert.ok(!unknown.ok && unknown.refusal.code === 'WORKER_MISSING');
    const absent = await createWorkerCatalog({
      workers: agentWorkers,
      settings: () => plain,
      environment: { PATH: folder },
      parseVersion,
    }).resolve('claude');
    assert.ok(!absent.ok && /not on PATH/.test(absent.refusal.reason) && /Install/.test(absent.refusal.next[0] ?? ''));
  });

  it('names the hosts that a person configured, and that of a base URL that the CLI gets, in one form', async () => {
    const folder = await scratch();
    await cli(folder, 'claude', 'echo 2.1.328');
    const urls = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4010/x', GOOGLE_GEMINI_BASE_URL: 'https://not.for.claude' };
    const found = await catalog(folder, { hosts: ['Gateway.Example.com', '[::1]:80'] }, urls).resolve('claude');
    assert.ok(found.ok);
    assert.deepEqual(found.value.hosts, ['gateway.example.com:443', '[::1]:80', '127.0.0.1:4010']);
    for (const surface of ['terminal', 'editor'] as const) {
      const wrong = await catalog(folder, { hosts: ['https://a.example/'] }, {}, surface).resolve('claude');
      assert.ok(!wrong.ok && wrong.refusal.code === 'NON_COMPLIANT');
      assert.match(
        wrong.refusal.next[0] ?? '',
        surface === 'editor' ? /missionControl\.claude\.hosts/ : /--cli-host claude=/,
      );
    }
  });

  it('resolves the worker `command` to no CLI of its own', async () => {
    const found = await catalog('/nowhere').resolve('command');
    assert.deepEqual(found, {
      ok: true,
      value: { executable: '', version: null, extra_args: [], env_names: [], default_model: null },
    });
  });
});
