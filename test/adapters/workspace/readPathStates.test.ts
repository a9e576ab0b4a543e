import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import type { RawChange } from '../../../src/core/observation/change';
import { isAsBefore, type PathStanding } from '../../../src/core/observation/pathState';
import { skipWithReason } from '../../support/skip';
import { Bed } from './bed';

interface Case {
  readonly name: string;
  readonly prepare?: (bed: Bed) => void;
  readonly change: (bed: Bed) => void;
  readonly restore: (bed: Bed) => void;
}

/** Each is a change that a difference shows, and what makes it as it was. */
const cases: readonly Case[] = [
  {
    name: 'content',
    change: (bed) => bed.write('README.md', 'other\n'),
    restore: (bed) => bed.write('README.md', 'read me\n'),
  },
  { name: 'a new file', change: (bed) => bed.write('new.txt', 'x'), restore: (bed) => unlinkSync(bed.at('new.txt')) },
  {
    name: 'a file that is gone',
    change: (bed) => unlinkSync(bed.at('README.md')),
    restore: (bed) => bed.write('README.md', 'read me\n'),
  },
  {
    name: 'the executable bit',
    change: (bed) => chmodSync(bed.at('README.md'), 0o755),
    restore: (bed) => chmodSync(bed.at('README.md'), 0o644),
  },
  {
    name: 'where a link leads',
    prepare: (bed) => symlinkSync('src/a.txt', bed.at('link')),
    change: (bed) => relink(bed, 'README.md'),
    restore: (bed) => relink(bed, 'src/a.txt'),
  },
  {
    name: 'where a link leads whose text holds an arrow',
    prepare: (bed) => symlinkSync('src/a -> b.txt', bed.at('link')),
    change: (bed) => relink(bed, 'README.md'),
    restore: (bed) => relink(bed, 'src/a -> b.txt'),
  },
  {
    name: 'a link that is gone',
    prepare: (bed) => symlinkSync('src/a.txt', bed.at('link')),
    change: (bed) => unlinkSync(bed.at('link')),
    restore: (bed) => symlinkSync('src/a.txt', bed.at('link')),
  },
  {
    name: 'a file that became a link',
    change: (bed) => {
      unlinkSync(bed.at('README.md'));
      symlinkSync('src/a.txt', bed.at('README.md'));
    },
    restore: (bed) => {
      unlinkSync(bed.at('README.md'));
      bed.write('README.md', 'read me\n');
    },
  },
  {
    name: 'a new hook',
    change: (bed) => bed.write('.git/hooks/pre-commit', '#!/bin/sh\n'),
    restore: (bed) => unlinkSync(bed.at('.git/hooks/pre-commit')),
  },
  {
    name: 'a hook that runs now',
    prepare: (bed) => bed.write('.git/hooks/pre-commit', '#!/bin/sh\n'),
    change: (bed) => chmodSync(bed.at('.git/hooks/pre-commit'), 0o755),
    restore: (bed) => chmodSync(bed.at('.git/hooks/pre-commit'), 0o644),
  },
  {
    name: 'a tag',
    change: (bed) => bed.git('tag', 'v1'),
    restore: (bed) => bed.git('tag', '-d', 'v1'),
  },
  {
    name: 'configuration',
    change: (bed) => bed.git('config', 'core.hooksPath', '/elsewhere'),
    restore: (bed) => bed.git('config', '--unset', 'core.hooksPath'),
  },
  {
    name: 'a flag of the index',
    change: (bed) => bed.git('update-index', '--assume-unchanged', 'README.md'),
    restore: (bed) => bed.git('update-index', '--no-assume-unchanged', 'README.md'),
  },
  {
    name: 'a hook of a repository inside',
    prepare: (bed) => {
      mkdirSync(bed.at('sub'));
      bed.gitIn(bed.at('sub'), 'init', '-q');
    },
    change: (bed) => bed.write('sub/.git/hooks/pre-commit', '#!/bin/sh\n'),
    restore: (bed) => unlinkSync(bed.at('sub/.git/hooks/pre-commit')),
  },
];

describe('workspace: whether a change is gone', () => {
  let bed: Bed;
  beforeEach(() => (bed = Bed.repository()));
  afterEach(() => bed.remove());

  const standing = async (changes: readonly RawChange[]): Promise<readonly PathStanding[]> => {
    const found = await bed.workspace.standing(changes);
    return found.ok ? found.value : assert.fail(found.refusal.reason);
  };
  const asBefore = async (changes: readonly RawChange[]): Promise<readonly boolean[]> =>
    (await standing(changes)).map((now, index) => isAsBefore(changes[index]!, now));

  for (const { name, prepare, change, restore } of cases) {
    it(`${name}: is not gone while it is there, and is gone when everything is as before`, async function () {
      if (process.platform === 'win32') skipWithReason(this, 'links and modes of this kind are POSIX');
      prepare?.(bed);
      await bed.baseline();
      change(bed);
      const { changes } = await bed.difference();
      assert.ok(changes.length > 0, 'the difference tells it');
      assert.ok((await asBefore(changes)).includes(false));
      restore(bed);
      assert.deepEqual((await bed.difference()).changes, []);
      assert.deepEqual(
        await asBefore(changes),
        changes.map(() => true),
      );
    });
  }

  it('a file is not gone when the folder above it was replaced', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'links of this kind are POSIX');
    await bed.baseline();
    bed.write('other/planted', 'x');
    const { changes } = await bed.difference();
    renameSync(bed.at('other'), bed.at('aside'));
    mkdirSync(bed.at('empty'));
    symlinkSync('empty', bed.at('other'));
    assert.deepEqual(await asBefore(changes), [false]);
    rmSync(bed.at('other'));
    assert.deepEqual(await asBefore(changes), [true]);
  });

  it('a name that is no UTF-8 is never taken for gone', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'only file systems of Linux have such names');
    await bed.baseline();
    const name = Buffer.concat([Buffer.from(bed.at('src/')), Buffer.from([0x66, 0xff])]);
    writeFileSync(name, 'x');
    const { changes } = await bed.difference();
    assert.deepEqual(await asBefore(changes), [false]);
  });

  it('says what git makes of a path, in a repository inside as well', async () => {
    mkdirSync(bed.at('sub'));
    bed.gitIn(bed.at('sub'), 'init', '-q');
    bed.write('sub/tracked', '1');
    bed.write('sub/.gitignore', 'ignored\n');
    bed.gitIn(bed.at('sub'), 'add', 'tracked');
    for (const name of ['sub/ignored', 'sub/new', 'x.log', 'odd *?[a] "name".log', 'notes']) bed.write(name, '1');
    const names = ['README.md', 'sub/tracked', 'sub/ignored', 'sub/new', 'x.log', 'notes', 'gone.log'];
    const asked = names.map((path) => ({
      path,
      kind: 'modified' as const,
      resolved_path: null,
      before_sha256: 'A'.repeat(64),
      after_sha256: 'B'.repeat(64),
      changed_at: null,
      detail: null,
    }));
    assert.deepEqual(
      (await standing(asked)).map(({ path, git }) => [path, git]),
      [
        ['README.md', 'tracked'],
        ['sub/tracked', 'tracked'],
        ['sub/ignored', 'ignored'],
        ['sub/new', 'untracked'],
        ['x.log', 'ignored'],
        ['notes', 'untracked'],
        ['gone.log', 'ignored'],
      ],
    );
  });
});

function relink(bed: Bed, target: string): void {
  unlinkSync(bed.at('link'));
  symlinkSync(target, bed.at('link'));
}
