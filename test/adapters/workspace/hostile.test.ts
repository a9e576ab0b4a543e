import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { Bed, summary } from './bed';

/** A repository may name programs; looking at it runs none of them. */
describe('workspace: a hostile repository', () => {
  it('executes nothing: monitor, hooks, filters, textconv, transports, pager, alias, other index', async () => {
    const bed = Bed.repository();
    try {
      const marker = path.join(bed.scratch, 'executed');
      const program = path.join(bed.scratch, 'program.sh');
      writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> ${marker}\ncat\n`);
      chmodSync(program, 0o755);
      bed.write('.gitattributes', '* filter=evil diff=evil\n');
      bed.git('add', '.gitattributes');
      bed.git('commit', '-q', '-m', 'attributes');
      for (const key of [
        'core.fsmonitor',
        'core.sshCommand',
        'core.pager',
        'core.editor',
        'core.askPass',
        'core.gitProxy',
        'filter.evil.clean',
        'filter.evil.smudge',
        'filter.evil.process',
        'diff.evil.textconv',
        'diff.evil.command',
        'diff.external',
        'credential.helper',
        'remote.origin.uploadpack',
        'gpg.program',
      ]) {
        bed.git('config', key, program);
      }
      bed.git('config', 'alias.ls-files', `!${program}`);
      bed.git('config', 'core.hooksPath', path.join(bed.scratch, 'hooks'));
      bed.git('config', 'core.worktree', bed.outside);
      bed.git('config', 'remote.origin.url', `ext::${program}`);
      bed.git('config', 'remote.origin.promisor', 'true');
      bed.git('config', 'extensions.partialClone', 'origin');
      bed.git('config', 'core.repositoryFormatVersion', '1');
      mkdirSync(path.join(bed.scratch, 'hooks'));
      for (const hook of ['post-index-change', 'fsmonitor-watchman', 'post-checkout', 'reference-transaction']) {
        writeFileSync(path.join(bed.scratch, 'hooks', hook), `#!/bin/sh\necho hook >> ${marker}\n`, { mode: 0o755 });
      }
      rmSync(marker, { force: true });
      bed.write('build/x.txt', 'makes git list untracked files\n');
      await bed.baseline();
      bed.write('src/a.txt', 'changed\n');
      bed.write('.git/refs/tags/fetched', bed.headCommit());
      bed.write('.git/FETCH_HEAD', 'forged\n');
      const { changes } = await bed.judge();
      assert.deepEqual(summary(changes), ['git .git/refs/tags/fetched', 'modified src/a.txt']);
      await bed.workspace.head();
      assert.equal(existsSync(marker), false, existsSync(marker) ? readFileSync(marker, 'utf8') : '');
    } finally {
      bed.remove();
    }
  });

  it('would run its monitor without our protections', function () {
    const bed = Bed.repository();
    try {
      const marker = path.join(bed.scratch, 'executed');
      const program = path.join(bed.scratch, 'program.sh');
      writeFileSync(program, `#!/bin/sh\necho yes >> ${marker}\n`, { mode: 0o755 });
      bed.git('config', 'core.fsmonitor', program);
      execFileSync('git', ['ls-files', '-o'], { cwd: bed.root, stdio: 'ignore' });
      execFileSync('git', ['status'], { cwd: bed.root, stdio: 'ignore' });
      assert.ok(existsSync(marker), 'the marker shows that the test above can fail');
    } finally {
      bed.remove();
    }
  });

  it('cannot make us wait: pipes in place of HEAD, config, packed-refs, a branch and FETCH_HEAD', async () => {
    const bed = Bed.repository();
    try {
      await bed.baseline();
      for (const name of ['config', 'packed-refs', 'refs/heads/pipe', 'FETCH_HEAD', 'hooks/pipe']) {
        rmSync(bed.at(`.git/${name}`), { force: true });
        execFileSync('mkfifo', [bed.at(`.git/${name}`)]);
      }
      const { changes } = await bed.judge();
      const found = summary(changes);
      for (const name of ['config', 'refs/heads/pipe', 'hooks/pipe', 'index'])
        assert.ok(
          found.some((line) => line.endsWith(` .git/${name}`)),
          found.join('\n'),
        );
    } finally {
      bed.remove();
    }
  });

  it('cannot keep us from recording what was seen: a folder and a pipe where it is written', async () => {
    const bed = Bed.repository();
    try {
      await bed.baseline();
      const record = path.join(bed.runDirectory, 'observed.json');
      mkdirSync(path.join(record, 'deep'), { recursive: true });
      execFileSync('mkfifo', [`${record}.tmp`]);
      bed.write('src/a.txt', 'changed\n');
      const { changes } = await bed.judge();
      assert.deepEqual(summary(changes), ['modified src/a.txt']);
      assert.match(readFileSync(record, 'utf8'), /src\/a\.txt/);
      const aside = readdirSync(bed.runDirectory).filter((name) => name.startsWith('observed.json~'));
      assert.equal(aside.length, 1);
    } finally {
      bed.remove();
    }
  });

  it('is observed without git where git is not installed, and the evidence says what that leaves out', async () => {
    const bed = Bed.repository();
    const searched = process.env['PATH'];
    try {
      bed.write('build/x.txt', 'x\n');
      process.env['PATH'] = bed.outside;
      await bed.baseline();
      bed.write('build/x.txt', 'changed\n');
      bed.write('.git/hooks/pre-commit', '#!/bin/sh\n');
      const judged = await bed.judge();
      assert.deepEqual(summary(judged.changes), ['git .git/hooks/pre-commit', 'modified build/x.txt']);
      assert.ok(judged.not_observed.some((sentence) => sentence.includes('skip-worktree could not be read')));
    } finally {
      process.env['PATH'] = searched;
      bed.remove();
    }
  });
});
