import assert from 'node:assert/strict';
import { withoutVanished } from '../../../src/adapters/sandbox/vanished';

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
});
