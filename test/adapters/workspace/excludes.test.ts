import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { areIgnored } from '../../../src/adapters/git/ignored';
import { certainIn } from '../../../src/core/observation/proofOfAuthor';
import { attributed } from '../../support/attribution';
import { caseSensitive } from '../../../src/core/paths/compare';
import { Bed, summary } from './bed';

/** Ignore rules that lie outside the work tree: a person's git reads them, so observation reads them too. */
describe('workspace: ignore rules of the user and of the repository', () => {
  const own = { HOME: process.env['HOME'], XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] };
  let bed: Bed;
  let home: string;
  beforeEach(() => {
    bed = Bed.repository();
    home = path.join(bed.scratch, 'home');
    mkdirSync(home);
    process.env['HOME'] = home;
    delete process.env['XDG_CONFIG_HOME'];
  });
  afterEach(() => {
    bed.remove();
    for (const [name, value] of Object.entries(own))
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
  });

  const put = (file: string, text: string): string => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const atHome = (file: string, text: string): string => put(path.join(home, file), text);

  /** What an observation says of a build that was there and is made again, in a folder that one rule names. */
  async function toldOfBuild(): Promise<readonly string[]> {
    bed.write('build/app.js', '1\n');
    await bed.baseline();
    bed.write('build/app.js', '2\n');
    bed.write('build/more.js', 'new\n');
    return summary((await bed.judge()).changes);
  }

  it('leaves out a build that only the user’s usual file ignores', async () => {
    atHome('.config/git/ignore', 'build/\n');
    assert.deepEqual(await toldOfBuild(), []);
    assert.deepEqual(await areIgnored(bed.root, ['build', 'src']), [true, false]);
  });

  it('leaves out a build that only the file of XDG_CONFIG_HOME ignores', async () => {
    process.env['XDG_CONFIG_HOME'] = path.join(home, 'settings');
    atHome('settings/git/ignore', 'build/\n');
    assert.deepEqual(await toldOfBuild(), []);
  });

  it('leaves out a build that only a file named by the user’s settings ignores, and runs nothing of these settings', async () => {
    const ran = path.join(bed.scratch, 'ran');
    const evil = atHome('evil', `#!/bin/sh\ntouch '${ran}'\n`);
    execFileSync('chmod', ['755', evil]);
    atHome('.ignored', 'build/\n');
    const settings = ['excludesFile = ~/.ignored', `fsmonitor = ${evil}`, `pager = ${evil}`, `editor = ${evil}`];
    atHome('.gitconfig', `[core]\n\t${settings.join('\n\t')}\n[alias]\n\tls-files = !${evil}\n`);
    assert.deepEqual(await toldOfBuild(), []);
    assert.equal(existsSync(ran), false);
  });

  it('leaves out a build that info/exclude of the repository ignores', async () => {
    appendFileSync(bed.at('.git/info/exclude'), 'build/\n');
    assert.deepEqual(await toldOfBuild(), []);
  });

  it('reads the file that the repository names in place of the user’s, also by the home folder', async () => {
    atHome('.config/git/ignore', 'build/\n');
    atHome('mine', 'other/\n');
    bed.git('config', 'core.excludesFile', '~/mine');
    assert.deepEqual(await toldOfBuild(), ['modified build/app.js', 'added build/more.js']);
  });

  it('reads a repository whose configuration names paths of the home folder', async () => {
    for (const [key, value] of [
      ['core.hooksPath', '~/hooks'],
      ['core.attributesFile', '~/attributes'],
      ['include.path', '~/more'],
    ] as const)
      bed.git('config', key, value);
    await bed.baseline();
    bed.git('update-index', '--assume-unchanged', 'README.md');
    const judged = await bed.judge();
    assert.deepEqual(summary(judged.changes), ['index_flag README.md']);
    assert.ok(!judged.not_observed.some((sentence) => sentence.includes('could not be read')));
  });

  it('waits for no pipe in the place of such a file', async () => {
    mkdirSync(path.join(home, '.config/git'), { recursive: true });
    execFileSync('mkfifo', [path.join(home, '.config/git/ignore')]);
    bed.git('config', 'core.excludesFile', path.join(home, 'pipe'));
    execFileSync('mkfifo', [path.join(home, 'pipe')]);
    assert.deepEqual(await areIgnored(bed.root, ['dist', 'build']), [true, false]);
    bed.git('config', '--unset', 'core.excludesFile');
    assert.deepEqual(await areIgnored(bed.root, ['dist', 'build']), [true, false]);
  });

  it('reports a changed ignore file as a doubt, or as a change of others where a sandbox held the worker', async () => {
    const file = path.join(home, '.config/git/ignore');
    await bed.baseline();
    atHome('.config/git/ignore', 'secret.txt\n');
    const { changes } = await bed.difference();
    assert.deepEqual(
      changes.map(({ path: name, kind, lies_at }) => [kind, name, lies_at]),
      [['git', `.git/excludes at ${file}`, [file]]],
    );
    const judge = (reaches: readonly { writable: readonly string[]; read_only: readonly string[] }[]) =>
      attributed({
        ...{ changes, paths: ['src'], forbidden_paths: [], worker_started_at: '2020-01-01T00:00:00.000Z' },
        ...{ worker_ended_at: null, external_saves: [], reaches },
        isCertain: certainIn({ paths: ['src'], locked: [], claims: [], reaches, comparison: caseSensitive }),
      });
    assert.equal(judge([]).changes[0]?.doubt, 'changes which files git ignores');
    assert.deepEqual(judge([{ writable: ['src'], read_only: [] }]).verdict, { kind: 'clean' });
  });
});
