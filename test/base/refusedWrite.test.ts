import assert from 'node:assert/strict';
import { refusedWrite } from '../../src/base/refusedWrite';

describe('the words of a write that a sandbox refused', () => {
  /** What programs print, and the file that it names whole; null: none; undefined: the line is no denial by itself. */
  const lines: readonly (readonly [line: string, path: string | null | undefined])[] = [
    // One quoted name, in front of the sentence
    ["touch: cannot touch 'src/a b': Read-only file system", 'src/a b'],
    ['mkdir: cannot create directory ‘src’: Read-only file system', 'src'],
    ["touch: can't touch 'src/a': Read-only file system", 'src/a'],
    ["fatal: Unable to create '/w/.git/index.lock': Read-only file system", '/w/.git/index.lock'],
    ['error: failed to create `src/a`: Read-only file system (os error 30)', 'src/a'],
    ["Can't open 'src/日本/x': Read-only file system", 'src/日本/x'],
    // Shells and Go
    ['sh: 1: cannot create src/日本/a b: Read-only file system', 'src/日本/a b'],
    ['bash: line 1: src/a: Read-only file system', 'src/a'],
    ['w.sh: line 12: café/x.md: Read-only file system', 'café/x.md'],
    ['bash: line 1: dist: Read-only file system', 'dist'],
    ['tee: src/日本/x.ts: Read-only file system', 'src/日本/x.ts'],
    ['open src/a: read-only file system', 'src/a'],
    ['    x_test.go:9: open /w/a: read-only file system', '/w/a'],
    ['java.nio.file.FileSystemException: src/a: Read-only file system', 'src/a'],
    // Python and Node
    ["OSError: [Errno 30] Read-only file system: 'src/a'", 'src/a'],
    ["OSError: [Errno 30] Read-only file system: 'tmp' -> 'src/a'", 'src/a'],
    ["Error: EROFS: read-only file system, open '/ws/src/a'", '/ws/src/a'],
    ["    [Error: EROFS: read-only file system, open '/ws/it's'] {", "/ws/it's"],
    ["Error: EROFS: read-only file system, rename 'x' -> 'src/a'", 'src/a'],
    ["npm error rofs EROFS: read-only file system, open '/w/package-lock.json'", '/w/package-lock.json'],
    ["Error: , Unknown error: Read-only file system 'dist'", 'dist'],
    // A name that is not certain to be the whole one, or the one that was to be made
    ["mv: cannot move 'a' to 'src/a': Read-only file system", null],
    ["cp: cannot create hard link 'src/a' to 'lib/a': Read-only file system", null],
    ["tar: src/a: Cannot hard link to 'lib/a': Read-only file system", null],
    ["touch: cannot touch 'src/'$'\\346\\227\\245''/x': Read-only file system", null],
    ["sed: couldn't open temporary file src/日本/sedAb: Read-only file system", null],
    ['bash: line 3: cannot create temp file for here-document: Read-only file system', null],
    ['rename /w/a /w/src/a: read-only file system', null],
    ['java.nio.file.FileSystemException: /w/a -> /w/src/a: Read-only file system', null],
    ['Caused by: java.io.IOException: Read-only file system', null],
    ["the text is EROFS: read-only file system, open '/etc/x'", null],
    ['Error: EROFS: read-only file system', null],
    ['Error: Read-only file system (os error 30)', null],
    // Fields below an error
    ["  code: 'EROFS',", undefined],
    ['npm error code EROFS', undefined],
    // What shows an error
    [`AssertionError: expected "EROFS: read-only file system, open '/etc/x'"`, undefined],
    ["✔ says EROFS: read-only file system, open '/etc/x' (1ms)", undefined],
    ["+ EROFS: read-only file system, open '/etc/x'", undefined],
    ["npm warn logfile could not be created: Error: EROFS: read-only file system, open '/etc/x'", undefined],
    // Other words
    ["touch: cannot touch '/etc/x': Read-only file system, as it should say", undefined],
    ['A read-only file system is mounted', undefined],
    ['skipped: read-only file system is not tested', undefined],
    ["skipped: read-only file system 'a' is not tested", undefined],
    ['touch: „src/a“: Das Dateisystem ist nur lesbar', undefined],
  ];
  for (const [line, path] of lines)
    it(`name ${path === undefined ? 'nothing by themselves' : (path ?? 'no file')}: ${line}`, () => {
      const found = refusedWrite(line, 'bubblewrap');
      assert.equal(found === null ? undefined : found.path, path);
    });

  it('mean with Seatbelt a line that ends with them, or one with the number of the error', () => {
    const found = (line: string): unknown => refusedWrite(line, 'seatbelt');
    assert.deepEqual(found("touch: cannot touch 'src/a': Operation not permitted"), { path: 'src/a' });
    assert.deepEqual(found("PermissionError: [Errno 1] Operation not permitted: 'src/a'"), { path: 'src/a' });
    assert.equal(found('this operation not permitted for guests'), null);
  });
});
