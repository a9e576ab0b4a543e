import assert from 'node:assert/strict';
import type { AttributionInput } from '../../../src/core/observation/attribute';
import type { RawChange } from '../../../src/core/observation/change';
import { attributed } from '../../support/attribution';

const before = '2026-01-01T10:00:00.000Z';
const start = '2026-01-01T10:01:00.000Z';
const during = '2026-01-01T10:02:00.000Z';
const end = '2026-01-01T10:03:00.000Z';
const after = '2026-01-01T10:03:00.001Z';

describe('attribution of changes', () => {
  it('gives the worker what changed while it ran, and finds it a violation where it is out of scope', () => {
    const { changes, verdict } = judge([raw({ path: 'src/a.ts' }), raw({ path: 'README.md' })]);
    assert.deepEqual(
      changes.map((change) => [change.path, change.attribution, change.in_scope, change.violation]),
      [
        ['README.md', 'worker', false, 'lies outside the approved paths of the task'],
        ['src/a.ts', 'worker', true, null],
      ],
    );
    assert.deepEqual(verdict, { kind: 'scope_violation', violations: [changes[0]] });
  });

  it('blocks on what cannot be the worker’s, in scope and out of it', () => {
    for (const path of ['src/a.ts', 'README.md', '.env']) {
      for (const changed_at of [before, after, null]) {
        const { changes, verdict } = judge([raw({ path, changed_at })]);
        assert.equal(changes[0]?.attribution, 'unattributed');
        assert.equal(changes[0].violation, null);
        assert.deepEqual(verdict, { kind: 'external_change', changes });
      }
    }
  });

  it('gives the worker no approved file of which its layer still holds its own version, even where it announced it', () => {
    for (const more of [{}, { announced: ['src/a.ts'] }, { external_saves: [] }, { reliedOn: () => 'is needed' }]) {
      const { changes, verdict } = judge([raw({ path: 'src/a.ts' })], { unlanded: ['src/a.ts'], ...more });
      const { attribution, in_scope, by_others, relied_on } = changes[0] ?? {};
      assert.deepEqual([attribution, in_scope, by_others, relied_on], ['external_change', true, true, undefined]);
      assert.equal(verdict.kind, 'clean');
    }
  });

  it('finds a violation where a file becomes a program with the rights of its owner', () => {
    const violation = (before_mode: string | undefined, after_mode: string): string | null | undefined =>
      judge([raw({ ...(before_mode && { before_mode }), after_mode })]).changes[0]?.violation;
    for (const mode of ['4755', '2755', '6755'])
      assert.match(violation('755', mode) ?? '', /rights of its owner or group/);
    assert.match(violation(undefined, '4755') ?? '', /rights of its owner or group/);
    assert.deepEqual(
      [violation('4755', '4755'), violation('4755', '755'), violation('644', '755')],
      [null, null, null],
    );
  });

  it('lets a violation outweigh what cannot be attributed', () => {
    assert.equal(
      judge([raw({ path: 'src/a.ts', changed_at: after }), raw({ path: 'x' })]).verdict.kind,
      'scope_violation',
    );
  });

  it('allows for the lag of clocks at the start, for nothing at the end', () => {
    assert.equal(judge([raw({ changed_at: '2026-01-01T10:00:58.500Z' })]).changes[0]?.attribution, 'worker');
    assert.equal(judge([raw({ changed_at: '2026-01-01T10:00:57.999Z' })]).changes[0]?.attribution, 'unattributed');
    assert.equal(judge([raw({ changed_at: end })]).changes[0]?.attribution, 'worker');
    assert.equal(judge([raw({ changed_at: after })]).changes[0]?.attribution, 'unattributed');
  });

  it('gives the worker nothing that changed between two of its launches', () => {
    const worker_paused = [{ from: '2026-01-01T10:01:30.000Z', until: '2026-01-01T10:02:30.000Z' }];
    const attributionAt = (changed_at: string) =>
      judge([raw({ changed_at })], { worker_paused }).changes[0]?.attribution;
    assert.equal(attributionAt('2026-01-01T10:01:30.000Z'), 'worker');
    assert.equal(attributionAt(during), 'unattributed');
    assert.equal(attributionAt('2026-01-01T10:02:28.500Z'), 'worker');
  });

  it('attributes changes to no worker when none ran, and to the worker while its end is unknown', () => {
    assert.equal(
      judge([raw({})], { worker_started_at: null, worker_ended_at: null }).changes[0]?.attribution,
      'unattributed',
    );
    assert.equal(judge([raw({ changed_at: after })], { worker_ended_at: null }).changes[0]?.attribution, 'worker');
  });

  it('records a save in this editor by its exact content only', () => {
    const change = raw({ path: 'README.md', after_sha256: 'AB' });
    const save = { path: 'README.md', sha256: 'ab', at: during };
    const saved = judge([change], { external_saves: [save] });
    assert.deepEqual(
      [saved.changes[0]?.attribution, saved.changes[0]?.violation, saved.verdict.kind],
      ['external_change', null, 'clean'],
    );
    for (const other of [
      { ...save, sha256: 'AC' },
      { ...save, path: 'readme.md' },
    ]) {
      assert.equal(judge([change], { external_saves: [other] }).verdict.kind, 'scope_violation');
    }
    const deleted = { ...change, kind: 'deleted', after_sha256: null } as const;
    assert.equal(judge([deleted], { external_saves: [save] }).verdict.kind, 'scope_violation');
    const insensitive = { external_saves: [{ ...save, path: 'Readme.MD' }], comparison: { case_insensitive: true } };
    assert.equal(judge([change], insensitive).verdict.kind, 'clean');
  });

  it('leaves to editors and file managers what they leave by themselves, outside the worker’s paths or time', () => {
    const clean = (change: Partial<RawChange>, options: Partial<AttributionInput> = {}): unknown => {
      const { changes, verdict } = judge([raw({ kind: 'added', ...change })], options);
      return [changes[0]?.attribution, verdict.kind];
    };
    for (const path of ['.a.swp', 'lib/.#a', 'notes.md~', 'lib/#a#', '.DS_Store', 'lib/Thumbs.db'])
      for (const more of [{}, { isCertain: () => false }])
        assert.deepEqual(clean({ path }, more), ['external_change', 'clean'], path);
    for (const changed_at of [before, after, null])
      assert.deepEqual(clean({ path: 'src/.a.swp', changed_at }), ['external_change', 'clean']);
    assert.deepEqual(clean({ path: 'src/.a.swp' }), ['worker', 'clean'], 'in its paths and its time');

    const notOfDesk: readonly (readonly [Partial<RawChange>, Partial<AttributionInput>])[] = [
      [{ path: '.a.swp' }, { announced: ['.a.swp'] }],
      [{ path: '.a.swp' }, { isCertain: () => true }],
      [{ path: '.a.swp' }, { forbidden_paths: ['.a.swp'] }],
      [{ path: '.mission-control/a~' }, {}],
      [{ path: 'lib/.#a', resolved_path: '/etc' }, {}],
      [{ path: 'lib/__pycache__/a.pyc' }, {}],
      [{ path: 'run~', after_mode: '100755' }, {}],
      [{ path: 'lib/a~', tracked: true }, {}],
      [{ path: '.git/hooks/pre-commit~', kind: 'git' }, {}],
    ];
    for (const [change, options] of notOfDesk)
      assert.equal(judge([raw({ kind: 'added', ...change })], options).verdict.kind, 'scope_violation', change.path);
  });

  it('doubts a tracked or executable file with the name of a leftover, where nothing but its time gives it away', () => {
    for (const change of [
      { path: 'run~', after_mode: '100755' },
      { path: 'lib/#a#', kind: 'deleted', after_sha256: null, tracked: true },
      { path: 'lib/a~', kind: 'modified', tracked: true },
    ] as const) {
      const { changes, verdict } = judge([raw({ kind: 'added', ...change })], { isCertain: () => false });
      assert.deepEqual([changes[0]?.attribution, verdict.kind], ['unattributed', 'external_change'], change.path);
      assert.match(changes[0]?.doubt ?? '', /outside the approved paths/);
    }
  });

  it('never allows reserved and forbidden places, hidden files and moves of git', () => {
    const everything = { paths: ['.'], forbidden_paths: ['secrets'] };
    const places: readonly Partial<RawChange>[] = [
      { path: 'docs/plans/PLAN_x.json' },
      { path: 'docs/ops/executions/x/TASK_1.json' },
      { path: '.mission-control/state.db' },
      { path: 'secrets/key' },
      { path: 'sub/.git' },
      { path: '.git/HEAD', kind: 'git' },
      { path: '.git/refs/heads/main', kind: 'git' },
      { path: '.git/hooks/pre-commit', kind: 'git' },
      { path: '.git/config', kind: 'git' },
      { path: 'src/a.ts', kind: 'index_flag', changed_at: null },
      { path: 'src/link', kind: 'added', resolved_path: '/etc' },
      { path: 'src/link', kind: 'added', resolved_path: 'C:/Windows' },
      { path: 'src/link', kind: 'added', resolved_path: '.git/hooks' },
    ];
    for (const place of places) {
      const { changes, verdict } = judge([raw(place)], everything);
      assert.equal(verdict.kind, 'scope_violation', JSON.stringify(place));
      assert.equal(changes[0]?.in_scope, false);
    }
    assert.equal(judge([raw({ path: 'src/link', resolved_path: 'README.md' })]).verdict.kind, 'clean');
    const python = { resolved_path: '/home/ada/.pyenv/versions/3.12/bin/python3', to_program: true } as const;
    const held = (link: Partial<RawChange>, ...writable: string[]) =>
      judge([raw({ path: 'src/link', kind: 'added', ...link })], {
        reaches: [{ writable: ['src', ...writable], read_only: [] }],
      }).changes[0]?.in_scope;
    assert.equal(held(python), true);
    assert.equal(held(python, '/home/ada/.pyenv'), false);
    assert.equal(held({ resolved_path: '/usr/lib/jvm' }), true);
    // A name proves nothing.
    for (const resolved_path of ['/home/ada/bin/key', '/home/ada/lib/keys', '/home/ada/x/include/y'])
      assert.equal(held({ resolved_path }), false, resolved_path);
    assert.equal(judge([raw({ path: 'src/link', kind: 'deleted', resolved_path: null })]).verdict.kind, 'clean');
  });

  it('forbids a link on the way to a forbidden path, made, changed or removed; nothing else there', () => {
    const below = { forbidden_paths: ['src/later/deep/x.ts'] };
    const links: readonly Partial<RawChange>[] = [
      { path: 'src/later', kind: 'added', resolved_path: 'src/other' },
      { path: 'src/later/deep', kind: 'modified', resolved_path: 'src/other' },
      { path: 'src/later', kind: 'type_changed' },
      { path: 'src/later', kind: 'deleted', before_sha256: null },
    ];
    for (const link of links)
      assert.equal(judge([raw(link)], below).verdict.kind, 'scope_violation', JSON.stringify(link));
    const others: readonly Partial<RawChange>[] = [
      { path: 'src/later/deep/y.ts' },
      { path: 'src/late', kind: 'added', resolved_path: 'src/other' },
      { path: 'src/later', kind: 'added', detail: 'new folder of 300 files, told as one' },
    ];
    for (const other of others) assert.equal(judge([raw(other)], below).verdict.kind, 'clean', JSON.stringify(other));
  });

  it('blocks on moves of git outside the life of the worker', () => {
    const { changes, verdict } = judge([raw({ path: '.git/refs/heads/main', kind: 'git', changed_at: after })]);
    assert.equal(changes[0]?.violation, null);
    assert.equal(verdict.kind, 'external_change');
  });

  it('lists changes in one order', () => {
    const some = [
      raw({ path: 'src/b' }),
      raw({ path: 'src/a', kind: 'mode_changed' }),
      raw({ path: 'src/a', kind: 'index_flag' }),
    ];
    assert.deepEqual(judge(some).changes, judge([...some].reverse()).changes);
  });
});

function judge(changes: readonly RawChange[], options: Partial<AttributionInput> = {}) {
  return attributed({
    changes,
    paths: ['src'],
    forbidden_paths: [],
    worker_started_at: start,
    worker_ended_at: end,
    external_saves: [],
    ...options,
  });
}

function raw(change: Partial<RawChange>): RawChange {
  return {
    path: 'src/a.ts',
    kind: 'modified',
    before_sha256: 'AA',
    after_sha256: 'BB',
    resolved_path: null,
    changed_at: during,
    detail: null,
    ...change,
  };
}
