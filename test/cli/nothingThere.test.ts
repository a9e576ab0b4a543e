import assert from 'node:assert/strict';
import { CliBed, decision, start } from './cliBed';

describe('what is not there', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('a memory of which nothing is remembered is not set aside', async () => {
    for (const prepared of [false, true]) {
      if (prepared) await bed.mission('run', bed.plan('first', [{ script: `${start}process.exit(1);` }]));
      const { code, json } = await bed.mission('memory', 'set-aside', ...decision);
      assert.deepEqual([code, json.code, json.next], [2, 'MEMORY_NONE', ['mission memory list']]);
    }
  });

  it('an empty name of a file is none', async () => {
    await bed.mission('run', bed.plan('first', [{ script: `${start}process.exit(1);` }]));
    const { code, json } = await bed.mission('audit', 'export', 'first', '--out', '');
    assert.deepEqual([code, json.code], [2, 'USAGE']);
    assert.match(json.reason, /names no file/);
  });
});
