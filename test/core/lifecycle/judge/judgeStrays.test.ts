import assert from 'node:assert/strict';
import type { StrayChange, Strays } from '../../../../src/contracts/launch';
import { judgeStrays } from '../../../../src/core/lifecycle/judge/judgeStrays';

type Asked = Parameters<typeof judgeStrays>;

const stray = (path: string, more: Partial<StrayChange> = {}): StrayChange => ({
  ...{ path, kind: 'modified', what: 'file', sha256: 'A1', lines: 2 },
  ...more,
});

function judged(
  strays: Partial<Strays>,
  observed: readonly object[] = [],
  {
    writes = true,
    purpose = { kind: 'worker' },
    ...more
  }: { readonly writes?: boolean; readonly purpose?: object; readonly validates?: object } = {},
): string | null {
  const all: Strays = { changes: [], more: 0, ignored: [], more_ignored: 0, trouble: null, ...strays };
  const attempt = {
    task_id: 'T1',
    observed: { changes: observed, comparison: { caseSensitive: true } },
    launches: [{ purpose, end: { strays: all } }],
    ...more,
  };
  const task = { writes, paths: ['own'] } as unknown as Asked[1];
  const failure = judgeStrays({ scratch: ['tmp'] }, task, attempt as unknown as Asked[2]);
  if (failure?.kind !== 'recoverable' || failure.category === 'stray_write') return failure?.reason ?? null;
  return `${failure.category}: ${failure.reason}`;
}

describe('what a worker wrote outside its paths', () => {
  it('does not say of an approved file that it lies outside', () => {
    assert.equal(
      judged({ changes: [stray('own')] }),
      'T1 wrote own (2 lines), which something else changed meanwhile; not kept.',
    );
    assert.match(
      judged({ changes: [stray('own'), stray('a')] }) ?? '',
      /^T1 wrote a \(2 lines\), outside its approved/,
    );
  });

  it('blames no other program for what a task that only reads wrote, or for a link', () => {
    const changes = [stray('own')];
    assert.equal(
      judged({ changes }, [], { writes: false }),
      'T1 wrote own (2 lines), although its task only reads; not kept.',
    );
    assert.equal(
      judged({ changes: [stray('own', { what: 'link', lines: null })] }),
      'T1 wrote own, which is no plain file or changed meanwhile; not kept.',
    );
  });

  it('blocks, and is named by what was done', () => {
    const changes = [
      stray('a'),
      stray('b', { lines: null }),
      stray('c', { kind: 'deleted', sha256: null, lines: null }),
    ];
    assert.equal(
      judged({ changes }),
      'T1 wrote a (2 lines) and b, and removed c, outside its approved paths; not kept.',
    );
  });

  it('is nothing in scratch, or in an attempt that validates the result of another', () => {
    assert.equal(judged({ changes: [stray('tmp/a')], ignored: ['dist'] }), null);
    assert.equal(judged({ changes: [stray('a')] }, [], { validates: {} }), null);
  });

  it('is nothing where the worker touched a file that a person changed meanwhile', () => {
    assert.equal(judged({ changes: [stray('a')] }, [{ path: 'a', before_sha256: 'A1' }]), null);
    assert.notEqual(judged({ changes: [stray('a')] }, [{ path: 'a', before_sha256: 'B2' }]), null);
  });

  it('accuses no worker where not all of it is known', () => {
    const unread = /^layer_unread: Mission Control could not take over all that T1 wrote into its layer: /;
    const trouble = 'own could not be put into the workspace (no space left)';
    assert.match(judged({ trouble }) ?? '', unread);
    assert.match(judged({ changes: [stray('tmp/a')], more: 7 }) ?? '', unread);
    // It was not changed by something else: it was not put there.
    assert.match(judged({ changes: [stray('own')], trouble }) ?? '', unread);
    assert.match(judged({ changes: [stray('a')], trouble }) ?? '', /^T1 wrote a \(2 lines\), outside/);
  });

  it('is nothing where not all that a verify command wrote is known', () => {
    assert.equal(judged({ more: 7, trouble: 'x' }, [], { purpose: { kind: 'verify' } }), null);
  });
});
