import assert from 'node:assert/strict';
import { foundText } from '../../../src/extension/views/foundText';

describe('the agents of this machine', () => {
  it('are a sentence, also on a machine without one', () => {
    assert.match(foundText([]).toString(), /^No agent CLI was found on this machine\. .*Doctor/);
    const found = [
      { name: 'codex', version: '0.169.0' },
      { name: 'claude', version: null },
    ] as const;
    assert.equal(foundText(found).toString(), 'On this machine: Codex 0.169.0 and Claude Code.');
  });
});
