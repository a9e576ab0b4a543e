import assert from 'node:assert/strict';
import { eventLine } from '../../../../src/core/view/events/eventLine';
import { play } from '../../../scenarios/play';

describe('the sentence of an event', () => {
  it('says which process started: the worker or a verify command', () => {
    const { mission, entries } = play({ tasks: [{ task_id: 'T1', verify: [['a'], ['b']] }] });
    const sentences = entries.map((entry) => eventLine(entry, mission)).filter(({ type }) => type === 'WorkerStarted');
    assert.deepEqual(
      sentences.map(({ text }) => text.replace(/\d+\.$/, 'N.')),
      ['Worker started as process N.', 'Verify command started as process N.', 'Verify command started as process N.'],
    );
  });

  it('leaves out the code of a failed command, because its reason says more', () => {
    const { mission, entries } = play({ tasks: [{ task_id: 'T1' }] });
    const [first] = entries;
    assert.ok(first);
    const failed = (code: 'ACCEPTANCE_FAILED' | 'SCOPE_VIOLATION'): string =>
      eventLine({ ...first, event: { type: 'MissionFailed', code, reason: 'Not met: x.', cancelled: false } }, mission)
        .text;
    assert.equal(failed('ACCEPTANCE_FAILED'), 'Mission failed: Not met: x.');
    assert.equal(failed('SCOPE_VIOLATION'), 'Mission failed (SCOPE_VIOLATION): Not met: x.');
  });
});
