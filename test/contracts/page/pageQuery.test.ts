import assert from 'node:assert/strict';
import { longestEntry, pageQueryOf, panelQueryOf } from '../../../src/contracts/page/pageMessage';

const deep = `mission a file:///${'deep/'.repeat(400)}`;

describe('what a page in a browser asks for', () => {
  it('is a mission of a folder that lies deep', () => {
    assert.deepEqual(panelQueryOf({ entry: deep }), { entry: deep });
    const message = { type: 'range', entry: deep, from: 1, count: 5 };
    assert.deepEqual(pageQueryOf({ said: JSON.stringify(message) }), message);
  });

  it('is refused where no folder can lie so deep', () => {
    const entry = 'x'.repeat(longestEntry + 1);
    assert.equal(panelQueryOf({ entry }), null);
    assert.equal(pageQueryOf({ said: JSON.stringify({ type: 'range', entry, from: 1, count: 5 }) }), null);
  });

  it('is refused where it is no message, or says more than one', () => {
    for (const said of ['', 'ready', '[]', '{"type":"ready"', '{"type":"ready","more":1}'])
      assert.equal(pageQueryOf({ said }), null, said);
    assert.equal(pageQueryOf({ said: '{"type":"ready"}', more: '' }), null);
    assert.equal(panelQueryOf({ entry: '' }), null);
  });
});
