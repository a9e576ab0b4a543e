import assert from 'node:assert/strict';
import { allowStarts, holdStarts } from '../../../src/adapters/user/machineHold';
import { fakeVscode } from '../fakeVscode';

const ada = { by: 'Ada', reason: 'The disk burns', at: '2026-11-30T10:00:00.000Z' };

describe('Allow Starts Again', () => {
  it('is offered by palette and menu while a person has stopped everything, and at no other time', async () => {
    const set: unknown[] = [];
    fakeVscode({
      commands: {
        executeCommand: (_: string, key: string, value: unknown) => void set.push(`${key} ${String(value)}`),
      },
    });
    const { lookAtHold } = await import('../../../src/extension/views/contextKeys');
    const { commands, ownKeys } = await import('../../../src/extension/registry/registry');
    const { treeTitle } = await import('../../../src/extension/registry/menus');
    const entry = treeTitle.find(({ command }) => command === commands.allowStarts.id);
    assert.deepEqual(
      [commands.allowStarts.when, entry?.when.endsWith(` && ${ownKeys.startsHeld}`)],
      [ownKeys.startsHeld, true],
    );
    await lookAtHold();
    assert.ok((await holdStarts(ada)).ok);
    try {
      await lookAtHold();
    } finally {
      await allowStarts(ada);
    }
    await lookAtHold();
    assert.deepEqual(
      set,
      ['false', 'true', 'false'].map((held) => `${ownKeys.startsHeld} ${held}`),
    );
  });
});
