import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readEntry, type ManifestEntry } from '../../../src/adapters/files/entry';
import { Bed } from '../workspace/bed';
import { fileClockTicks } from './fileClock';

type Opener = 'openSync' | 'open' | 'readlink';

describe('one entry of a manifest, written to while it is read', () => {
  let folder: string;
  let file: string;
  const restore: (() => void)[] = [];
  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'mission-entry-'));
    file = path.join(folder, 'file');
  });
  afterEach(() => {
    for (const undo of restore.splice(0)) undo();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** Does something between the look at the file and its opening, so many times. */
  function between(opener: Opener, times: number, act: (time: number) => void): void {
    const owner = (opener === 'openSync' ? fs : fsPromises) as unknown as Record<
      string,
      (...args: unknown[]) => unknown
    >;
    const real = owner[opener];
    assert.ok(real);
    let time = 0;
    owner[opener] = (...args: unknown[]) => {
      if (args[0] === file && time < times) act((time += 1));
      return real.apply(owner, args);
    };
    restore.push(() => (owner[opener] = real));
  }
  const read = (): Promise<ManifestEntry | null> => readEntry(file, 'file', { large_file_bytes: 1e9 });
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase();
  const sooner = async (text: string): Promise<void> => {
    fs.writeFileSync(file, text);
    await fileClockTicks(path.dirname(file));
  };
  const now = (): number => fs.lstatSync(file).ctimeMs;

  for (const [opener, size] of [
    ['openSync', 10],
    ['open', 400_000],
  ] as const) {
    it(`has the time of the content that was read (${opener})`, async () => {
      await sooner('a'.repeat(size));
      between(opener, 1, () => fs.writeFileSync(file, 'b'.repeat(size)));
      const entry = await read();
      assert.deepEqual([entry?.sha256, entry?.ctime_ms], [digest('b'.repeat(size)), now()]);
    });

    it(`reads the file that took the place of the one it looked at (${opener})`, async () => {
      await sooner('a'.repeat(size));
      between(opener, 2, (time) => {
        fs.writeFileSync(`${file}.tmp`, `${time}`.repeat(size));
        fs.renameSync(`${file}.tmp`, file);
      });
      const entry = await read();
      assert.deepEqual([entry?.sha256, entry?.ctime_ms, entry?.problem], [digest('2'.repeat(size)), now(), undefined]);
    });
  }

  it('names the target of a link that took the place of another', async () => {
    fs.symlinkSync('old', file);
    await fileClockTicks(path.dirname(file));
    between('readlink', 1, () => {
      fs.rmSync(file);
      fs.symlinkSync('new', file);
    });
    const entry = await read();
    assert.deepEqual([entry?.target, entry?.ctime_ms], ['new', now()]);
  });

  it('is reported as REPLACED when the file never holds still, with the time of the last look', async () => {
    await sooner('a');
    between('openSync', 100, (time) => {
      fs.writeFileSync(`${file}.tmp`, String(time));
      fs.renameSync(`${file}.tmp`, file);
    });
    const entry = await read();
    assert.deepEqual([entry?.problem, entry?.sha256, entry?.ctime_ms], ['REPLACED', undefined, now()]);
  });

  it('is left out when the file is removed meanwhile', async () => {
    await sooner('a');
    between('openSync', 1, () => fs.rmSync(file));
    assert.equal(await read(), null);
  });
});

describe('a difference, of a file whose time arrives later than its content', () => {
  it('has the time of the content', async () => {
    const bed = Bed.repository();
    const owner = fs as unknown as Record<'lstatSync' | 'fstatSync', (...args: unknown[]) => unknown>;
    const real = { ...owner };
    try {
      const file = bed.at('src/a.txt');
      bed.write('src/a.txt', 'before\n');
      await bed.baseline();
      const old = fs.lstatSync(file);
      await fileClockTicks(bed.outside);
      bed.write('src/a.txt', 'after\n');
      const told = fs.lstatSync(file).ctimeMs;
      // As it is seen while it is emptied: for some looks the file system still shows what was before.
      let looks = 0;
      const isOld = (stats: fs.Stats): boolean => stats.ino === old.ino && (looks += 1) <= 6;
      owner.lstatSync = (...args) => staleTimestamp(real.lstatSync.apply(fs, args) as fs.Stats);
      owner.fstatSync = (...args) => staleTimestamp(real.fstatSync.apply(fs, args) as fs.Stats);
      const staleTimestamp = (stats: fs.Stats): fs.Stats => (isOld(stats) ? old : stats);
      const { changes } = await bed.difference();
      const [change] = changes;
      assert.deepEqual([change?.path, change?.kind], ['src/a.txt', 'modified']);
      assert.equal(Date.parse(change?.changed_at ?? ''), Math.floor(told));
      assert.ok(looks > 6);
    } finally {
      owner.lstatSync = real.lstatSync;
      owner.fstatSync = real.fstatSync;
      bed.remove();
    }
  });
});
