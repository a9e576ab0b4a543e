import assert from 'node:assert/strict';
import { judgeAccepted } from '../../../../src/core/lifecycle/judge/judgeAccepted';
import type { Judged } from '../../../../src/core/lifecycle/judge/rules';

describe('work that waits for a person', () => {
  it('names of many unseen files the first hundred, and all of them in the details', () => {
    const changes = Array.from({ length: 20_000 }, (_, index) => ({
      ...{ path: `lib/file${String(index)}`, kind: 'added', layered: true, after_sha256: null },
    }));
    const prepared = { sandbox: { layers: { tree: { up: '/l/up', waits: true } } } };
    const launches = [{ launch_id: 'L1', purpose: { kind: 'worker' }, process: { pid: 7 }, prepared }];
    const attempt = { attempt: 1, task_id: 'T1', validates: null, launches, observed: { changes } };
    const judged = { mission: { packets: [] }, row: { attempts: [] }, attempt } as unknown as Judged;
    const failure = judgeAccepted(judged);
    assert.ok(failure?.kind === 'recoverable');
    assert.equal(failure.details.length, 20_000);
    assert.ok(failure.reason.length < 10_000, `${String(failure.reason.length)} characters`);
    assert.match(failure.reason, /file99 .*19,900 more/);
  });
});
