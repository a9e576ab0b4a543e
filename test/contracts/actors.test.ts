import assert from 'node:assert/strict';
import { namesNobody, nameOfUser } from '../../src/contracts/vocabulary/actors';

describe('names of who decides', () => {
  it('without a letter or a digit are nobody’s, as are words for nobody', () => {
    for (const name of [
      '',
      ' ',
      '-',
      '?',
      '\u200b',
      '/',
      '...',
      ' Auto ',
      'n/a',
      'N/A',
      '«none»',
      'a\u200buto',
      'ｂｏｔ',
    ])
      assert.equal(namesNobody(name), true, JSON.stringify(name));
    for (const name of ['Ada', 'Ω', '李', '7', 'Bot Smith', 'O’Neill', 'нина', 'user bot'])
      assert.equal(namesNobody(name), false, name);
  });

  it('of a user of the system who is called like nobody say what they are: nobody typed them', () => {
    const cases = {
      bot: 'user bot',
      Nobody: 'user Nobody',
      auto: 'user auto',
      '': 'unknown user',
      '\u200b': 'unknown user',
    };
    for (const [user, name] of Object.entries({ ...cases, '-': 'unknown user', ada: 'ada', 'runner-1': 'runner-1' })) {
      assert.equal(nameOfUser(user), name);
      assert.equal(namesNobody(nameOfUser(user)), false, name);
    }
  });
});
