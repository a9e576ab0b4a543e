import assert from 'node:assert/strict';
import { errorHelp, errorWords } from '../../src/base/outcome';

/** An error with the fields that Node gives it. */
function failed(message: string, about: object): Error {
  return Object.assign(new Error(message), about);
}

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

describe('a fault of the system, for a person', () => {
  for (const [words, message, about] of [
    ['permission denied (/a)', "EACCES: permission denied, open '/a'", { code: 'EACCES', path: '/a' }],
    ['no such device or address (/a)', "ENXIO: no such device or address, open '/a'", { code: 'ENXIO', path: '/a' }],
    ['the system has no process or memory for it now (sh)', 'spawn sh EAGAIN', { code: 'EAGAIN', path: 'sh' }],
    [
      'nothing answers there (::1:5432)',
      'connect ECONNREFUSED ::1:5432',
      { code: 'ECONNREFUSED', address: '::1', port: 5432 },
    ],
    ['nothing answers there', '', { code: 'ECONNREFUSED' }],
    ['no host has this name (h)', 'getaddrinfo ENOTFOUND h', { code: 'ENOTFOUND', hostname: 'h' }],
    ['it is damaged', 'it is damaged.', { code: 'toString' }],
  ] as const)
    it(`has its cause and its place, and no code: ${message}`, () =>
      assert.equal(errorWords(failed(message, about)), words));

  it('leaves out the place that the sentence names', () =>
    assert.equal(
      errorWords(failed('spawn /a ENOENT', { code: 'ENOENT', path: '/a' }), '/a'),
      'there is no such file or folder',
    ));
});
