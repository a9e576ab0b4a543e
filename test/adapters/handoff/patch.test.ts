import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  existsSync,
  readlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHandoffFiles } from '../../../src/adapters/handoff/files';
import { inAnyClone } from '../../../src/base/fileState';
import { codeOf } from '../../support/refused';

/** Changes of a workspace as a patch, and back into another one. */
describe('handoff patch', () => {
  let scratch: string;
  let top: string;
  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'mission-patch-'));
    top = path.join(scratch, 'top');
    mkdirSync(path.join(top, 'ws/src'), { recursive: true });
    git('init', '-q', '-b', 'main');
    write('ws/src/changed.txt', 'one\r\ntwo\r\n');
    write('ws/src/gone.txt', 'gone\n');
    write('ws/src/same.txt', 'same\n');
    write('ws/src/tool.sh', '#!/bin/sh\n');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
  });
  afterEach(() => rmSync(scratch, { recursive: true, force: true }));

  const write = (name: string, content: string | Buffer): void => writeFileSync(path.join(top, name), content);
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: top,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', HOME: scratch, GIT_CONFIG_NOSYSTEM: '1' },
    });
  const head = (): string => git('rev-parse', 'HEAD').trim();
  const names = ['changed.txt', 'gone.txt', 'same.txt', 'tool.sh', 'ü n.bin', 'link'].map((name) => `src/${name}`);

  it('holds text with its line ends, binaries, deletions, modes and links, and applies elsewhere', async () => {
    const before = path.join(scratch, 'before');
    cpSync(top, before, { recursive: true });
    write('ws/src/changed.txt', 'one\r\n2\r\n');
    rmSync(path.join(top, 'ws/src/gone.txt'));
    chmodSync(path.join(top, 'ws/src/tool.sh'), 0o755);
    write('ws/src/ü n.bin', Buffer.from([0, 1, 2, 255, 254]));
    symlinkSync('same.txt', path.join(top, 'ws/src/link'));
    const files = createHandoffFiles(path.join(top, 'ws'));
    const patch = await files.patch({ base_commit: head(), paths: names, max_bytes: 1_000_000 });
    assert.ok(patch.bytes);
    assert.deepEqual([patch.omitted, patch.covered], [[], names]);
    const elsewhere = createHandoffFiles(path.join(before, 'ws'));
    const untouched = await elsewhere.digests(names);
    const tried = await elsewhere.tryPatch(patch.bytes);
    assert.ok(tried.ok, JSON.stringify(tried));
    const found = await files.found(names.filter((name) => name !== 'src/same.txt'));
    const inClones = new Map([...found].map(([name, left]) => [name, inAnyClone(left)]));
    assert.deepEqual(new Map(tried.value.map(({ path: name, left }) => [name, left])), inClones);
    assert.deepEqual(await elsewhere.digests(names), untouched);
    const applied = await elsewhere.apply(patch.bytes);
    assert.ok(applied.ok, JSON.stringify(applied));
    const at = (name: string): string => path.join(before, 'ws/src', name);
    assert.equal(readFileSync(at('changed.txt'), 'utf8'), 'one\r\n2\r\n');
    assert.equal(existsSync(at('gone.txt')), false);
    assert.deepEqual([...readFileSync(at('ü n.bin'))], [0, 1, 2, 255, 254]);
    assert.equal(readlinkSync(at('link')), 'same.txt');
    assert.equal(statSync(at('tool.sh')).mode & 0o100, 0o100);
    assert.deepEqual(await elsewhere.digests(names), await files.digests(names));
    const twice = await elsewhere.apply(patch.bytes);
    assert.equal(codeOf(twice), 'EVIDENCE_UNWRITABLE');
    assert.deepEqual(await applied.value(), { ok: true, value: null });
    assert.deepEqual(await elsewhere.digests(names), untouched);
    assert.equal(existsSync(at('link')) || existsSync(at('ü n.bin')), false);
    assert.equal(statSync(at('tool.sh')).mode & 0o100, 0);
  });

  it('applies where git converts line ends at checkout, and leaves the bytes of the run', async () => {
    write('ws/.gitattributes', '*.txt text eol=crlf\n');
    git('add', '.');
    git('add', '--renormalize', '.');
    git('commit', '-q', '-m', 'converted');
    const there = path.join(scratch, 'there');
    git('clone', '-q', '.', there);
    const at = (name: string): string => path.join(there, 'ws', name);
    assert.equal(readFileSync(at('src/changed.txt'), 'utf8'), 'one\r\ntwo\r\n');
    write('ws/src/changed.txt', 'one\r\n2\r\n');
    const paths = ['src/changed.txt'];
    const patch = await createHandoffFiles(path.join(top, 'ws')).patch({ base_commit: head(), paths, max_bytes: 9999 });
    const elsewhere = createHandoffFiles(path.join(there, 'ws'));
    const applied = await elsewhere.apply(patch.bytes ?? new Uint8Array());
    assert.ok(applied.ok, JSON.stringify(applied));
    assert.equal(readFileSync(at('src/changed.txt'), 'utf8'), 'one\r\n2\r\n');
    assert.deepEqual(await applied.value(), { ok: true, value: null });
    assert.equal(readFileSync(at('src/changed.txt'), 'utf8'), 'one\r\ntwo\r\n');
    writeFileSync(at('src/changed.txt'), 'one\r\nmine\r\n');
    assert.equal(codeOf(await elsewhere.apply(patch.bytes ?? new Uint8Array())), 'EVIDENCE_UNWRITABLE');
  });

  it('writes over a file that no commit has where it is as the run found it, and over no other', async () => {
    write('ws/src/made.js', 'new\n');
    const paths = ['src/made.js'];
    const patch = await createHandoffFiles(path.join(top, 'ws')).patch({ base_commit: head(), paths, max_bytes: 9999 });
    write('ws/src/made.js', 'built\n');
    const here = createHandoffFiles(path.join(top, 'ws'));
    const built = (await here.digests(paths))['src/made.js'] ?? '';
    write('ws/src/made.js', 'mine\n');
    const starts = new Map([['src/made.js', built]]);
    assert.equal(codeOf(await here.apply(patch.bytes ?? new Uint8Array(), starts)), 'EVIDENCE_UNWRITABLE');
    write('ws/src/made.js', 'built\n');
    const applied = await here.apply(patch.bytes ?? new Uint8Array(), starts);
    assert.ok(applied.ok, JSON.stringify(applied));
    assert.equal(readFileSync(path.join(top, 'ws/src/made.js'), 'utf8'), 'new\n');
  });

  it('changes the mode alone of a file whose line ends git converted, and of one that no commit has', async () => {
    write('ws/src/made.sh', 'built\n');
    const paths = ['src/made.sh', 'src/tool.sh'];
    const files = createHandoffFiles(path.join(top, 'ws'));
    const before = await files.digests(paths);
    for (const name of paths) chmodSync(path.join(top, 'ws', name), 0o755);
    const { bytes } = await files.patch({ base_commit: head(), paths, max_bytes: 9999 });
    const left = await files.found(paths);
    for (const name of paths) chmodSync(path.join(top, 'ws', name), 0o644);
    write('ws/src/tool.sh', '#!/bin/sh\r\n');
    const starts = new Map(paths.map((name) => [name, before[name] ?? '']));
    const applied = await files.apply(bytes ?? new Uint8Array(), starts);
    assert.ok(applied.ok, JSON.stringify(applied));
    assert.deepEqual(await files.found(paths), left);
  });

  it('lists a file whose mode no patch can hold', async () => {
    chmodSync(path.join(top, 'ws/src/tool.sh'), 0o4755);
    const files = createHandoffFiles(path.join(top, 'ws'));
    const { omitted } = await files.patch({ base_commit: head(), paths: ['src/tool.sh'], max_bytes: 9999 });
    assert.deepEqual(omitted, [{ path: 'src/tool.sh', why: 'its mode sets the user or the group' }]);
  });

  /** Runs `act` with a git on PATH that first runs `script`, once git has read the files. */
  async function whileGit<T>(script: string, act: () => Promise<T>): Promise<T> {
    const [bin, PATH] = [path.join(scratch, 'bin'), process.env['PATH'] ?? ''];
    mkdirSync(bin, { recursive: true });
    const applies = `case " $* " in *--numstat*) ;; *" apply "*) ${script} ;; esac`;
    writeFileSync(path.join(bin, 'git'), `#!/bin/sh\n${applies}\nPATH='${PATH}' exec git "$@"\n`, { mode: 0o755 });
    process.env['PATH'] = `${bin}${path.delimiter}${PATH}`;
    try {
      return await act();
    } finally {
      process.env['PATH'] = PATH;
    }
  }

  it('keeps what a person saves while it applies, and then leaves nothing of the patch', async () => {
    for (const name of ['changed.txt', 'same.txt']) write(`ws/src/${name}`, 'theirs\n');
    rmSync(path.join(top, 'ws/src/gone.txt'));
    write('ws/src/new.txt', 'new\n');
    const paths = ['changed.txt', 'gone.txt', 'new.txt', 'same.txt'].map((name) => `src/${name}`);
    const files = createHandoffFiles(path.join(top, 'ws'));
    const { bytes } = await files.patch({ base_commit: head(), paths, max_bytes: 9999 });
    for (const [saved, script] of [
      ['src/same.txt', "printf 'mine\\n' > same.txt"],
      ['src/new.txt', "printf 'mine\\n' > new.txt"],
      ['src/gone.txt', "printf 'mine\\n' > .t; mv .t gone.txt"],
    ] as const) {
      git('checkout', '-q', '.');
      git('clean', '-fdq');
      const was = await files.digests(paths);
      const src = path.join(top, 'ws/src');
      const applied = await whileGit(`(cd '${src}'; ${script})`, () => files.apply(bytes ?? new Uint8Array()));
      assert.equal(applied.ok, false);
      assert.ok(
        applied.refusal.reason.includes(`${saved}: another program changed it meanwhile`),
        applied.refusal.reason,
      );
      assert.equal(readFileSync(path.join(top, 'ws', saved), 'utf8'), 'mine\n');
      assert.deepEqual({ ...(await files.digests(paths)), [saved]: 0 }, { ...was, [saved]: 0 });
    }
  });

  it('keeps what a person saved over it when it is taken back, and says so', async () => {
    write('ws/src/changed.txt', 'theirs\n');
    rmSync(path.join(top, 'ws/src/gone.txt'));
    const paths = ['src/changed.txt', 'src/gone.txt'];
    const files = createHandoffFiles(path.join(top, 'ws'));
    const { bytes } = await files.patch({ base_commit: head(), paths, max_bytes: 9999 });
    git('checkout', '-q', '.');
    const applied = await files.apply(bytes ?? new Uint8Array());
    assert.ok(applied.ok, JSON.stringify(applied));
    write('ws/src/changed.txt', 'mine\n');
    const undone = await applied.value();
    assert.match(JSON.stringify(undone), /not taken back wholly \(src\/changed\.txt: another program changed it/);
    assert.equal(readFileSync(path.join(top, 'ws/src/changed.txt'), 'utf8'), 'mine\n');
    assert.equal(readFileSync(path.join(top, 'ws/src/gone.txt'), 'utf8'), 'gone\n');
  });

  it('lists files that are too large instead of holding them', async () => {
    write('ws/src/changed.txt', 'x'.repeat(5000));
    write('ws/src/same.txt', 'small\n');
    const files = createHandoffFiles(path.join(top, 'ws'));
    const patch = await files.patch({ base_commit: head(), paths: names.slice(0, 3), max_bytes: 1000 });
    assert.deepEqual(
      patch.omitted.map(({ path: name }) => name),
      ['src/changed.txt'],
    );
    assert.match(patch.omitted[0]?.why ?? '', /too large/);
    assert.match(Buffer.from(patch.bytes ?? []).toString(), /small/);
  });

  it('runs no program that the repository configures', async () => {
    const ran = path.join(scratch, 'ran');
    for (const key of ['filter.x.clean', 'filter.x.smudge', 'diff.x.textconv', 'diff.x.command', 'diff.external'])
      git('config', key, `touch ${ran}; cat`);
    write('ws/.gitattributes', '* filter=x diff=x\n');
    write('.gitattributes', '* filter=x diff=x\n');
    write('ws/src/same.txt', 'other\n');
    const files = createHandoffFiles(path.join(top, 'ws'));
    const patch = await files.patch({
      base_commit: head(),
      paths: ['.gitattributes', 'src/same.txt'],
      max_bytes: 10_000,
    });
    assert.match(Buffer.from(patch.bytes ?? []).toString(), /^\+other$/m);
    write('ws/src/same.txt', 'same\n');
    rmSync(path.join(top, 'ws/.gitattributes'));
    const applied = await files.apply(patch.bytes ?? new Uint8Array());
    assert.ok(applied.ok, JSON.stringify(applied));
    assert.equal(existsSync(ran), false);
  });

  it('says why there is no patch', async () => {
    const bare = path.join(scratch, 'bare');
    mkdirSync(bare);
    const none = await createHandoffFiles(bare).patch({ base_commit: 'abc', paths: ['a'], max_bytes: 10 });
    assert.deepEqual(none, { bytes: null, covered: [], omitted: [{ path: 'a', why: 'there is no repository' }] });
    const unknown = await createHandoffFiles(path.join(top, 'ws')).patch({
      base_commit: '0'.repeat(40),
      paths: ['src/same.txt'],
      max_bytes: 10,
    });
    assert.deepEqual([unknown.bytes, unknown.omitted.length], [null, 1]);
    const broken = await createHandoffFiles(bare).tryPatch(Buffer.from('no patch'));
    assert.equal(codeOf(broken), 'EVIDENCE_INVALID');
  });

  describe('of some kilobytes that becomes hundreds of megabytes is refused before git unpacks it:', () => {
    const megabytes = 1024 * 1024;
    const made = (from: Buffer, to: Buffer): string => {
      const [a, b] = ['a', 'b'].map((side) => path.join(scratch, side, 'src/big.bin'));
      for (const [file, bytes] of [
        [a!, from],
        [b!, to],
      ] as const) {
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, bytes);
      }
      const options = ['--no-index', '--binary', '--full-index', '--src-prefix=', '--dst-prefix='];
      const { stdout } = spawnSync('git', ['diff', ...options, 'a', 'b'], { cwd: scratch, encoding: 'latin1' });
      return stdout;
    };
    const noise = randomBytes(2 * megabytes);
    const bombs: Readonly<Record<string, () => string>> = {
      'a file of zeros': () => {
        write('ws/src/big.bin', Buffer.from([0, 1]));
        return made(Buffer.from([0, 1]), Buffer.alloc(megabytes));
      },
      'copied pieces of what is here': () => {
        const some = noise.subarray(0, 20_000);
        write('ws/src/big.bin', some);
        return made(some, Buffer.concat(new Array<Buffer>(33).fill(some)));
      },
      'copies of what is here': () => {
        write('ws/src/big.bin', noise);
        const copy = (n: number): string =>
          `diff --git a/src/big.bin b/src/c${n}\nsimilarity index 100%\ncopy from src/big.bin\ncopy to src/c${n}\n`;
        return Array.from({ length: 33 }, (_, n) => copy(n)).join('');
      },
      'modes of what is here': () => {
        write('ws/src/big.bin', '');
        truncateSync(path.join(top, 'ws/src/big.bin'), 66 * megabytes);
        return 'diff --git a/src/big.bin b/src/big.bin\nold mode 100644\nnew mode 100755\n';
      },
      'a binary part as only git reads it': () => {
        write('ws/src/big.bin', Buffer.from([0, 1]));
        const diff = made(Buffer.from([0, 1]), Buffer.alloc(megabytes));
        return diff.replace(/^literal (\d+)$/m, 'literal  +$1 bytes');
      },
    };
    for (const [what, make] of Object.entries(bombs)) {
      it(what, async () => {
        const diff = Buffer.from(make(), 'latin1');
        assert.ok(diff.length < 4 * megabytes, `${diff.length} bytes`);
        const files = createHandoffFiles(path.join(top, 'ws'));
        for (const answer of [await files.tryPatch(diff), await files.apply(diff)]) {
          assert.ok(!answer.ok, 'it was unpacked');
          assert.equal(answer.refusal.code, 'EVIDENCE_INVALID');
          assert.match(answer.refusal.reason, /64 MB|binary form/);
        }
      });
    }
  });

  it('reads regular files of the folder itself, and nothing else', async () => {
    const files = createHandoffFiles(top);
    symlinkSync(path.join(top, 'ws/src/same.txt'), path.join(top, 'leads-away'));
    for (const name of ['../top/x', 'ws/src/same.txt', '..', 'leads-away', 'ws'])
      assert.equal(codeOf(await files.read(top, name)), 'EVIDENCE_FOREIGN', name);
    const none = await files.read(top, 'nothing');
    assert.deepEqual(none, { ok: true, value: null });
  });
});
