import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { CliBed, decision, start, type Ended } from './cliBed';

interface Bundle {
  readonly x_mission: {
    readonly files: { readonly file: string; bytes: number; sha256: string }[];
    readonly changes: {
      task_id: string;
      path: string;
      before_sha256: string | null;
      sha256: string | null;
      mode?: string;
      in_diff: boolean;
      why: string | null;
    }[];
  };
}

/** `docs/out/a.txt` as the run left it, which every forged diff brings as well. */
const honest = [
  'diff --git a/docs/out/a.txt b/docs/out/a.txt',
  'new file mode 100644',
  '--- /dev/null',
  '+++ b/docs/out/a.txt',
  '@@ -0,0 +1 @@',
  '+a',
  '',
].join('\n');
const created = (name: string, mode: string, content: string): string =>
  `diff --git a/${name} b/${name}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${content}\n`;

/** Diffs that touch what no task may touch, and files of the plan's scope they pretend to be about. */
const forged: Readonly<Record<string, { readonly diff: string; readonly claims?: readonly string[] }>> = {
  'a rename from outside': {
    diff: 'diff --git a/README.md b/docs/out/b.txt\nsimilarity index 100%\nrename from README.md\nrename to docs/out/b.txt\n',
    claims: ['docs/out/b.txt'],
  },
  'a rename to the outside': {
    diff: 'diff --git a/docs/out/kept.txt b/kept.txt\nsimilarity index 100%\nrename from docs/out/kept.txt\nrename to kept.txt\n',
    claims: ['docs/out/kept.txt'],
  },
  'a copy from outside': {
    diff: 'diff --git a/README.md b/docs/out/b.txt\nsimilarity index 100%\ncopy from README.md\ncopy to docs/out/b.txt\n',
    claims: ['docs/out/b.txt'],
  },
  'a change of mode outside': { diff: 'diff --git a/README.md b/README.md\nold mode 100644\nnew mode 100755\n' },
  'a quoted name': { diff: created('"evil\\tname"', '100644', 'x').replaceAll('a/"', '"a/').replaceAll('b/"', '"b/') },
  'no prefixes': {
    diff: 'diff --git docs/out/README.md docs/out/README.md\n--- docs/out/README.md\n+++ docs/out/README.md\n@@ -0,0 +1 @@\n+x\n',
    claims: ['docs/out/README.md'],
  },
  'other prefixes': {
    diff: 'diff --git docs/README.md docs/README.md\nindex 1..2 100644\n--- docs/README.md\n+++ docs/README.md\n@@ -1 +1,2 @@\n read me\n+x\n',
    claims: ['docs/README.md'],
  },
  'a traditional diff': { diff: '--- a/README.md\n+++ b/README.md\n@@ -1 +1,2 @@\n read me\n+x\n' },
  'a deletion outside': {
    diff: 'diff --git a/README.md b/README.md\ndeleted file mode 100644\n--- a/README.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-read me\n',
  },
  'a binary file outside': {
    diff: 'diff --git a/evil.bin b/evil.bin\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..f76dd238ade08917e6712764a16a22005a50573d\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n',
  },
  'a link to the outside': { diff: created('docs/out/b', '120000', '../../..'), claims: ['docs/out/b'] },
  'an absolute link': { diff: created('docs/out/b', '120000', '/etc'), claims: ['docs/out/b'] },
  'a link out of the scope': { diff: created('docs/out/b', '120000', '../../.git/hooks'), claims: ['docs/out/b'] },
  'a way through a link': { diff: created('docs/out/link/b', '100644', 'x'), claims: ['docs/out/link/b'] },
  'a submodule': {
    diff: 'diff --git a/docs/out/sub b/docs/out/sub\nnew file mode 160000\n--- /dev/null\n+++ b/docs/out/sub\n@@ -0,0 +1 @@\n+Subproject commit 1111111111111111111111111111111111111111\n',
    claims: ['docs/out/sub'],
  },
  'evidence of another plan': {
    diff: created('docs/ops/executions/other/TASK_T1.json', '100644', '{}'),
    claims: ['docs/ops/executions/other/TASK_T1.json'],
  },
  'a plan': { diff: created('docs/plans/PLAN_other.json', '100644', '{}'), claims: ['docs/plans/PLAN_other.json'] },
  'a forbidden path': { diff: created('docs/out/secret/b', '100644', 'x'), claims: ['docs/out/secret/b'] },
  'a hook of git': { diff: created('.git/hooks/post-checkout', '100755', 'x'), claims: ['.git/hooks/post-checkout'] },
  'another mode than what was left': {
    diff: created('docs/out/b.txt', '100755', 'b'),
    claims: ['docs/out/b.txt'],
  },
  'a link where a file was left': { diff: created('docs/out/b', '120000', 'a.txt'), claims: ['docs/out/b'] },
  'another content than what was left': {
    diff: created('docs/out/b.txt', '100644', 'b').replace('+b', '+other'),
    claims: ['docs/out/b.txt'],
  },
};

/** Any author may have written a diff that came with a handoff. */
describe('mission handoff resume --apply-diff', () => {
  let bed: CliBed;
  let there: string;
  let source: string;

  before(async () => {
    bed = new CliBed();
    const plan = bed.plan('run', [
      {
        script: `${start}fs.writeFileSync('docs/out/a.txt', 'a\\n');`,
        paths: ['docs/'],
        forbidden_paths: ['docs/out/secret'],
      },
      { script: `${start}process.exit(7);`, depends_on: ['T1'] },
    ]);
    bed.write('docs/out/kept.txt', 'kept\n');
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3, run.stderr);
    source = path.join(bed.scratch, 'bundle');
    const exported = await bed.mission('handoff', 'export', 'run', '--out', source);
    assert.equal(exported.code, 0, exported.stderr);
    there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
    mkdirSync(path.join(bed.scratch, 'elsewhere'));
    symlinkSync(path.join(bed.scratch, 'elsewhere'), path.join(there, 'docs/out/link'));
    chmodSync(path.join(there, 'README.md'), 0o644);
  });
  after(() => bed.dispose());

  /** The handoff with another diff, and all its digests to fit. */
  const forge = (
    name: string,
    diff: string,
    claims: readonly string[],
    more: Readonly<Record<string, unknown>> = {},
  ): string => {
    const folder = path.join(bed.scratch, name.replaceAll(' ', '-'));
    cpSync(source, folder, { recursive: true });
    const at = (file: string): string => path.join(folder, file);
    const digest = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex').toUpperCase();
    writeFileSync(at('changes.diff'), diff);
    const bundle = JSON.parse(readFileSync(at('bundle.json'), 'utf8')) as Bundle;
    for (const file of bundle.x_mission.files)
      if (file.file === 'changes.diff') Object.assign(file, { bytes: diff.length, sha256: digest(diff) });
    Object.assign(bundle.x_mission, more);
    for (const claim of claims)
      bundle.x_mission.changes.push({
        task_id: 'T1',
        path: claim,
        before_sha256: null,
        sha256: digest('b\n'),
        mode: '644',
        in_diff: true,
        why: null,
      });
    writeFileSync(at('bundle.json'), `${JSON.stringify(bundle, null, 2)}\n`);
    const sums = readdirSync(folder).filter((file) => file !== 'SHA256SUMS');
    writeFileSync(
      at('SHA256SUMS'),
      sums.map((file) => `${digest(readFileSync(at(file))).toLowerCase()}  ${file}\n`).join(''),
    );
    return folder;
  };
  /** Every file, folder, link, mode and content of the clone, and of our own folder the missions. */
  const everything = (): readonly string[] =>
    readdirSync(there, { recursive: true, encoding: 'utf8' })
      .filter((name) => !/^\.mission-control(?!\/missions\/)/.test(name))
      .sort()
      .map((name) => {
        const file = path.join(there, name);
        const stats = lstatSync(file);
        const link = stats.isSymbolicLink() ? readlinkSync(file) : '';
        return `${name} ${stats.mode.toString(8)} ${stats.isFile() ? readFileSync(file).toString('hex') : link}`;
      });
  const resume = (folder: string): Promise<Ended> =>
    bed.mission('handoff', 'resume', folder, '--apply-diff', ...decision, '--workspace', there);

  for (const [name, { diff, claims = [] }] of Object.entries(forged)) {
    it(`refuses ${name} and leaves nothing behind`, async () => {
      const before = everything();
      const folder = forge(name, honest + diff, claims);
      // The diff is one that git would apply, or refuses itself: nothing here is refused for being broken.
      execFileSync('git', ['apply', '--numstat', path.join(folder, 'changes.diff')], { cwd: there });
      const ended = await resume(folder);
      assert.equal(ended.code, 2, ended.stdout + ended.stderr);
      assert.ok(['SCOPE_VIOLATION', 'LEDGER_INCONSISTENT'].includes(ended.json.code), ended.stdout);
      assert.deepEqual(everything(), before);
    });
  }

  for (const [name, more] of Object.entries({
    'an id that leads elsewhere': { mission_id: '../../../evil' },
    'an id of our own folders': { mission_id: '__proto__' },
    'an id as long as a page': { mission_id: `run-20260101T000000Z-${'a'.repeat(300)}` },
    'the id of a mission of another plan': { mission_id: 'other-20260101T000000Z-abcdef' },
    'a commit that is a command line': { base_commit: 'HEAD; touch evil #' },
    'a commit that is an option': { base_commit: '--output=evil' },
  })) {
    it(`refuses ${name} and leaves nothing behind`, async () => {
      const before = everything();
      const ended = await resume(forge(name, honest, [], more));
      assert.deepEqual([ended.code, ended.json.code], [2, 'SCHEMA_INVALID'], ended.stdout + ended.stderr);
      const { next } = ended.json as unknown as { readonly next: readonly string[] };
      assert.ok(next.length > 0 && next.every((step) => !step.includes('evil')), ended.stdout);
      assert.deepEqual(everything(), before);
    });
  }

  it('applies an honest diff', async () => {
    const ended = await resume(forge('honest', honest, []));
    assert.equal(ended.code, 3, ended.stdout + ended.stderr);
    assert.equal(readFileSync(path.join(there, 'docs/out/a.txt'), 'utf8'), 'a\n');
  });
});
