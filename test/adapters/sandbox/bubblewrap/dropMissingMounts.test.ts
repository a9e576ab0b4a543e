import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { withoutVanished } from '../../../../src/adapters/sandbox/bubblewrap/dropMissingMounts';
import { usersOfTier } from '../../../support/users';
import { makeBed, removeBeds } from '../bed';

describe('sockets that are gone when a sandbox starts', () => {
  const argv = [
    ...['/usr/bin/bwrap', '--ro-bind', '/', '/', '--tmpfs', '/run', '--tmpfs', '/gone'],
    ...['--ro-bind', '/dev/null', '/ws/here.sock', '--ro-bind', '/dev/null', '/ws/gone.sock'],
    ...['--ro-bind', '/ws/gone', '/ws/gone', '--bind', '/ws/out', '/ws/out', '--'],
  ];
  const there = (path: string): boolean => !path.includes('gone');

  it('are not covered; every other mount stays', () => {
    assert.deepEqual(withoutVanished(argv, there), [
      ...['/usr/bin/bwrap', '--ro-bind', '/', '/', '--tmpfs', '/run'],
      ...['--ro-bind', '/dev/null', '/ws/here.sock'],
      ...['--ro-bind', '/ws/gone', '/ws/gone', '--bind', '/ws/out', '/ws/out', '--'],
    ]);
  });

  it('do not keep a link from being there in the second try, which the first one has made', async function () {
    after(removeBeds);
    const bed = makeBed(this, usersOfTier[0] ?? assert.fail(), 'tmp');
    bed.put({ 'out/': '' });
    const link = path.join(bed.folder, 'link');
    symlinkSync('ws', link);
    const { argv } = await bed.line({ workspace_dir: link, writable: ['out'] });
    assert.ok(argv.includes('--symlink'), argv.join(' '));
    for (let start = 0; start < 2; start++) {
      const ran = await bed.spawn([...withoutVanished(argv), '/bin/sh', '-c', `cd "${link}/out" && pwd -P`]);
      assert.deepEqual(ran, { code: 0, signal: null, output: `${bed.workspace}/out\n` });
    }
  });
});
