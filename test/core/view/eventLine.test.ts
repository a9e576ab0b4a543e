import assert from 'node:assert/strict';
import { eventLine } from '../../../src/core/view/eventLine';
import { play } from '../../scenarios/play';

describe('the sentence of an event', () => {
  it('says which process started: the worker or a verify command', () => {
    const { mission, entries } = play({ tasks: [{ task_id: 'T1', verify: [['a'], ['b']] }] });
    const sentences = entries.map((entry) => eventLine(entry, mission)).filter(({ type }) => type === 'WorkerStarted');
    assert.deepEqual(
      sentences.map(({ text }) => text.replace(/\d+\.$/, 'N.')),
      ['Worker started as process N.', 'Verify command started as process N.', 'Verify command started as process N.'],
    );
  });
});
