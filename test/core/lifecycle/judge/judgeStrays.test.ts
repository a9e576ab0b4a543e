import assert from 'node:assert/strict';
import type { StrayChange, Strays } from '../../../../src/contracts/launch';
import { judgeStrays, withDropped } from '../../../../src/core/lifecycle/judge/judgeStrays';
import { heldMeanwhile } from '../../../../src/core/lifecycle/parts/strays';

type Asked = Parameters<typeof judgeStrays>[0];

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
    touched = [],
    doubtful = [],
    saves = [],
    ...more
  }: {
    readonly writes?: boolean;
    readonly purpose?: object;
    readonly touched?: readonly string[];
    readonly doubtful?: readonly string[];
    readonly saves?: readonly object[];
    readonly validates?: object;
  } = {},
): string | null {
  const all: Strays = { changes: [], more: 0, ignored: [], more_ignored: 0, trouble: null, ...strays };
  const attempt = {
    task_id: 'T1',
    external_saves: saves,
    observed: { changes: observed, touched, doubtful, comparison: { caseSensitive: true } },
    launches: [{ purpose, end: { strays: all } }],
    ...more,
  };
  const row = { task: { writes }, scope: { paths: ['own'] } };
  const failure = judgeStrays({ mission: { plan: { scratch: ['tmp'] } }, row, attempt } as unknown as Asked);
  if (failure?.kind !== 'recoverable' || failure.category === 'stray_write') return failure?.reason ?? null;
  return `${failure.category}: ${failure.reason}`;
}

describe('what a worker wrote outside its paths', () => {
  const byOthers = { path: 'own', in_scope: true, by_others: true, before_sha256: 'B2', resolved_path: null };
  const lost = 'external_change: T1 wrote own (2 lines), which something else changed meanwhile.';

  it('accuses no worker of an approved file that something else changed meanwhile', () => {
    const said = judged({ changes: [stray('own')] }, [byOthers]) ?? '';
    assert.ok(said.startsWith(lost), said);
    assert.match(
      judged({ changes: [stray('own'), stray('a')] }, [byOthers]) ?? '',
      /^T1 wrote a \(2 lines\), outside its approved/,
    );
  });

  const held = (
    changes: readonly StrayChange[],
    found: readonly object[],
    shown: readonly string[] = [],
  ): ReturnType<typeof heldMeanwhile> =>
    heldMeanwhile(
      { launches: [{ purpose: { kind: 'worker' }, end: { strays: { changes } } }] } as unknown as Asked['attempt'],
      found as Parameters<typeof heldMeanwhile>[1],
      ({ path }) => shown.includes(path),
    );

  it('accuses no worker of what it only touched while another lane changed it', () => {
    const change = { path: 'b', kind: 'modified', before_sha256: 'A1', after_sha256: 'B2', changed_at: null };
    const { touched = [], doubtful } = held(
      [stray('b'), stray('c')],
      [change, { ...change, path: 'c', before_sha256: 'C3' }],
      ['c'],
    );
    assert.deepEqual([touched, doubtful], [['b'], undefined]);
    assert.equal(judged({ changes: [stray('b')] }, [], { touched }), null);
    assert.match(
      judged({ changes: [stray('b'), stray('c')] }, [], { touched }) ?? '',
      /^T1 wrote c \(2 lines\), outside/,
    );
  });

  it('accuses no worker of a copy between two saves of a person, unless more shows that the worker wrote it', () => {
    const change = { kind: 'modified', before_sha256: 'A0', after_sha256: 'C3', changed_at: null };
    const found = ['a', 'b', 'gone'].map((path) => ({ ...change, path }));
    const gone = stray('gone', { kind: 'deleted', sha256: null, lines: null });
    const changes = [stray('a'), stray('b'), gone, stray('alone')];
    const { doubtful = [] } = held(changes, found, ['b']);
    assert.deepEqual(doubtful, ['a']);
    // What the person put back is as it was before.
    assert.deepEqual(held([stray('alone', { touched_below: true })], found), { doubtful: ['alone'] });
    assert.deepEqual(held([stray('alone', { touched_below: true })], found, ['alone']), {});
    assert.equal(
      judged({ changes: [stray('a')] }, found, { doubtful }),
      'external_change: In the layer of T1 this differs from the workspace, and who wrote it is not known, because something else changed it meanwhile: a (2 lines). What stands in the workspace was left alone, and the layer was not kept.',
    );
    assert.equal(
      judged({ changes }, found, { doubtful }),
      'T1 wrote b (2 lines) and alone (2 lines), and removed gone, outside its approved paths; not kept.',
    );
  });

  it('is nothing where the layer holds what a person saved in the editor meanwhile', () => {
    assert.equal(judged({ changes: [stray('a')] }, [], { saves: [{ path: 'a', sha256: 'a1', at: '' }] }), null);
    assert.notEqual(judged({ changes: [stray('a')] }, [], { saves: [{ path: 'b', sha256: 'A1', at: '' }] }), null);
  });

  it('accuses no worker where an approved path became a link meanwhile, unless its layer shows that link', () => {
    const link = { path: 'own', kind: 'type_changed', in_scope: true, before_sha256: 'B2', resolved_path: 'lib' };
    const said = judged({ changes: [stray('lib/b')] }, [link]) ?? '';
    const meanwhile = 'where a link leads elsewhere that was made meanwhile. What stands there now';
    assert.ok(said.startsWith(`external_change: T1 wrote own/b (2 lines), ${meanwhile}`), said);
    const accused = /^T1 wrote lib\/b \(2 lines\), outside its approved paths; not kept\.$/;
    for (const other of [{ layered: true }, { in_scope: false }, { kind: 'deleted' }, { resolved_path: '.' }])
      assert.match(judged({ changes: [stray('lib/b')] }, [{ ...link, ...other }]) ?? '', accused);
    assert.match(judged({ changes: [stray('lib/b'), stray('lib2/b')] }, [link]) ?? '', /^T1 wrote lib2\/b .*outside/);
  });

  it('accuses no worker of what a workspace takes from no layer, and names it alone', () => {
    const change = stray('own', { what: 'link', lines: null });
    const unread = 'layer_unread: Mission Control could not take over all that T1 wrote into its layer: own';
    for (const [changes, observed, why] of [
      [[change], [], ' is a link, and only files and folders are put there.'],
      [[change, stray('own/a')], [], ' is a link, and only files and folders are put there.'],
      [[stray('own')], [], ' could not be put where something else stands.'],
      [[change], [{ ...byOthers, in_scope: false }], ' is a link, and only files and folders are put there.'],
    ] as const) {
      const said = judged({ changes }, observed) ?? '';
      assert.ok(said.startsWith(unread + why), said);
    }
  });

  it('blames no other program for what a task that only reads wrote', () => {
    assert.equal(
      judged({ changes: [stray('own')] }, [], { writes: false }),
      'T1 wrote own (2 lines), although its task only reads; not kept.',
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

  it('names how many there are, also those that the record leaves out', () => {
    const changes = Array.from({ length: 100 }, (_, index) => stray(`f${index}`, { lines: null }));
    const rest = ', outside its approved paths; not kept.';
    assert.equal(judged({ changes, more: 50 }), `T1 wrote f0, f1 and 148 more${rest}`);
    const gone = stray('gone', { kind: 'deleted', sha256: null, lines: null });
    assert.equal(
      judged({ changes: [...changes.slice(1), gone], more: 50 }),
      `T1 wrote f1, f2 and 97 more, and removed gone, and changed 50 more${rest}`,
    );
    const more_by = { added: 30, modified: 12, deleted: 7, mode_changed: 1 };
    assert.equal(
      judged({ changes: [...changes.slice(1), gone], more: 50, more_by }),
      `T1 wrote f1, f2 and 139 more, and removed gone and 7 more, and changed the mode of 1 more${rest}`,
    );
  });

  it('is nothing where not all that a verify command wrote is known', () => {
    assert.equal(judged({ more: 7, trouble: 'x' }, [], { purpose: { kind: 'verify' } }), null);
  });

  it('names what git ignores and no layer kept where a command fails, of earlier tasks too, and accuses no task', () => {
    const attemptOf = (task_id: string, ...ignored: readonly string[]): object => ({
      task_id,
      launches: [{ purpose: { kind: 'worker' }, end: { strays: { changes: [], ignored } } }],
    });
    const rows = [
      { task: { task_id: 'T1' }, attempts: [attemptOf('T1', 'node_modules')] },
      { task: { task_id: 'T2' }, attempts: [attemptOf('T2')] },
    ];
    const failure = { kind: 'recoverable', category: 'worker_failed', reason: 'It exited with 1.', details: ['x'] };
    const dropped = withDropped(
      failure as unknown as Parameters<typeof withDropped>[0],
      { mission: { rows }, attempt: attemptOf('T2', 'dist') } as unknown as Asked,
    );
    const why = 'because git ignores it and no scratch of the plan names it';
    assert.deepEqual(dropped?.kind === 'recoverable' && [dropped.reason, ...dropped.details], [
      ...['It exited with 1.', 'x'],
      ...[`not kept of T1, ${why}: node_modules`, `not kept of T2, ${why}: dist`],
    ]);
    assert.equal(
      withDropped(null, { mission: { rows: [] }, attempt: attemptOf('T2', 'dist') } as unknown as Asked),
      null,
    );
  });
});
