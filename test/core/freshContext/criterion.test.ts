import assert from 'node:assert/strict';
import { criterionKey } from '../../../src/core/freshContext/result';

describe('an acceptance criterion', () => {
  it('is the same however it is quoted', () => {
    const criterion = '`mission run` works,\non two lines';
    for (const reported of [
      '  `mission run` works, on two lines.',
      '1. `mission run` works, on two lines',
      '- [x] **mission run works, on two lines**',
      '* "mission run" works, on two lines',
      'Mission run works, on two lines!',
      '(2) mission run works, on two lines',
    ])
      assert.equal(criterionKey(reported), criterionKey(criterion), reported);
    assert.equal(criterionKey('Café'.normalize('NFD')), criterionKey('Café'.normalize('NFC')));
  });

  it('is another one in other words, with other numbers, and without words', () => {
    const keys = [
      'it works',
      'it does not work',
      'works',
      '3 tests pass',
      '4 tests pass',
      '1.5 s',
      '2.5 s',
      '...',
      '-',
      '',
    ];
    assert.equal(new Set(keys.map(criterionKey)).size, keys.length);
  });
});
