import assert from 'node:assert/strict';
import { strictestMode } from '../../../src/core/execution/confinementMode';

describe('the mode of confinement', () => {
  it('is the strictest that setting, flag and plan ask for, and preferred by default', () => {
    assert.equal(strictestMode([]), 'preferred');
    assert.equal(strictestMode([undefined, null]), 'preferred');
    assert.equal(strictestMode(['off', null]), 'off');
    assert.equal(strictestMode(['off', 'preferred']), 'preferred');
    assert.equal(strictestMode(['preferred', 'off', 'required']), 'required');
  });
});
