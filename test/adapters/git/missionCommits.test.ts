import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkOut, pushWork } from '../../../src/adapters/git/missionCommits';
import { removeScratch, scratch } from '../scratch';

const settings = ['user.name=Ada', 'user.email=ada@example.com', 'protocol.file.allow=always'];

function git(cwd: string, ...args: readonly string[]): string {
  const given = settings.flatMap((setting) => ['-c', setting]);
  return execFileSync('git', [...given, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

describe('the work of a mission on a host', () => {
  after(removeScratch);
  let root: string;
  let up: string;
  let folder: string;
  let from: Parameters<typeof checkOut>[0];
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  beforeEach(async () => {
    root = await scratch();
    const inner = path.join(root, 'inner');
    up = path.join(root, 'up');
    for (const repository of [inner, up]) {
      git(root, 'init', '-q', repository);
      for (const name of ['a', 'b', 'c']) writeFileSync(path.join(repository, name), `${name}\n`);
      writeFileSync(path.join(repository, '.gitignore'), 'evidence/\nbuilt/\n');
      git(repository, 'add', '.');
      git(repository, 'commit', '-q', '-m', 'first');
    }
    git(up, 'submodule', 'add', '-q', inner, 'sub');
    git(up, 'commit', '-q', '-m', 'second');
    const commit = git(up, 'rev-parse', 'HEAD').trim();
    const host = path.join(root, 'host');
    folder = path.join(host, 'missions', 'one-0');
    from = { repository: `file://${up}`, commit, root: host, folder };
    assert.deepEqual(await checkOut(from), { ok: true, value: null });
  });

  let held = true;
  const push = (message = 'Mission one'): ReturnType<typeof pushWork> =>
    pushWork(from, {
      branch: 'mission/one/0',
      evidence: 'evidence/one',
      message,
      author: 'Ada',
      held: () => Promise.resolve(held),
    });

  it('is pushed with all that git can hold, and the folder stays as it is', async () => {
    write('evidence/one/TASK_T1.json', '{}');
    write('built/x', 'x');
    write('d/new', 'new');
    rmSync(path.join(folder, 'a'));
    chmodSync(path.join(folder, 'b'), 0o755);
    rmSync(path.join(folder, 'c'));
    symlinkSync('b', path.join(folder, 'c'));
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x6e, 0xff])]), '');
    const before = git(folder, 'status', '--porcelain', '--ignored');
    assert.deepEqual(await push(), { ok: true, value: 'mission/one/0' });
    assert.equal(git(folder, 'status', '--porcelain', '--ignored'), before);
    assert.equal(git(folder, 'rev-parse', 'HEAD').trim(), from.commit);
    const raw = git(up, 'diff', '--raw', '--no-renames', '--abbrev=4', from.commit, 'mission/one/0').trim().split('\n');
    assert.deepEqual(
      raw.map((line) => line.replace(/ [0-9a-f]{4} [0-9a-f]{4} /, ' ')),
      [
        ':100644 000000 D\ta',
        ':100644 100755 M\tb',
        ':100644 120000 T\tc',
        ':000000 100644 A\td/new',
        ':000000 100644 A\tevidence/one/TASK_T1.json',
        ':000000 100644 A\t"n\\377"',
      ],
    );
    const again = await push('Mission one, again');
    assert(!again.ok && again.refusal.code === 'FLEET_NOT_PUSHED', JSON.stringify(again));
  });

  it('is not pushed where the claim is lost right before', async () => {
    held = false;
    const refused = await push();
    held = true;
    assert(!refused.ok);
    assert.match(refused.refusal.reason, /counts this host as lost/);
    assert.equal(git(up, 'branch', '--list', 'mission/*'), '');
  });

  it('starts no program of the repository that it is pushed to', async () => {
    const planted = path.join(root, 'planted');
    writeFileSync(path.join(up, '.git/objects/info/alternates'), path.join(root, 'inner/.git/objects'));
    git(up, 'config', 'core.alternateRefsCommand', `echo >> '${planted}'; true`);
    for (const hook of ['pre-receive', 'update', 'post-receive', 'reference-transaction', 'post-update'])
      writeFileSync(path.join(up, '.git/hooks', hook), `#!/bin/sh\necho >> '${planted}'\n`, { mode: 0o755 });
    assert.deepEqual(await push(), { ok: true, value: 'mission/one/0' });
    assert(!existsSync(planted));
  });

  it('comes from no repository in the folder of the host', async () => {
    git(root, 'clone', '-q', '--bare', up, path.join(from.root, 'planted.git'));
    symlinkSync(path.join(from.root, 'planted.git'), path.join(root, 'link.git'));
    for (const place of [
      'host/planted.git',
      'host/planted',
      'link',
      'host/../host/planted.git',
      'h%6Fst/planted',
      '%ff',
    ]) {
      const refused = await checkOut({ ...from, repository: `file://${root}/${place}`, folder: `${folder}-2` });
      assert(!refused.ok, place);
      assert.match(refused.refusal.reason, /lies in the folder of the host/, place);
    }
  });

  it('starts no program that a worker left in a submodule or in a repository of its own', async () => {
    write('evidence/one/TASK_T1.json', '{}');
    const planted = path.join(root, 'planted');
    const program = `sh -c "echo >> '${planted}'; cat"`;
    for (const name of ['sub', 'own']) {
      rmSync(path.join(folder, name), { recursive: true, force: true });
      git(folder, 'clone', '-q', path.join(root, 'inner'), name);
      for (const key of ['filter.x.clean', 'filter.x.smudge', 'core.fsmonitor', 'diff.external', 'core.pager'])
        git(path.join(folder, name), 'config', key, program);
      writeFileSync(path.join(folder, name, '.git/info/attributes'), '* filter=x\n');
      writeFileSync(path.join(folder, name, '.gitattributes'), '* filter=x\n');
      for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction', 'pre-push']) {
        writeFileSync(path.join(folder, name, '.git/hooks', hook), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
      }
      writeFileSync(path.join(folder, name, 'a'), 'A\n');
    }
    assert.deepEqual(await push(), { ok: true, value: 'mission/one/0' });
    assert(!existsSync(planted));
    assert.match(git(up, 'ls-tree', 'mission/one/0', 'sub'), /^160000/);
  });
});
