import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

describe('the pictures of the README', () => {
  it('are made by name, and a name of none is refused with all of them before one is made', () => {
    const made = spawnSync(process.execPath, ['scripts/readme-pictures.mjs', 'recordings', 'nothing'], {
      encoding: 'utf8',
    });
    assert.deepEqual([made.status, made.stdout], [2, '']);
    assert.match(made.stderr, /^There is no picture recordings, nothing\. These are: .*\bescalation\b.*\brecording\b/);
  });
});
