import assert from 'node:assert/strict';
import type { Change, RawChange } from '../../../src/core/observation/change';
import { divideChanges, type Beside, type DivisionInput } from '../../../src/core/observation/assignChangesToLanes';

const during = '2026-01-01T10:02:00.000Z';
const ended = '2026-01-01T10:03:00.000Z';
const later = '2026-01-01T10:04:00.000Z';

describe('the attribution of changes among lanes', () => {
  it('leaves to a live lane what its lock holds, and names the lane', () => {
    const { own, elsewhere } = divideChanges(input([raw('mine/x'), raw('theirs/x'), raw('nobody/x')]));
    assert.deepEqual(paths(own), ['mine/x', 'nobody/x']);
    assert.deepEqual(elsewhere, ['theirs: locked by task B, which ran beside it and is observed by itself']);
  });

  it('divides nothing where no other lane ran', () => {
    const { own, elsewhere } = divideChanges(input([raw('mine/x'), raw('theirs/x')], { beside: [] }));
    assert.deepEqual(paths(own), ['mine/x', 'theirs/x']);
    assert.deepEqual(elsewhere, []);
  });

  it('leaves to an ended lane the state in which it left a file, whatever the baseline', () => {
    const left = [found('theirs/x', { kind: 'added', after_sha256: 'AB' })];
    const seen = raw('theirs/x', { kind: 'modified', after_sha256: 'ab', changed_at: later });
    assert.deepEqual(paths(divideChanges(input([seen], { beside: [lane({ ended_at: ended, left })] })).own), []);
  });

  it('holds what became of it afterwards against the lane that still ran', () => {
    const left = [found('theirs/x', { after_sha256: 'AB' })];
    const beside = [lane({ ended_at: ended, left })];
    for (const change of [
      raw('theirs/x', { after_sha256: 'CD', changed_at: later }),
      raw('theirs/x', { kind: 'deleted', after_sha256: null, changed_at: later }),
      raw('theirs/new', { changed_at: later }),
      raw('theirs/x', { kind: 'index_flag', after_sha256: null, changed_at: null }),
    ])
      assert.deepEqual(divideChanges(input([change], { beside })).own, [change]);
  });

  it('leaves to a lane that has ended what was changed before it ended: its verify commands count as it', () => {
    const beside = [lane({ ended_at: ended })];
    assert.deepEqual(divideChanges(input([raw('theirs/x', { changed_at: during })], { beside })).own, []);
  });

  it('holds against a lane what it changed before another began to hold the place', () => {
    const before = raw('theirs/x', { changed_at: '2026-01-01T10:00:30.000Z' });
    for (const ended_at of [null, ended])
      assert.deepEqual(divideChanges(input([before], { beside: [lane({ ended_at })] })).own, [before]);
    assert.equal(divideChanges(input([raw('theirs/x')], { beside: [lane({ since: null })] })).own.length, 1);
  });

  it("never leaves git, reserved folders or a lane's own paths to another lane", () => {
    const changes = [raw('.git/HEAD', { kind: 'git' }), raw('docs/plans/PLAN_P.json'), raw('mine/deep/x')];
    const beside = [lane({ paths: ['.git', 'docs', 'mine/deep'] })];
    assert.deepEqual(divideChanges(input(changes, { beside })).own, changes);
  });

  it('holds against a lane what its own worker announced in the paths of another', () => {
    const { own } = divideChanges(input([raw('theirs/x'), raw('theirs/y')], { announced: ['theirs/x'] }));
    assert.deepEqual(paths(own), ['theirs/x']);
  });

  it('reports a violation once, and once more for another state of the same file', () => {
    const left = [found('nobody/x', { after_sha256: 'AB', violation: 'lies outside' })];
    const beside = [lane({ ended_at: ended, left })];
    assert.deepEqual(divideChanges(input([raw('nobody/x', { after_sha256: 'AB' })], { beside })).own, []);
    assert.equal(divideChanges(input([raw('nobody/x', { after_sha256: 'CD' })], { beside })).own.length, 1);
  });

  it('leaves a doubt to another lane in its lock alone: outside all locks each lane may have made it', () => {
    const doubt = { after_sha256: 'AB', doubt: 'lies outside' };
    const left = [found('nobody/x', doubt), found('theirs/.git/HEAD', doubt)];
    const beside = [lane({ ended_at: ended, left })];
    const changes = left.map(({ path }) => raw(path, { after_sha256: 'AB' }));
    assert.deepEqual(paths(divideChanges(input(changes, { beside })).own), ['nobody/x']);
  });

  it('knows the evidence that the runner wrote by its exact content', () => {
    const path = 'docs/ops/executions/P/TASK_B.json';
    const evidence = [{ path, sha256: 'AB' }];
    assert.deepEqual(divideChanges(input([raw(path, { after_sha256: 'ab' })], { evidence })).own, []);
    assert.equal(divideChanges(input([raw(path, { after_sha256: 'cd' })], { evidence })).own.length, 1);
  });

  it('compares paths as the file system does', () => {
    const comparison = { case_insensitive: true };
    assert.deepEqual(divideChanges(input([raw('Theirs/X')], { comparison })).own, []);
    assert.equal(divideChanges(input([raw('Theirs/X')])).own.length, 1);
  });

  it('looks at each change and at what was left a few times, however many there are', () => {
    let looks = 0;
    const counted = <T extends RawChange>(change: T): T =>
      Object.defineProperty({ ...change }, 'path', { get: () => ((looks += 1), change.path) });
    const names = Array.from({ length: 2000 }, (_, index) => `nobody/${index}`);
    const left = names.map((name) => counted(found(name, { violation: 'lies outside' })));
    const evidence = names.map((name) => counted(raw(`docs/${name}`))).map(({ path }) => ({ path, sha256: 'AB' }));
    looks = 0;
    const changes = names.map((name) => counted(raw(`more/${name}`)));
    const { own } = divideChanges(input(changes, { beside: [lane({ ended_at: ended, left })], evidence }));
    assert.equal(own.length, names.length);
    assert(looks < 10 * names.length, `${looks} looks`);
  });
});

function input(changes: readonly RawChange[], given: Partial<DivisionInput> = {}): DivisionInput {
  return { changes, paths: ['mine'], beside: [lane({})], announced: [], evidence: [], folders: [], ...given };
}

function lane(given: Partial<Beside>): Beside {
  return { task_id: 'B', paths: ['theirs'], since: '2026-01-01T10:01:00.000Z', ended_at: null, left: [], ...given };
}

function raw(path: string, given: Partial<RawChange> = {}): RawChange {
  return {
    path,
    kind: 'modified',
    before_sha256: '00',
    after_sha256: '11',
    resolved_path: null,
    changed_at: during,
    detail: null,
    ...given,
  };
}

function found(path: string, given: Partial<Change>): Change {
  return { ...raw(path), attribution: 'worker', in_scope: true, violation: null, ...given };
}

function paths(changes: readonly RawChange[]): readonly string[] {
  return changes.map(({ path }) => path);
}
