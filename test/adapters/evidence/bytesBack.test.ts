import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { evidenceReader } from '../../../src/adapters/evidence/reader';
import { attributeLines, lineEndsHint } from '../../../src/contracts/vocabulary/files/evidenceFiles';
import type { EvidenceFinding } from '../../../src/contracts/vocabulary/codes/evidenceFindings';
import { verifyEvidence } from '../../../src/engine/evidence/verify';
import { evidenceFolder, evidenceSample, missionId, planId, type EvidenceSample } from './sample';
import { removeScratch, scratch } from '../scratch';

type Git = (...args: readonly string[]) => string;

/** The real git in a folder, with a way to change line ends. */
function gitIn(cwd: string, autocrlf: boolean): Git {
  const settings = ['user.name=Ann', 'user.email=ann@localhost', 'commit.gpgsign=false', `core.autocrlf=${autocrlf}`];
  const own = settings.flatMap((one) => ['-c', one]);
  return (...args) => execFileSync('git', [...own, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' });
}

/** Does what one command of the step says, with its words replaced. */
function follow(git: Git, next: string, start: string, words: Readonly<Record<string, string>> = {}): string {
  const command = [...next.matchAll(/`git ([^`]+)`/g)].map(([, one = '']) => one).find((one) => one.startsWith(start));
  assert.ok(command, `${start} in ${next}`);
  return git(...command.split(' ').map((word) => word.replace(/COMMIT|FILE/, (name) => words[name] ?? name)));
}

const indented = (text: string): string => JSON.stringify(JSON.parse(text), null, 4);
const windows = (text: string): string => text.replaceAll('\n', '\r\n');

const names = ['EXECUTION_HEADER.json', 'EXECUTION_SUMMARY.md', 'PLAN.locked.json', 'TASK_T1.json', 'TASK_T2.json'];

describe('the next step of evidence in another form', () => {
  afterEach(removeScratch);

  const verdict = (root: string, { journal }: EvidenceSample): ReturnType<typeof verifyEvidence> =>
    verifyEvidence(evidenceReader(root, planId), journal);
  const errorOf = async (sample: EvidenceSample, name: string, root = sample.root): Promise<EvidenceFinding> => {
    const { findings } = await verdict(root, sample);
    const found = findings.find(({ file, severity }) => file === name && severity === 'error');
    assert.ok(found, name);
    return found;
  };
  const rewrite = async (sample: EvidenceSample, name: string, form: (text: string) => string): Promise<void> =>
    writeFile(sample.file(name), form(await readFile(sample.file(name), 'utf8')));
  const holds = async (sample: EvidenceSample, root = sample.root): Promise<void> =>
    assert.equal((await verdict(root, sample)).valid, true);
  const committed = (root: string): Git => {
    const git = gitIn(root, false);
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'evidence');
    return git;
  };
  /** The oldest commit that a log shows. */
  const oldest = (log: string): string => [...log.matchAll(/^commit ([0-9a-f]+)$/gm)].at(-1)?.[1] ?? '';
  const FILE = `${evidenceFolder}/TASK_T1.json`;

  it('brings the bytes back, before the format is committed and after', async () => {
    const sample = await evidenceSample();
    const git = committed(sample.root);
    await rewrite(sample, 'TASK_T1.json', indented);
    const { next: first } = await errorOf(sample, 'TASK_T1.json');
    assert.match(follow(git, first, 'diff'), /TASK_T1\.json/);
    follow(git, first, 'restore -- ');
    await holds(sample);
    await rewrite(sample, 'TASK_T1.json', indented);
    git('commit', '-q', '-a', '-m', 'format');
    const { next } = await errorOf(sample, 'TASK_T1.json');
    assert.equal(follow(git, next, 'diff'), '');
    const COMMIT = oldest(follow(git, next, 'log', { FILE }));
    follow(git, next, 'restore --source', { COMMIT, FILE });
    await holds(sample);
  });

  it('brings the bytes back in a clone whose line ends git converted', async () => {
    const sample = await evidenceSample();
    committed(sample.root);
    const clone = path.join(await scratch(), 'clone');
    const git = gitIn(clone, true);
    gitIn(sample.root, true)('clone', '-q', sample.root, clone);
    // Git knows each file as unchanged, as it does a while after a clone.
    const before = new Date(Date.now() - 60_000);
    for (const name of names) await utimes(path.join(clone, evidenceFolder, name), before, before);
    assert.equal(git('status', '--porcelain'), '');
    const steps = await Promise.all(names.map((name) => errorOf(sample, name, clone)));
    await appendFile(path.join(clone, '.gitattributes'), `${attributeLines.join('\n')}\n`);
    for (const { file, hint, next } of steps) {
      assert.equal(hint, lineEndsHint);
      const words = { FILE: `${evidenceFolder}/${file}` };
      assert.match(next, /^First add the lines to \.gitattributes\./);
      assert.notEqual(follow(git, next, 'log', words), '');
      assert.match(next, / delete FILE, /);
      await rm(path.join(clone, words.FILE));
      follow(git, next, 'restore -- ', words);
    }
    await holds(sample, clone);
    assert.equal(git('status', '--porcelain', '--', evidenceFolder), '');
  });

  it('brings the bytes back where line ends were committed', async () => {
    const sample = await evidenceSample();
    const git = committed(sample.root);
    await rewrite(sample, 'TASK_T1.json', windows);
    git('commit', '-q', '-a', '-m', 'line ends');
    const { next } = await errorOf(sample, 'TASK_T1.json');
    const COMMIT = oldest(follow(git, next, 'log', { FILE }));
    follow(git, next, 'restore --source', { COMMIT, FILE });
    await holds(sample);
  });

  it('says where a copy is of evidence that git does not have', async () => {
    const kept = `.mission-control/missions/${missionId}/PLAN.locked.json`;
    for (const form of [indented, windows]) {
      const sample = await evidenceSample();
      const git = gitIn(sample.root, false);
      git('init', '-q');
      git('commit', '-q', '--allow-empty', '-m', 'first');
      for (const name of ['TASK_T1.json', 'PLAN.locked.json']) {
        await rewrite(sample, name, form);
        const { next } = await errorOf(sample, name);
        assert.equal(follow(git, next, 'log', { FILE: `${evidenceFolder}/${name}` }), '');
        assert.match(next, /Where the log shows (?:none|no such commit), git has no copy/);
        assert.equal(next.includes(kept), name === 'PLAN.locked.json', next);
        assert.equal(/LF without a byte-order mark/.test(next), name === 'TASK_T1.json' && form === windows, next);
      }
    }
  });
});
