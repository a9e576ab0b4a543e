import assert from 'node:assert/strict';
import { systemIds } from '../../../src/adapters/system/clock';

describe('ids of the system', () => {
  it('have the length and the digits that are asked for, and are never the same', () => {
    assert.match(systemIds.uuid(), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    for (const length of [0, 1, 7, 32]) {
      assert.match(systemIds.hex(length), new RegExp(`^[0-9a-f]{${String(length)}}$`));
      assert.match(systemIds.base36(length), new RegExp(`^[0-9a-z]{${String(length)}}$`));
    }
    assert.notEqual(systemIds.hex(32), systemIds.hex(32));
  });
});
