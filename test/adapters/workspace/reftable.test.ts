import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { withReftable } from '../../support/reftable';
import { Bed, summary } from './bed';

describe('workspace: a repository with a reftable', () => {
  const { PATH } = process.env;
  let bed: Bed;
  let git: (...args: readonly string[]) => string;
  beforeEach(() => {
    bed = Bed.repository();
    const { searched, ...made } = withReftable({
      ...{ root: bed.root, scratch: bed.scratch },
      git: (...args) => bed.git(...args),
    });
    if (searched !== null) process.env['PATH'] = `${searched}${path.delimiter}${PATH ?? ''}`;
    ({ git } = made);
    git('branch', 'other');
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    bed.remove();
  });

  it('reports a HEAD that names another branch at the same commit, and names both', async () => {
    await bed.baseline();
    assert.deepEqual((await bed.judge()).changes, []);
    git('symbolic-ref', 'HEAD', 'refs/heads/other');
    const { changes } = await bed.judge();
    assert.deepEqual(
      changes.map(({ path: fact, detail }) => [fact, detail]),
      [['.git/HEAD', 'ref: refs/heads/main -> ref: refs/heads/other']],
    );
    const standing = await bed.workspace.standing(changes);
    assert.equal(standing.ok && standing.value[0]?.says, 'ref: refs/heads/other');
  });

  it('reports a HEAD that is detached, and a commit on its branch alone', async () => {
    const commit = git('rev-parse', 'HEAD').trim();
    await bed.baseline();
    git('update-ref', 'refs/heads/main', git('commit-tree', '-m', 'next', '-p', 'HEAD', 'HEAD^{tree}').trim());
    assert.deepEqual(summary((await bed.judge()).changes), ['git .git/refs/heads/main']);
    git('update-ref', 'refs/heads/main', commit);
    git('update-ref', '--no-deref', 'HEAD', commit);
    git('checkout', '-q', '--detach');
    const { changes } = await bed.judge();
    assert.deepEqual(
      changes.map(({ path: fact, detail }) => [fact, detail]),
      [['.git/HEAD', `ref: refs/heads/main -> ${commit}`]],
    );
  });

  it('reports a symbolic ref that names another one, and not when that one moves', async () => {
    git('symbolic-ref', 'refs/heads/alias', 'refs/heads/other');
    await bed.baseline();
    git('update-ref', 'refs/heads/other', git('commit-tree', '-m', 'next', '-p', 'HEAD', 'HEAD^{tree}').trim());
    assert.deepEqual(summary((await bed.judge()).changes), ['git .git/refs/heads/other']);
    git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    assert.deepEqual(summary((await bed.judge()).changes), ['git .git/refs/heads/alias', 'git .git/refs/heads/other']);
  });

  it('reports when a branch went by the time of the table that held it', async () => {
    await bed.baseline();
    git('branch', '-q', '-D', 'other');
    const { ctimeMs } = statSync(bed.at('.git/reftable/tables.list'));
    const { changes } = await bed.difference();
    assert.deepEqual(
      changes.map(({ path: fact, changed_at }) => [fact, changed_at]),
      [['.git/refs/heads/other', new Date(Math.floor(ctimeMs)).toISOString()]],
    );
  });
});
