import assert from 'node:assert/strict';
import type { EndedAttempt } from '../../../src/core/model/attempt';
import type { Course, TaskRow } from '../../../src/core/model/state';
import { acceptance, sentBack } from '../../../src/core/model/waitingWork';

const attempt = (number: number, launched: object | null, failure: object): EndedAttempt => {
  const prepared = { sandbox: { layers: { tree: { up: '/l/up', waits: true } } } };
  const launch = { launch_id: `L${number}`, purpose: { kind: 'worker' }, process: null, end: null, prepared };
  const launches = launched ? [{ ...launch, ...launched }] : [];
  return { attempt: number, validates: null, launches, failure } as unknown as EndedAttempt;
};
const blocked = (category: string): object => ({ kind: 'recoverable', category });
const ran = { process: { pid: 7 } };

/** What the third attempt goes on with, after the work of the first one waited and a person decided so. */
const after = (second: EndedAttempt, choice: string | null = null): string | null => {
  const first = attempt(1, ran, { ...blocked('awaiting_user'), by: { name: acceptance.rule } });
  const answer = choice === 'retry' ? null : { choice };
  const packets = [{ task_id: 'T1', attempt: 1, answer }] as unknown as Course['packets'];
  const row = { task: { task_id: 'T1' }, attempts: [first, second] } as unknown as TaskRow;
  return sentBack({ packets }, row)?.launch_id ?? null;
};

describe('work that a person sent back', () => {
  const unstarted = attempt(2, { end: { reason: 'spawn_failed' } }, blocked('launch_failed'));
  for (const [title, second] of [
    ['nothing was launched', attempt(2, null, blocked('context_changed'))],
    ['the launch was not prepared', attempt(2, {}, blocked('launch_failed'))],
    ['the program did not start', unstarted],
    ['a provider limit ended the worker', attempt(2, { ...ran, end: { reason: 'exited' } }, blocked('rate_limited'))],
  ] as const)
    it(`is there for the next attempt where ${title}`, () => {
      assert.equal(after(second), 'L1');
    });

  it('is not there where the person accepted it or retried the task', () => {
    assert.deepEqual([after(unstarted, 'accept'), after(unstarted, 'retry')], [null, null]);
  });

  it('is not there after a worker ended by itself, also where no owner saw its start', () => {
    for (const launched of [ran, { end: { reason: 'exited' } }])
      assert.equal(after(attempt(2, launched, blocked('verify_failed'))), null);
  });
});
