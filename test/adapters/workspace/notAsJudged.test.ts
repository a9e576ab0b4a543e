import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type { TreeLayer } from '../../../src/contracts/launch';
import { sha256Of } from '../../../src/adapters/files/bytes/sha256';
import { storedValue } from '../../../src/adapters/journal/redacted';
import type { Secrets } from '../../../src/adapters/system/redact';
import { createContents } from '../../../src/adapters/workspace/contents';
import { layeredChanges, notAsJudged } from '../../../src/adapters/workspace/manifest/layered';
import type { Manifest } from '../../../src/adapters/workspace/manifest/manifest';

describe('what waits in a layer and was judged', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'mission-judged-'));
    for (const name of ['up', 'at']) mkdirSync(path.join(folder, name));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const up = (name: string): string => path.join(folder, 'up', name);
  const passed: Secrets = [{ name: 'BUILD', value: 'token-0123456789' }];
  /** Returns what must not land after something happened to the layer. */
  async function after(happens: () => void, secrets: Secrets = []): Promise<readonly string[]> {
    writeFileSync(up('file'), 'w', { mode: 0o644 });
    rmSync(up('link'), { force: true });
    symlinkSync('to-token-0123456789', up('link'));
    const layer: TreeLayer = { at: path.join(folder, 'at'), up: path.join(folder, 'up'), seen_by: [], seen_at: '' };
    const baseline = { entries: new Map(), facts: { folder: new Map() } } as unknown as Manifest;
    const wanted = ['file', 'link'].map((name) => ({ name, was: { kind: 'nothing' } as const, from: up(name) }));
    const changes = storedValue(await layeredChanges({ layer, baseline, large_file_bytes: 1e6 }, wanted), secrets);
    happens();
    return notAsJudged({ layer, baseline, changes, large_file_bytes: 1e6 }, wanted);
  }

  it('lands where nothing happened to it', async () => {
    assert.deepEqual(await after(() => undefined), []);
    assert.deepEqual(await after(() => undefined, ['token-0123456789']), []);
    // The workspace does not know what a plan passes.
    assert.deepEqual(await after(() => undefined, passed), []);
  });

  it('opens nothing outside its layer to show it', async () => {
    const outside = path.join(folder, 'closed');
    writeFileSync(outside, 'x');
    chmodSync(outside, 0);
    const before = lstatSync(outside).ctimeMs;
    const layer: TreeLayer = { at: path.join(folder, 'at'), up: path.join(folder, 'up'), seen_by: [], seen_at: '' };
    const [shown] = await createContents(folder, { user_state: folder }).now([{ path: '../closed', layer }]);
    assert.deepEqual([shown?.kind, lstatSync(outside).ctimeMs], ['unknown', before]);
  });

  /** Shows a file that its worker closed, as a program in place of bubblewrap opens it. `reads`: what `dd` and `cat` do. */
  async function closed(reads: string): Promise<object | undefined> {
    const [file, programs] = [up('file'), path.join(folder, 'programs')];
    mkdirSync(programs);
    execFileSync('mkfifo', [file]);
    symlinkSync(execFileSync('which', ['find'], { encoding: 'utf8' }).trim(), path.join(programs, 'find'));
    for (const name of ['dd', 'cat'])
      writeFileSync(path.join(programs, name), `#!/bin/sh\nPATH='${process.env['PATH']}'\n${reads}\n`, { mode: 0o755 });
    const bubblewrap = path.join(folder, 'bubblewrap');
    const opens = `rm '${file}'; printf seen > '${file}'; PATH='${programs}'; exec "$@"`;
    writeFileSync(bubblewrap, `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift\n${opens}\n`, { mode: 0o755 });
    const layer: TreeLayer = { at: folder, up: path.join(folder, 'up'), seen_by: [bubblewrap], seen_at: '' };
    return (await createContents(folder, { user_state: folder }).now([{ path: 'file', layer }]))[0];
  }

  it('shows what its worker closed, and never as empty where nothing can read it', async () => {
    assert.deepEqual(await closed('exec "${0##*/}" "$@"'), { kind: 'text', text: 'seen', sha256: sha256Of('seen') });
    rmSync(path.join(folder, 'programs'), { recursive: true });
    rmSync(up('file'));
    assert.equal(((await closed('exit 1')) as { kind?: string }).kind, 'unknown');
  });

  it('waits for no fifo that its worker puts there meanwhile, and shows none as empty', async () => {
    const shown = await closed(`rm '${up('file')}'; mkfifo '${up('file')}'; exec "\${0##*/}" "$@"`);
    assert.equal((shown as { kind?: string }).kind, 'unknown');
  });

  it('is shown by no program of the workspace, also where a search path has relative folders, and few are opened', async () => {
    const [bubblewrap, calls] = [path.join(folder, 'bubblewrap'), path.join(folder, 'calls')];
    writeFileSync(bubblewrap, `#!/bin/sh\necho "$PATH" >> '${calls}'\n`, { mode: 0o755 });
    const layer: TreeLayer = { at: folder, up: path.join(folder, 'up'), seen_by: [bubblewrap], seen_at: '' };
    for (let file = 0; file < 30; file += 1) execFileSync('mkfifo', [up(`closed${file}`)]);
    const asked = Array.from({ length: 30 }, (_, file) => ({ path: `closed${file}`, layer }));
    const before = process.env['PATH'];
    process.env['PATH'] = `.:${path.join(folder, 'bin')}:${before}`;
    try {
      await createContents(folder, { user_state: folder }).now(asked);
    } finally {
      process.env['PATH'] = before;
    }
    const paths = readFileSync(calls, 'utf8').trim().split('\n');
    assert.deepEqual([paths.length, paths[0]], [20, before]);
  });

  it('has its lines counted where it lies', async () => {
    writeFileSync(up('file'), 'one\ntwo\n');
    const layer: TreeLayer = { at: path.join(folder, 'at'), up: path.join(folder, 'up'), seen_by: [], seen_at: '' };
    const after = { path: 'file', sha256: sha256Of('one\ntwo\n'), layer };
    const [lines] = await createContents(path.join(folder, 'at'), { user_state: folder }).lines('M', [
      { before: null, after },
    ]);
    assert.deepEqual(lines, { added: 2, removed: 0 });
  });

  it('does not land with another mode', async () => {
    assert.deepEqual(await after(() => chmodSync(up('file'), 0o755)), ['file']);
  });

  it('does not land as a link that leads elsewhere', async () => {
    const happens = (): void => {
      rmSync(up('link'));
      symlinkSync('elsewhere', up('link'));
    };
    assert.deepEqual(await after(happens), ['link']);
    assert.deepEqual(await after(happens, passed), ['link']);
  });
});
