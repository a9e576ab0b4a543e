import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, rmSync, utimesSync, renameSync } from 'node:fs';
import type { Change } from '../../../src/core/observation/change';
import { fileClockTicks } from '../files/fileClock';
import { Bed, summary } from './bed';

/** What happens in a healthy mission and must not fail it. */
describe('workspace: a healthy mission', () => {
  let bed: Bed;
  beforeEach(() => {
    bed = Bed.repository();
  });
  afterEach(() => bed.remove());

  it('sees nothing where nothing happened', async () => {
    await bed.baseline();
    const judged = await bed.judge();
    assert.deepEqual(judged.changes, []);
    assert.deepEqual(judged.verdict, { kind: 'clean' });
    assert.ok(judged.not_observed.some((sentence) => sentence.startsWith('Nothing outside the workspace')));
  });

  it('records an edit in scope with both digests', async () => {
    await bed.baseline();
    bed.write('src/a.txt', 'changed\n');
    const { changes, verdict } = await bed.judge();
    assert.deepEqual(summary(changes), ['modified src/a.txt']);
    const [change] = changes as [Change];
    assert.equal(change.before_sha256, sha('a\n'));
    assert.equal(change.after_sha256, sha('changed\n'));
    assert.equal(change.attribution, 'worker');
    assert.equal(change.in_scope, true);
    assert.deepEqual(verdict, { kind: 'clean' });
  });

  it('sees an edit that keeps size and modification time', async () => {
    const old = new Date('2020-01-01T00:00:00Z');
    utimesSync(bed.at('src/a.txt'), old, old);
    await bed.baseline();
    bed.write('src/a.txt', 'A\n');
    utimesSync(bed.at('src/a.txt'), old, old);
    assert.deepEqual(summary((await bed.judge()).changes), ['modified src/a.txt']);
  });

  it('counts neither a touch nor a rewrite with the same content', async () => {
    await bed.baseline([]);
    utimesSync(bed.at('src/a.txt'), new Date(), new Date());
    bed.write('src/b.txt', 'b\n');
    const copy = bed.at('README.md');
    const content = readFileSync(copy);
    rmSync(copy);
    bed.write('README.md', content);
    assert.deepEqual((await bed.judge()).changes, []);
  });

  it('does not count what the Git extension does: status, refresh, fetch with new tags, clean-up, its keys in config', async () => {
    bed.gitIn(bed.scratch, 'clone', '-q', '--bare', bed.root, 'remote.git');
    bed.git('remote', 'add', 'origin', `${bed.scratch}/remote.git`);
    bed.gitIn(bed.scratch, 'clone', '-q', `${bed.scratch}/remote.git`, 'colleague');
    await bed.baseline();
    utimesSync(bed.at('src/a.txt'), new Date(), new Date());
    bed.git('status');
    bed.git('update-index', '--refresh');
    for (const tag of ['v1', 'v2']) {
      const colleague = `${bed.scratch}/colleague`;
      bed.gitIn(colleague, 'commit', '-q', '--allow-empty', '-m', tag);
      bed.gitIn(colleague, 'tag', tag);
      bed.gitIn(colleague, 'tag', '-a', '-m', 'annotated', `${tag}-annotated`);
      bed.gitIn(colleague, 'push', '-q', '--tags', 'origin', 'main');
      bed.git('fetch', '-q');
    }
    bed.git('gc', '-q');
    bed.git('config', 'branch.main.vscode-merge-base', 'origin/main');
    bed.git('config', 'branch.other.github-pr-owner-number', 'a#b#1');
    const { changes, verdict } = await bed.judge();
    // Any process that can write to .git could have made them: they fail no mission, but a person is asked.
    assert.deepEqual(
      summary(changes),
      ['v1', 'v1-annotated', 'v2', 'v2-annotated'].map((tag) => `git .git/refs/tags/${tag}`),
    );
    assert.equal(verdict.kind, 'external_change');
  });

  it('does not count tags that a fetch brings for what was on a remote branch before', async () => {
    bed.gitIn(bed.scratch, 'clone', '-q', '--bare', bed.root, 'remote.git');
    bed.git('remote', 'add', 'origin', `${bed.scratch}/remote.git`);
    bed.git('fetch', '-q');
    await bed.baseline();
    bed.gitIn(`${bed.scratch}/remote.git`, 'tag', 'v1', 'main');
    bed.gitIn(`${bed.scratch}/remote.git`, 'tag', '-a', '-m', 'annotated', 'v1-annotated', 'main');
    bed.git('fetch', '-q', '--tags');
    bed.git('tag', 'no-commit', 'main:README.md');
    const { changes, not_observed, verdict } = await bed.judge();
    assert.deepEqual(summary(changes), ['git .git/refs/tags/no-commit']);
    assert.equal(verdict.kind, 'scope_violation');
    assert.ok(not_observed.some((sentence) => sentence.includes('v1, v1-annotated')));
  });

  it('does not count our own git calls', async () => {
    await bed.baseline([]);
    const index = readFileSync(bed.at('.git/index'));
    assert.match((await bed.workspace.head()) ?? '', /^[0-9a-f]{40}$/);
    await bed.difference();
    assert.deepEqual(readFileSync(bed.at('.git/index')), index);
    assert.deepEqual((await bed.judge()).changes, []);
  });

  it("records a person's save as external, also out of scope", async () => {
    await bed.baseline();
    bed.write('README.md', 'a person was here\n');
    const save = { path: 'README.md', sha256: sha('a person was here\n'), at: new Date().toISOString() };
    const { changes, verdict } = await bed.judge([save]);
    assert.deepEqual(
      changes.map((change) => [change.path, change.attribution, change.in_scope, change.violation]),
      [['README.md', 'external_change', false, null]],
    );
    assert.deepEqual(verdict, { kind: 'clean' });
  });

  it("does not let a person's save hide what the worker wrote over it", async () => {
    await bed.baseline();
    bed.write('README.md', 'the worker was here\n');
    const save = { path: 'README.md', sha256: sha('a person was here\n'), at: new Date().toISOString() };
    assert.equal((await bed.judge([save])).verdict.kind, 'scope_violation');
  });

  it('does not count what verify wrote after the difference in the next attempt', async () => {
    await bed.baseline();
    bed.write('src/a.txt', 'changed\n');
    await bed.difference();
    bed.write('coverage.txt', 'written by verify\n');
    await bed.baseline();
    bed.write('src/b.txt', 'changed\n');
    const { changes, verdict } = await bed.judge();
    assert.deepEqual(summary(changes), ['modified src/b.txt']);
    assert.equal(verdict.kind, 'clean');
  });

  it('takes digests of untouched files from the previous baseline, and still sees every change', async () => {
    const old = new Date('2020-01-01T00:00:00Z');
    utimesSync(bed.at('src/a.txt'), old, old);
    await bed.baseline();
    await bed.baseline();
    bed.write('src/a.txt', 'A\n');
    utimesSync(bed.at('src/a.txt'), old, old);
    await bed.difference();
    await bed.baseline();
    bed.write('src/a.txt', 'a\n');
    const { changes } = await bed.judge();
    assert.deepEqual(
      changes.map((change) => [change.before_sha256, change.after_sha256]),
      [[sha('A\n'), sha('a\n')]],
    );
  });

  it('does not blame the worker for a folder that became visible when the ignore rules changed', async () => {
    bed.write('dist/old.js', 'built long ago\n');
    await bed.baseline(['.gitignore']);
    bed.write('.gitignore', 'node_modules/\n.env\n.mission-control/\n');
    assert.deepEqual(summary((await bed.judge()).changes), ['modified .gitignore']);
  });

  it('sees a folder renamed in scope as deletions and additions by the worker', async () => {
    bed.write('src/old/x.txt', 'x\n');
    await bed.baseline();
    const own = lstatSync(bed.at('src/old/x.txt')).ctime.toISOString();
    await fileClockTicks(bed.outside);
    renameSync(bed.at('src/old'), bed.at('src/new'));
    const { changes, verdict } = await bed.judge();
    assert.deepEqual(summary(changes), ['added src/new/x.txt', 'deleted src/old/x.txt']);
    // The moved file keeps its own time, which is before the worker's; that of the folder counts.
    assert.ok((changes[0]?.changed_at ?? '') > own);
    assert.deepEqual(
      changes.map((change) => change.attribution),
      ['worker', 'worker'],
    );
    assert.equal(verdict.kind, 'clean');
  });

  it('sees a folder moved to the place of another at the time of the move', async () => {
    for (const folder of ['old', 'new']) bed.write(`src/${folder}/x.txt`, `${folder}\n`);
    await bed.baseline();
    const own = lstatSync(bed.at('src/new/x.txt')).ctime.toISOString();
    await fileClockTicks(bed.outside);
    rmSync(bed.at('src/old'), { recursive: true });
    renameSync(bed.at('src/new'), bed.at('src/old'));
    const { changes } = await bed.judge();
    assert.deepEqual(summary(changes), ['deleted src/new/x.txt', 'modified src/old/x.txt']);
    for (const { changed_at } of changes) assert.ok((changed_at ?? '') > own);
  });

  it('records every permission bit, because a private file that opens is a change too', async () => {
    await bed.baseline();
    chmodSync(bed.at('src/a.txt'), 0o600);
    chmodSync(bed.at('src/b.txt'), 0o755);
    const { changes } = await bed.judge();
    assert.deepEqual(
      changes.map((change) => [change.kind, change.path, change.detail]),
      [
        ['mode_changed', 'src/a.txt', 'mode 0644 -> 0600'],
        ['mode_changed', 'src/b.txt', 'mode 0644 -> 0755'],
      ],
    );
  });

  it('records a time after the end of the worker’s processes for a later change', async () => {
    await bed.baseline();
    const ended = Date.now() - 60_000;
    bed.write('src/a.txt', 'somebody else\n');
    const { changes } = await bed.difference();
    assert.ok(Date.parse(changes[0]?.changed_at ?? '') > ended);
  });
});

function sha(text: string): string {
  return createHash('sha256').update(text).digest('hex').toUpperCase();
}
