import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFolders } from '../../../src/adapters/workspace/folders';

describe('folders that a launch needs', () => {
  let dir: string;
  const at = (name: string): string => path.join(dir, name);
  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'mission-folders-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('are made with those above them, and only what was made is named', async () => {
    mkdirSync(at('src'));
    const made = await createFolders(dir).make(['src/a/b', 'src/a', 'docs']);
    assert.deepEqual([...made].sort(), ['docs', 'src/a', 'src/a/b']);
    assert.deepEqual(await createFolders(dir).make(['src/a/b', 'docs']), []);
  });

  it('are removed again where they stayed empty', async () => {
    const folders = createFolders(dir);
    const made = await folders.make(['a/b/c', 'kept']);
    writeFileSync(at('kept/file.txt'), 'work\n');
    await folders.removeEmpty(made);
    assert.equal(existsSync(at('a')), false);
    assert.equal(existsSync(at('kept/file.txt')), true);
  });

  it('that hold paths are the nearest that are there; those that are folders are named', async () => {
    mkdirSync(at('src/a'), { recursive: true });
    writeFileSync(at('src/a/file'), 'x');
    const folders = createFolders(dir);
    assert.deepEqual(await folders.holding(['src/a', 'src/a/file', 'src/b/c/d', 'new']), ['src/a', 'src', '.']);
    assert.deepEqual(await folders.existing(['src/a', 'src/a/file', 'gone', 'src']), ['src/a', 'src']);
  });

  it('follow no link, neither to make nor to remove', async () => {
    const outside = mkdtempSync(path.join(tmpdir(), 'mission-outside-'));
    try {
      mkdirSync(path.join(outside, 'empty'));
      symlinkSync(outside, at('link'), 'junction');
      const folders = createFolders(dir);
      assert.deepEqual(await folders.make(['link/new/deep']), []);
      assert.equal(existsSync(path.join(outside, 'new')), false);
      await folders.removeEmpty(['link/empty', 'link']);
      assert.equal(existsSync(path.join(outside, 'empty')), true);
      assert.equal(lstatSync(at('link')).isSymbolicLink(), true);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('stop at a file, and leave it', async () => {
    writeFileSync(at('file'), 'x');
    assert.deepEqual(await createFolders(dir).make(['file/below', 'ok']), ['ok']);
    assert.equal(lstatSync(at('file')).isFile(), true);
  });
});
