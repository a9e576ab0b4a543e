import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { checkOutputs } from '../../../src/adapters/evidence/outputs';
import type { EvidenceFacts } from '../../../src/core/verify/facts';
import { removeScratch, scratch } from '../scratch';
import { put } from './sample';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase();

/** Attempt 1 changed `a` from `before` to `after`; the list of the task says what became of it. */
function facts(outstanding: readonly object[], second: readonly object[] = []): EvidenceFacts {
  const change = { path: 'a', kind: 'modified', detail: null, before_sha256: digest('before'), attribution: 'worker' };
  const evidence = {
    attempts: [
      { attempt: 1, changes: [{ ...change, after_sha256: digest('after') }] },
      { attempt: 2, changes: second },
    ],
    outstanding: outstanding.map((entry) => ({ attempt: 1, ...change, ...entry })),
  };
  return {
    header: { tasks: [{ task_id: 'T1' }] },
    tasks: new Map([['T1', { evidence, sha256: '' }]]),
  } as unknown as EvidenceFacts;
}

describe('a file that blocked a task and was put back', () => {
  afterEach(removeScratch);

  async function found(content: string, of: EvidenceFacts): Promise<readonly string[]> {
    const root = await scratch();
    await put(root, 'a', content);
    return (await checkOutputs(root, of)).map(({ message }) => message);
  }

  it('is as the task left it once its evidence says so', async () => {
    const gone = facts([{ settled: { how: 'gone', attempt: 2 } }]);
    assert.deepEqual(await found('before', gone), []);
    assert.deepEqual(await found('after', gone), [
      'Not as it was found at the end of task T1: it has another content.',
    ]);
  });

  it('is what the attempt that found it so changed it to after that', async () => {
    const again = { path: 'a', kind: 'modified', detail: null, before_sha256: digest('before'), attribution: 'worker' };
    const of = facts([{ settled: { how: 'gone', attempt: 2 } }], [{ ...again, after_sha256: digest('again') }]);
    assert.deepEqual(await found('again', of), []);
    assert.deepEqual(await found('before', of), ['It is as it was before a change found during task T1.']);
    assert.deepEqual(await found('after', of), ['Not as task T1 left it: it has another content.']);
  });

  it('is what it was accepted as after it was put back and changed again', async () => {
    const again = { path: 'a', kind: 'modified', detail: null, before_sha256: digest('before'), attribution: 'verify' };
    const entries = [
      { attempt: 1, settled: { how: 'gone', attempt: 2 } },
      { attempt: 2, settled: { how: 'accepted' } },
    ];
    const of = facts(entries, [{ ...again, after_sha256: digest('again') }]);
    assert.deepEqual(await found('again', of), []);
  });

  it('accuses no task of what others made', async () => {
    const saved = { path: 'a', kind: 'modified', detail: null, before_sha256: digest('after') };
    const of = facts([], [{ ...saved, after_sha256: digest('saved'), attribution: 'external_change' }]);
    assert.deepEqual(await found('saved', of), []);
    assert.deepEqual(await found('other', of), ['Not as it was found at the end of task T1: it has another content.']);
    assert.deepEqual(await found('before', of), ['It is as it was before a change found during task T1.']);
  });

  it('is as its task left it where the task made it a folder', async () => {
    const root = await scratch();
    await put(root, 'a/in', 'inside');
    const gone = { kind: 'deleted', detail: null, before_sha256: digest('after'), after_sha256: null };
    const made = { path: 'a/in', kind: 'added', detail: null, before_sha256: null, after_sha256: digest('inside') };
    const second = [gone, made].map((one) => ({ path: 'a', ...one, attribution: 'worker' }));
    assert.deepEqual(await checkOutputs(root, facts([], second)), []);
  });

  it('is not looked at where it is evidence, which has digests of its own', async () => {
    const path = 'docs/ops/executions/P1/EXECUTION_HEADER.json';
    const change = { path, kind: 'deleted', detail: null, before_sha256: digest('before'), after_sha256: null };
    const evidence = { attempts: [{ attempt: 1, changes: [{ ...change, attribution: 'unattributed' }] }] };
    const of = {
      header: { tasks: [{ task_id: 'T1' }] },
      tasks: new Map([['T1', { evidence, sha256: '' }]]),
    } as unknown as EvidenceFacts;
    const root = await scratch();
    await put(root, path, 'the header as the end of the mission wrote it');
    assert.deepEqual(await checkOutputs(root, of), []);
  });

  it('is named with every task whose change is undone, and with no other', async () => {
    const change = { path: 'a', kind: 'modified', detail: null, attribution: 'worker' };
    const evidence = (before: string, after: string): object => ({
      attempts: [{ attempt: 1, changes: [{ ...change, before_sha256: digest(before), after_sha256: digest(after) }] }],
    });
    const of = {
      header: { tasks: [{ task_id: 'T1' }, { task_id: 'T2' }] },
      tasks: new Map([
        ['T1', { evidence: evidence('A', 'B'), sha256: '' }],
        ['T2', { evidence: evidence('B', 'C'), sha256: '' }],
      ]),
    } as unknown as EvidenceFacts;
    assert.deepEqual(await found('C', of), []);
    assert.deepEqual(await found('B', of), ['It is as it was before a change found during task T2.']);
    assert.deepEqual(await found('A', of), ['It is as it was before changes found during tasks T1 and T2.']);
    assert.deepEqual(await found('D', of), ['Not as task T2 left it: it has another content.']);
  });

  it('is not as before with a mode that it did not have', async function () {
    if (process.platform === 'win32') return this.skip();
    const change = { path: 'a', kind: 'modified', detail: null, before_sha256: digest('before') };
    const left = { after_sha256: digest('after'), after_mode: '755', attribution: 'worker' };
    const evidence = { attempts: [{ attempt: 1, changes: [{ ...change, ...left }] }] };
    const of = {
      header: { tasks: [{ task_id: 'T1' }] },
      tasks: new Map([['T1', { evidence, sha256: '' }]]),
    } as unknown as EvidenceFacts;
    assert.deepEqual(await found('before', of), ['Not as task T1 left it: it has another content.']);
  });

  it('is said to be as before where the evidence does not say when it was put back', async () => {
    const open = facts([{ settled: { how: 'accepted' } }]);
    assert.deepEqual(await found('before', open), ['It is as it was before a change found during task T1.']);
    assert.deepEqual(await found('after', open), []);
    assert.deepEqual(await found('other', open), ['Not as task T1 left it: it has another content.']);
  });
});
