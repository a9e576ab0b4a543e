import assert from 'node:assert/strict';
import { ownTexts } from '../../../src/extension/views/menuTarget';

describe('texts of an object from elsewhere', () => {
  const names = ['missionId', 'folder'];

  it('are its own, and those that are asked for', () => {
    assert.deepEqual(ownTexts({ missionId: 'm', other: 'x' }, names), { missionId: 'm' });
    assert.deepEqual(ownTexts(Object.create({ missionId: 'm' }), names), {});
    assert.deepEqual(ownTexts(JSON.parse('{"__proto__":{"missionId":"m"}}'), names), {});
  });

  it('do not count where one is no text, and no code of the object runs', () => {
    let looked = 0;
    const getter = Object.defineProperty({}, 'missionId', { get: () => (looked += 1) });
    const throws = (): never => {
      throw new Error('I do as I like.');
    };
    const proxy = new Proxy({}, { getOwnPropertyDescriptor: throws });
    for (const of of [getter, proxy, { missionId: 7 }, 'a text', 7, null, undefined, () => 'm'])
      assert.equal(ownTexts(of, names), null);
    assert.equal(looked, 0);
  });
});
