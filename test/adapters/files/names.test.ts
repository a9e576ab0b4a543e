import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { foundAt } from '../../../src/adapters/files/entry';
import { sha256Of } from '../../../src/adapters/files/bytes/sha256';
import { skipWithReason } from '../../support/skip';

describe('a name that is no UTF-8', () => {
  let root: string;
  beforeEach(function () {
    if (process.platform !== 'linux') skipWithReason(this, 'only file systems of Linux have such names');
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mission-names-')));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const raw = (...bytes: readonly number[]): Buffer => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(bytes)]);
  const holds = async (name: string, text: string): Promise<void> => {
    const found = await foundAt(root, name);
    assert.deepEqual([found.kind, found.kind === 'file' && found.sha256], ['file', sha256Of(text)], name);
  };

  it('is found by the text that shows it, in folders too, as is a text that looks the same', async () => {
    writeFileSync(raw(0x61, 0xff), 'bytes');
    writeFileSync(path.join(root, 'b\\xff'), 'text');
    mkdirSync(raw(0xfe));
    writeFileSync(raw(0xfe, 0x2f, 0x69), 'inner');
    await holds('a\\xff', 'bytes');
    await holds('b\\xff', 'text');
    await holds('\\xfe/i', 'inner');
    assert.deepEqual(await foundAt(root, 'c\\xff'), { kind: 'nothing' });
    assert.deepEqual(await foundAt(root, '\\xfe/j'), { kind: 'nothing' });
    assert.deepEqual(await foundAt(root, 'a\\xff/below'), { kind: 'nothing' });
  });

  it('is unknown where two entries are shown alike, or a link lies on the way', async () => {
    writeFileSync(raw(0x61, 0xff), 'bytes');
    writeFileSync(path.join(root, 'a\\xff'), 'text');
    mkdirSync(path.join(root, 'real'));
    writeFileSync(path.join(root, 'real/f'), 'f');
    symlinkSync('real', raw(0xfe));
    assert.equal((await foundAt(root, 'a\\xff')).kind, 'unknown');
    assert.equal((await foundAt(root, '\\xfe/f')).kind, 'unknown');
  });
});
