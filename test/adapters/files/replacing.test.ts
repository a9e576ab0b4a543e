import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { heldAt, replaceIn } from '../../../src/adapters/files/replacing';
import { skipWithReason } from '../../support/skip';

describe('entries that are replaced', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'mission-replacing-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  for (const isWhole of [false, true])
    it(`with what something else changed meanwhile: ${isWhole ? 'none, and that is named' : 'the others'}`, () => {
      const at = (name: string): string => path.join(folder, name);
      for (const name of ['a', 'b', 'new']) writeFileSync(at(name), name);
      const [a, b] = [heldAt(at('a')), heldAt(at('b'))];
      writeFileSync(at('b'), 'mine');
      const wanted = [
        { name: 'a', was: a, from: null },
        { name: 'a', was: { kind: 'nothing' } as const, from: at('new') },
        { name: 'b', was: b, from: at('new') },
      ];
      const done = replaceIn(folder, at('own'), wanted, isWhole ? at('done') : null);
      const left = done.filter(({ placed }) => !placed).map(({ name }) => name);
      assert.deepEqual(left, ['b']);
      assert.deepEqual([readFileSync(at('a'), 'utf8'), readFileSync(at('b'), 'utf8')], [isWhole ? 'a' : 'new', 'mine']);
      assert.equal(existsSync(at('own')), false);
    });

  it('are noted as done before the list goes, because a killed process leaves nothing else', () => {
    const at = (name: string): string => path.join(folder, name);
    writeFileSync(at('new'), 'new');
    const noted: boolean[] = [];
    const { rmSync: remove } = fs;
    fs.rmSync = (name, options): void => {
      if (String(name).endsWith('list.json')) noted.push(existsSync(at('done')));
      remove(name, options);
    };
    try {
      const wanted = [{ name: 'put', was: { kind: 'nothing' } as const, from: at('new') }];
      assert.deepEqual(replaceIn(folder, at('own'), wanted, at('done')), [
        { name: 'put', placed: true, trouble: null },
      ]);
    } finally {
      fs.rmSync = remove;
    }
    assert.deepEqual(noted, [true]);
  });

  it('leave nothing behind, also where a fifo goes', function () {
    if (process.platform === 'win32') skipWithReason(this, 'Windows has no fifo');
    const at = (name: string): string => path.join(folder, name);
    execFileSync('mkfifo', [at('fifo')]);
    const wanted = [{ name: 'fifo', was: { kind: 'other' } as const, from: null }];
    assert.deepEqual(replaceIn(folder, at('own'), wanted), [{ name: 'fifo', placed: true, trouble: null }]);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('are all there where they are many, also a closed one', () => {
    const at = (name: string): string => path.join(folder, name);
    mkdirSync(at('new'));
    for (let n = 0; n < 300; n += 1) writeFileSync(at(`new/${n}`), `${n}`, { mode: n === 250 ? 0 : 0o644 });
    const wanted = [{ name: 'put', was: { kind: 'nothing' } as const, from: at('new') }];
    assert.deepEqual(replaceIn(folder, at('own'), wanted), [{ name: 'put', placed: true, trouble: null }]);
    const modes = readdirSync(at('put')).map((name) => `${name} ${statSync(at(`put/${name}`)).mode & 0o777}`);
    assert.deepEqual([modes.length, modes.includes('250 0'), modes.includes('299 420')], [300, true, true]);
  });
});
