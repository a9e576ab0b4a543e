import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readHandoffFile } from '../../../src/adapters/handoff/files';
import { readSmallFile } from '../../../src/adapters/inbox/files';
import { readRunFile } from '../../../src/adapters/launches/files';
import { readOnce } from '../../../src/adapters/files/opened';
import { readWorkspaceFile } from '../../../src/adapters/files/place';
import { skipWithReason } from '../../support/skip';

const good = '{"content":"good"}';
const limit = 1024 * 1024;

/** Every way in which a file is read that another process can write: what came out, or why nothing did. */
const readers: Readonly<Record<string, (root: string, name: string) => Promise<string | { readonly why: string }>>> = {
  readOnce: async (root, name) => {
    const read = await readOnce(path.join(root, name), limit);
    return read.kind === 'file' ? read.bytes.toString() : { why: read.kind };
  },
  'a file of the workspace': async (root, name) => {
    const read = await readWorkspaceFile(root, name, limit);
    return read.kind === 'file' ? read.bytes.toString() : { why: read.kind };
  },
  'a file of a run directory': async (root, name) => {
    const anything = { safeParse: (data: unknown) => ({ success: true, data }) as const };
    const read = await readRunFile(root, name, anything);
    return read.kind === 'ok' ? JSON.stringify(read.value) : { why: read.kind };
  },
  'a command of the inbox': async (root, name) => {
    const read = await readSmallFile(path.join(root, name), limit);
    return typeof read === 'string' ? { why: read } : read.content;
  },
  'a file of a handoff': async (root, name) => {
    const read = await readHandoffFile(path.dirname(path.join(root, name)), path.basename(name));
    if (!read.ok) return { why: read.refusal.reason };
    return read.value === null ? { why: 'absent' } : Buffer.from(read.value.bytes).toString();
  },
};

describe('a file that is swapped while it is read', function () {
  let scratch = '';
  let swapper: ChildProcess | null = null;

  before(function () {
    if (process.platform === 'win32') skipWithReason(this, 'Windows has no pipes among files, and links need rights');
  });
  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-swap-')));
    for (const folder of ['work', 'work/sub', 'secret', 'forms']) mkdirSync(path.join(scratch, folder));
    writeFileSync(path.join(scratch, 'secret/target'), '{"content":"secret"}', { mode: 0o600 });
  });
  afterEach(async () => {
    if (swapper) {
      const ended = once(swapper, 'exit');
      swapper.kill('SIGKILL');
      await ended;
      swapper = null;
    }
    rmSync(scratch, { recursive: true, force: true });
  });

  for (const [name, read] of Object.entries(readers)) {
    it(`${name}: no link is followed, no pipe waited for, nothing huge read`, async () => {
      const forms = path.join(scratch, 'forms');
      writeFileSync(path.join(forms, 'good'), good, { mode: 0o600 });
      symlinkSync(path.join(scratch, 'secret/target'), path.join(forms, 'link'));
      execFileSync('mkfifo', [path.join(forms, 'pipe')]);
      mkdirSync(path.join(forms, 'folder'));
      writeFileSync(path.join(forms, 'huge'), '', { mode: 0o600 });
      truncateSync(path.join(forms, 'huge'), 256 * 1024 * 1024);
      await swap(path.join(scratch, 'work/target'), forms, ['good', 'link', 'pipe', 'folder', 'huge']);
      await attack(() => read(path.join(scratch, 'work'), 'target'));
    });
  }

  it('a file of the workspace: neither is a folder above it that is swapped for a link', async () => {
    const forms = path.join(scratch, 'forms');
    mkdirSync(path.join(forms, 'good'));
    writeFileSync(path.join(forms, 'good/target'), good);
    symlinkSync(path.join(scratch, 'secret'), path.join(forms, 'link'));
    rmSync(path.join(scratch, 'work/sub'), { recursive: true });
    await swap(path.join(scratch, 'work/sub'), forms, ['good', 'link']);
    const read = readers['a file of the workspace']!;
    await attack(() => read(path.join(scratch, 'work'), 'sub/target'));
  });

  /** Until what is right and what is not were met so often that a gap between look and open would have shown. */
  async function attack(read: () => Promise<string | { readonly why: string }>): Promise<void> {
    let [right, refused] = [0, 0];
    while (right < 300 || refused < 300) {
      const found = await read();
      if (typeof found !== 'string') refused += 1;
      else if (found === good) right += 1;
      else assert.fail(`read what is not the file: ${found.slice(0, 100)}`);
    }
  }

  /** A process that puts one form after the other in the place, as fast as it can. */
  async function swap(place: string, forms: string, names: readonly string[]): Promise<void> {
    const program = `
      const fs = require('node:fs'); const path = require('node:path');
      const [place, forms, ...names] = process.argv.slice(1);
      for (let at = 0; ; at += 1) {
        const form = path.join(forms, names[at % names.length]);
        fs.renameSync(form, place);
        if (at === 0) process.stdout.write('go');
        for (let spin = 0; spin < (at * 7919) % 50000; spin += 1);
        fs.renameSync(place, form);
      }`;
    swapper = spawn(process.execPath, ['-e', program, place, forms, ...names], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(swapper.stdout!, 'data');
  }
});
