import assert from 'node:assert/strict';
import { errorHelp } from '../../src/base/errorWords';

const fault = (code?: string): Error => Object.assign(new Error('it failed'), code === undefined ? {} : { code });

describe('what a person can do about a fault of the system', () => {
  for (const [code, help] of [
    ['ENOSPC', /Free some space/],
    ['EDQUOT', /quota/],
    ['EROFS', /can be written/],
    ['ENOTDIR', /Move away/],
    ['ENOENT', /removed or moved/],
  ] as const)
    it(`${code} has its own help: rights would not mend it`, () => {
      assert.match(errorHelp(fault(code), 'Make it writable.'), help);
    });

  it('missing rights and unknown codes have the help of the place', () => {
    for (const error of [fault('EACCES'), fault('EPERM'), fault('toString'), fault(), null, 'text'])
      assert.equal(errorHelp(error, 'Make it writable.'), 'Make it writable.');
  });
});
