import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildPrompt } from '../../src/workers/shared/prompt';
import { makePlace, searchPath } from './homes';
import type { AgentPlace } from './homes';
import { hostileWords, plantTraps, sprungTraps } from './hostileRepository';
import { startMockModel } from './mockModel';
import type { ModelRequest, ModelTurn } from './mockModel';
import { promptInput } from './prompts';
import { runAgent } from './runAgent';
import type { AgentRun, RunOptions } from './runAgent';
import { finishTurn, packetFor, shellTurn, writeFileTurn } from './turns';

type Line = AgentRun['line'];

const leavesNothing = 'export const Own = async () => ({});\n';

/** What confines the real OpenCode, which has no sandbox: each test asks it for something that it may not do. */
describe('what the real opencode may do', function () {
  this.timeout(300_000);

  /** The turns one after another, then the end; with what the model was asked. */
  const launch = async (
    place: AgentPlace,
    turns: readonly ModelTurn[],
    options: Partial<RunOptions> = {},
  ): Promise<AgentRun & { readonly requests: readonly ModelRequest[] }> => {
    const runDir = path.join(place.workspace, '.mission-control', 'run'); // where the product has it
    const model = await startMockModel({
      '': (request, index) => turns[index] ?? finishTurn('opencode', packetFor(request, [])),
    });
    try {
      const asked = { prompt: buildPrompt(promptInput()), modelUrl: model.url, ...options };
      return { ...(await runAgent('opencode', { ...place, runDir }, asked)), requests: model.requests };
    } finally {
      await model.stop();
    }
  };
  const deniedTools = (run: AgentRun): (string | null)[] => run.summary.denials.map(({ tool }) => tool);
  const words = (run: AgentRun): string => `${run.stdout}\n${run.stderr}`.slice(-6000);
  const read = (filePath: string): ModelTurn => ({ tool: 'read', arguments: { filePath } });
  const grep = (folder: string): ModelTurn => ({ tool: 'grep', arguments: { pattern: 'secret', path: folder } });
  const git = (place: AgentPlace, ...args: string[]): Promise<unknown> =>
    promisify(execFile)('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: place.workspace,
      env: { PATH: searchPath(), HOME: place.home },
    });

  it('stays in a workspace that lies below the root of a repository, and leaves nothing in its .git', async () => {
    const outer = await makePlace('opencode-below');
    const inner = path.join(outer.workspace, 'packages', 'one');
    const sibling = path.join(outer.workspace, 'sibling.txt');
    await mkdir(inner, { recursive: true });
    await writeFile(sibling, 'a secret of the sibling\n');
    await git(outer, 'add', '--all');
    await git(outer, 'commit', '--quiet', '--message', 'start');
    const run = await launch({ ...outer, workspace: inner }, [
      writeFileTurn('opencode', sibling, 'overwritten\n'),
      read(sibling),
      grep(outer.workspace),
      writeFileTurn('opencode', path.join(inner, 'mine.txt'), 'mine\n'),
    ]);
    assert.deepEqual(deniedTools(run), ['write', 'read', 'grep'], words(run));
    assert.equal(await readFile(sibling, 'utf8'), 'a secret of the sibling\n');
    assert.equal(
      run.requests.some(({ otherText: told }) => told.includes('secret of the sibling')),
      false,
    );
    assert.equal(await readFile(path.join(inner, 'mine.txt'), 'utf8'), 'mine\n');
    assert.equal(existsSync(path.join(outer.workspace, '.git', 'opencode')), false);
  });

  it('works the same in a linked worktree and in no repository', async () => {
    const linked = await makePlace('opencode-worktree');
    const worktree = path.join(linked.root, 'worktree');
    await git(linked, 'commit', '--quiet', '--allow-empty', '--message', 'start');
    await git(linked, 'worktree', 'add', '--quiet', worktree);
    const plain = await makePlace('opencode-nogit', os.tmpdir()); // every folder of this checkout is in a repository
    await rm(path.join(plain.workspace, '.git'), { recursive: true });
    const places: readonly (readonly [AgentPlace, Partial<RunOptions>])[] = [
      [{ ...linked, workspace: worktree }, {}],
      [plain, {}],
    ];
    for (const [place, options] of places) {
      const mine = path.join(place.workspace, 'mine.txt');
      const beside = path.join(place.root, 'beside.txt');
      const turns = [
        writeFileTurn('opencode', mine, 'mine\n'),
        writeFileTurn('opencode', beside, 'not mine\n'),
        writeFileTurn('opencode', `${place.workspace}/../beside.txt`, 'not mine\n'),
        read(mine),
      ];
      const run = await launch(place, turns, options);
      assert.deepEqual(deniedTools(run), ['write', 'write'], words(run));
      assert.equal(await readFile(mine, 'utf8'), 'mine\n');
      assert.equal(existsSync(beside), false);
      assert.ok(run.requests.at(-1)?.otherText.includes('mine'), 'it read its file');
    }
  });

  it('loads nothing and writes nothing on a machine without git', async () => {
    const place = await makePlace('opencode-no-program');
    await plantTraps(place);
    const mine = path.join(place.workspace, 'mine.txt');
    const run = await launch(place, [writeFileTurn('opencode', mine, 'mine\n')], {
      alter: (line: Line) => ({ ...line, env: { ...line.env, PATH: place.outside } }),
    });
    assert.deepEqual(await sprungTraps(place), []);
    assert.deepEqual(deniedTools(run), ['write'], words(run));
    assert.equal(existsSync(mine), false);
  });

  it('offers the same tools and denies the shell whatever a repository brings', async () => {
    const place = await makePlace('opencode-traps');
    const clean = await launch(await makePlace('opencode-clean-tools'), []);
    await plantTraps(place);
    const proof = path.join(place.workspace, 'shell.txt');
    const run = await launch(place, [
      shellTurn('opencode', `touch ${proof}`),
      { tool: 'trap', arguments: {} },
      read(path.join(place.workspace, 'deep', 'text.txt')),
      writeFileTurn('opencode', path.join('plugin', 'own.js'), leavesNothing),
    ]);
    assert.deepEqual(await sprungTraps(place), []);
    assert.equal(existsSync(proof), false, words(run));
    assert.deepEqual(deniedTools(run), ['bash', 'write'], words(run));
    assert.ok((clean.requests[0]?.tools.length ?? 0) > 0);
    assert.deepEqual(run.requests[0]?.tools, clean.requests[0]?.tools);
    for (const { otherText: told, prompt } of run.requests) {
      const at = (told + prompt).indexOf(hostileWords);
      assert.equal(at, -1, (told + prompt).slice(Math.max(0, at - 600), at + 100));
    }
  });

  it('would load plugins of the folder that it is started in, whatever its settings say', async () => {
    const place = await makePlace('opencode-started-in');
    await plantTraps(place);
    await launch(place, [], {
      alter: (line: Line) => {
        const [program, ...others] = line.argv;
        return { ...line, argv: [program, ...others.with(others.indexOf('--dir') + 1, place.workspace)] };
      },
    });
    assert.deepEqual(await sprungTraps(place), ['opencode-plugin', 'opencode-plugins']);
  });

  it('starts nothing of a repository that variables of the person point to', async () => {
    const place = await makePlace('opencode-variables');
    await plantTraps(place);
    const pointed = {
      OPENCODE_CONFIG: path.join(place.workspace, 'opencode.json'),
      OPENCODE_CONFIG_DIR: path.join(place.workspace, '.opencode'),
      OPENCODE_PERMISSION: '{"*":"allow"}',
    };
    await launch(place, [], { alter: (line: Line) => ({ ...line, env: { ...pointed, ...line.env } }) });
    assert.deepEqual(await sprungTraps(place), []);
    await launch(place, [], { alter: (line: Line) => ({ ...line, env: { ...line.env, ...pointed } }) });
    assert.notDeepEqual(await sprungTraps(place), [], 'the traps are live');
  });

  it('reads no file with secrets and nothing that other sessions left', async () => {
    const place = await makePlace('opencode-secrets');
    const left = path.join(place.home, '.local', 'share', 'opencode', 'tool-output');
    await mkdir(left, { recursive: true });
    await writeFile(path.join(left, 'tool_1'), 'a secret of another session\n');
    await writeFile(path.join(place.workspace, '.env'), 'KEY=secret of the workspace\n');
    const turns = [read(path.join(place.workspace, '.env')), read(path.join(left, 'tool_1')), grep(left)];
    const run = await launch(place, turns);
    assert.deepEqual(deniedTools(run), ['read', 'read', 'grep'], words(run));
    assert.equal(
      run.requests.some(({ otherText: told }) => told.includes('secret of')),
      false,
    );

    const elsewhere = path.join(place.root, 'data');
    const moved = path.join(elsewhere, 'opencode', 'tool-output');
    await mkdir(moved, { recursive: true });
    await writeFile(path.join(moved, 'tool_1'), 'a secret of another session\n');
    const again = await launch(place, [read(path.join(moved, 'tool_1')), grep(moved)], {
      alter: (line: Line) => ({ ...line, env: { ...line.env, XDG_DATA_HOME: elsewhere } }),
    });
    assert.deepEqual(deniedTools(again), ['read', 'grep'], words(again));
  });

  it('has no shell without the agent that its settings name, and fails when it says so', async () => {
    const place = await makePlace('opencode-fallback');
    const proof = path.join(place.workspace, 'shell.txt');
    const as = (args: readonly string[]): Partial<RunOptions> => ({
      alter: (line: Line) => {
        const at = line.argv.indexOf('--agent');
        const [program, ...others] = line.argv;
        return { ...line, argv: [program, ...others.slice(0, at - 1), ...args, ...others.slice(at + 1)] };
      },
    });
    for (const args of [['--no-agent'], ['--agent.x=y'], ['--agent', 'build'], ['--agent', 'nobody'], []]) {
      const run = await launch(place, [shellTurn('opencode', `touch ${proof}`)], as(args));
      assert.equal(existsSync(proof), false, `${args.join(' ')}: ${words(run)}`);
      if (args.length === 2) assert.equal(run.summary.finalOk, false, `${args.join(' ')}: ${words(run)}`);
    }
  });

  it('reports every file that a model changes with a patch', async () => {
    const place = await makePlace('opencode-patch');
    const files = ['one.txt', 'two.txt'].map((name) => path.join(place.workspace, name));
    const patchText = `*** Begin Patch\n*** Add File: ${files[0]}\n+1\n*** Add File: ${files[1]}\n+2\n*** End Patch`;
    const run = await launch(place, [{ tool: 'apply_patch', arguments: { patchText } }], {
      request: { model: 'mock/gpt-5' },
    });
    assert.ok(run.requests[0]?.tools.includes('apply_patch'), words(run));
    assert.deepEqual(
      run.signals.flatMap((signal) => (signal.kind === 'file_change' ? [[signal.path, signal.change]] : [])),
      files.map((file) => [file, 'add']),
    );
    assert.equal(await readFile(path.join(place.workspace, 'two.txt'), 'utf8'), '2\n');
  });

  it('asks only its model', async () => {
    const asked: string[] = [];
    const proxy = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(502).end();
    });
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.on('error', () => undefined); // it hangs up when it is refused
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const through = (without: readonly string[]): Partial<RunOptions> => ({
      alter: (line: Line) => {
        const env = Object.entries(line.env).filter(([name]) => !without.includes(name));
        const proxies = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: '127.0.0.1' };
        return { ...line, env: { ...Object.fromEntries(env), ...proxies } };
      },
    });
    try {
      const run = await launch(await makePlace('opencode-network'), [], through([]));
      assert.ok(run.summary.finalOk, words(run));
      assert.deepEqual(asked, []);
      await launch(await makePlace('opencode-network-control'), [], through(['OPENCODE_DISABLE_MODELS_FETCH']));
      assert.notDeepEqual(asked, [], 'without it, it asks');
    } finally {
      proxy.close();
      proxy.closeAllConnections();
    }
  });
});
