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
const ended = (reason: string, exit_code: number | null, final: boolean): object => ({
  ...ran,
  end: { reason, exit_code, final_seen: final, final_ok: final },
});
const itself = ended('exited', 0, true);

/** What the third attempt goes on with, after the work of the first one waited and a person decided so. */
const after = (
  second: EndedAttempt,
  choice: string | null = null,
  worker = 'claude',
  resumedBy: string | null = null,
): string | null => {
  const first = attempt(1, itself, { ...blocked('awaiting_user'), by: { name: acceptance.rule } });
  const answer = choice === 'retry' ? null : { choice };
  const state = { kind: 'resolved', outcome: 'resume', decision: { actor: { kind: resumedBy } } };
  const packets = [
    { task_id: 'T1', attempt: 1, answer, state: { kind: 'resolved', outcome: 'retry-repair' } },
    ...(resumedBy === null ? [] : [{ task_id: 'T1', attempt: 2, answer: null, state }]),
  ] as unknown as Course['packets'];
  const row = { task: { task_id: 'T1', worker }, attempts: [first, second] } as unknown as TaskRow;
  return sentBack({ packets }, row)?.launch_id ?? null;
};

describe('work that a person sent back', () => {
  const unstarted = attempt(2, { end: { reason: 'spawn_failed' } }, blocked('launch_failed'));
  for (const [title, second] of [
    ['nothing was launched', attempt(2, null, blocked('context_changed'))],
    ['the launch was not prepared', attempt(2, {}, blocked('launch_failed'))],
    ['the program did not start', unstarted],
    ['a provider limit ended the worker', attempt(2, itself, blocked('rate_limited'))],
  ] as const)
    it(`is there for the next attempt where ${title}`, () => {
      assert.equal(after(second), 'L1');
    });

  it('is not there where the person accepted it or retried the task', () => {
    assert.deepEqual([after(unstarted, 'accept'), after(unstarted, 'retry')], [null, null]);
  });

  it('is there for the next attempt where its agent asked something', () => {
    assert.equal(after(attempt(2, itself, blocked('worker_reported_blocked'))), 'L1');
  });

  it('is not there where a person resumed the task without it, as no orchestrator can', () => {
    const crashed = attempt(2, ended('exited', 1, false), blocked('child_exit_nonzero'));
    assert.deepEqual(
      ['human', 'orchestrator'].map((by) => after(crashed, null, 'claude', by)),
      [null, 'L1'],
    );
  });

  for (const [title, worker, end] of [
    ['a person stopped its worker', 'claude', ended('stop_requested', 143, false)],
    ['its worker was ended at its deadline', 'claude', ended('deadline', 137, false)],
    ['its agent crashed', 'claude', ended('exited', 1, false)],
    ['its agent ended without its final event', 'claude', ended('exited', 0, false)],
    ['its command was killed', 'command', ended('exited', 137, false)],
    ['its command was ended by the last signal', 'command', ended('exited', 192, false)],
    ['its command was stopped', 'command', ended('stop_requested', 0, false)],
    ['its supervisor was lost with the machine', 'command', ended('supervisor_lost', null, false)],
    ['its end is not known', 'claude', ran],
  ] as const)
    it(`is there for the next attempt where ${title}`, () => {
      assert.equal(after(attempt(2, end, blocked('child_exit_nonzero')), null, worker), 'L1');
    });

  it('is not there after a worker ended by itself, also where no owner saw its start', () => {
    for (const launched of [itself, { ...itself, process: null }])
      assert.equal(after(attempt(2, launched, blocked('verify_failed'))), null);
    for (const code of [0, 1, 128, 193, 255])
      assert.equal(after(attempt(2, ended('exited', code, false), blocked('x')), null, 'command'), null);
  });
});
