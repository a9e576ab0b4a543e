import assert from 'node:assert/strict';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision, start } from './cliBed';

describe('what a task changed and a person put back before the mission ended', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const printed = async (...args: string[]): Promise<string> => {
    const ended = await bed.spawn(process.execPath, [cliFile, ...args]).ended;
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    return ended.stdout + ended.stderr;
  };
  /** Changes a file and adds one, then fails; writes something else once the gate is open. */
  const fails = (): string => `${start}
    if (!fs.existsSync(${JSON.stringify(path.join(bed.scratch, 'mended'))})) {
      fs.writeFileSync('docs/out/note.txt', 'changed\\n'); fs.writeFileSync('docs/out/extra.txt', 'extra\\n');
      process.exit(1);
    }
    fs.writeFileSync('docs/out/good.txt', 'good\\n');`;
  const blockedThenPutBack = async (): Promise<void> => {
    bed.write('docs/out/note.txt', 'before\n');
    const run = await bed.mission('run', bed.plan('back', [{ script: fails() }]));
    assert.equal(run.code, 3, run.stderr);
    bed.write('docs/out/note.txt', 'before\n');
    rmSync(bed.at('docs/out/extra.txt'));
    bed.open('mended');
    const retried = await bed.mission('retry', 'back', 'T1', ...decision);
    assert.equal(retried.code, 0, retried.stdout + retried.stderr);
  };

  it('mission diff says that it is as it was before, and shows what differs now', async () => {
    await blockedThenPutBack();
    const shown = await printed('diff', 'back');
    assert.match(shown, /^The content of docs\/out\/note\.txt is as it was before a change found during T1\.$/m);
    assert.match(shown, /^docs\/out\/extra\.txt is gone, as it was before a change found during T1\.$/m);
    assert.match(shown, /^docs\/out\/good\.txt, changed while T1 ran; observed, not announced$/m);
    assert.doesNotMatch(shown, /since the task ended|how it is now|Its bytes differ|^docs\/out\/note\.txt, /m);
  });

  it('mission evidence verify says that it is as it was before, and not that others changed it', async () => {
    await blockedThenPutBack();
    const shown = await printed('evidence', 'verify', 'back');
    assert.equal(shown.match(/^ {4}It is as it was before a change found during task T1\.$/gm)?.length, 2, shown);
    assert.doesNotMatch(shown, /Not as/);
    bed.write('docs/out/note.txt', 'a person went on\n');
    assert.match(
      await printed('evidence', 'verify', 'back'),
      /^ {4}Not as task T1 left it: it has another content\.$/m,
    );
  });

  it('what the evidence itself says was put back is no finding', async () => {
    bed.write('README.md', 'readme\n');
    bed.write(
      'tools/check.mjs',
      `import fs from 'node:fs'; if (!fs.existsSync(${JSON.stringify(path.join(bed.scratch, 'mended'))})) fs.writeFileSync('README.md', 'touched');`,
    );
    bed.git('add', '.');
    bed.git('commit', '-qm', 'more');
    const script = `${start}fs.writeFileSync('docs/out/good.txt', 'good\\n');`;
    const run = await bed.mission('run', bed.plan('listed', [{ script, verify: [['node', 'tools/check.mjs']] }]));
    assert.equal(run.code, 3, run.stderr);
    bed.write('README.md', 'readme\n');
    bed.open('mended');
    const again = await bed.mission('rerun-validation', 'listed', 'T1', ...decision);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.match(await printed('evidence', 'verify', 'listed'), /^The evidence of listed holds\.\n$/);
    const shown = await printed('diff', 'listed');
    assert.match(shown, /^The content of README\.md is as it was before a change found during T1\.$/m);
    assert.doesNotMatch(shown, /^README\.md, /m);
  });

  it('is what the task left where its next attempt writes the same file again', async () => {
    const mended = JSON.stringify(path.join(bed.scratch, 'mended'));
    bed.write(
      'tools/check.mjs',
      `import fs from 'node:fs'; if (!fs.existsSync(${mended})) fs.appendFileSync('docs/out/note.txt', 'touched');`,
    );
    bed.git('add', '.');
    bed.git('commit', '-qm', 'more');
    const script = `${start}fs.writeFileSync('docs/out/note.txt', 'note\\n');`;
    const run = await bed.mission('run', bed.plan('again', [{ script, verify: [['node', 'tools/check.mjs']] }]));
    assert.equal(run.code, 3, run.stderr);
    rmSync(bed.at('docs/out/note.txt'));
    bed.open('mended');
    const retried = await bed.mission('retry', 'again', 'T1', ...decision);
    assert.equal(retried.code, 0, retried.stdout + retried.stderr);
    assert.match(await printed('evidence', 'verify', 'again'), /^The evidence of again holds\.\n$/);
    rmSync(bed.at('docs/out/note.txt'));
    assert.match(
      await printed('evidence', 'verify', 'again'),
      /^ {4}It is as it was before a change found during task T1\.$/m,
    );
  });

  it('mission diff names a move that was undone, and lists it and the mode that stayed', async () => {
    bed.write('docs/out/from.txt', 'moved\n');
    bed.write('docs/out/tool.sh', 'before\n');
    const script = `${start}
      fs.renameSync('docs/out/from.txt', 'docs/out/to.txt');
      fs.writeFileSync('docs/out/tool.sh', 'after\\n'); fs.chmodSync('docs/out/tool.sh', 0o755);`;
    const run = await bed.mission('run', bed.plan('moved', [{ script }]));
    assert.equal(run.code, 0, run.stderr);
    renameSync(bed.at('docs/out/to.txt'), bed.at('docs/out/from.txt'));
    bed.write('docs/out/tool.sh', 'before\n');
    const shown = await printed('diff', 'moved');
    assert.match(shown, /^docs\/out\/from\.txt is back, as it was before a change found during T1\.$/m);
    const { files } = (await bed.mission('diff', 'moved')).json as unknown as { files: Record<string, unknown>[] };
    const of = (name: string): unknown => {
      const { before_path, note, patch, put_back } = files.find((one) => one.path === name) ?? {};
      return [before_path, note, patch, put_back];
    };
    assert.deepEqual(of('docs/out/to.txt'), ['docs/out/from.txt', null, null, true]);
    if (process.platform === 'win32') return;
    assert.match(shown, /^docs\/out\/tool\.sh, changed while T1 ran; observed, not announced\nmode 0644 -> 0755$/m);
    assert.deepEqual((of('docs/out/tool.sh') as unknown[]).slice(1, 2), ['mode 0644 -> 0755']);
  });

  it('a handoff neither names it nor asks its taker for it', async () => {
    bed.write('docs/out/note.txt', 'before\n');
    const plan = bed.plan('given', [{ script: fails() }, { script: `${start}process.exit(7);`, depends_on: ['T1'] }]);
    bed.git('add', '.');
    bed.git('commit', '-qm', 'plan');
    assert.equal((await bed.mission('run', plan)).code, 3);
    bed.write('docs/out/note.txt', 'before\n');
    rmSync(bed.at('docs/out/extra.txt'));
    bed.open('mended');
    const retried = await bed.mission('retry', 'given', 'T1', ...decision);
    assert.equal(retried.code, 3, retried.stdout + retried.stderr);
    const out = path.join(bed.scratch, 'bundle');
    const exported = await bed.mission('handoff', 'export', 'given', '--out', out);
    assert.equal(exported.code, 0, exported.stderr);
    type Named = readonly { readonly path: string }[];
    const { x_mission: given } = JSON.parse(readFileSync(path.join(out, 'bundle.json'), 'utf8')) as {
      readonly x_mission: { readonly changes: Named };
    };
    assert.deepEqual(
      given.changes.map((file) => file.path),
      ['docs/out/good.txt'],
    );
    const there = path.join(bed.scratch, 'there');
    bed.git('clone', '-q', '.', there);
    writeFileSync(path.join(there, 'docs/out/note.txt'), 'of the taker\n');
    const resumed = await bed.mission('handoff', 'resume', out, ...decision, '--apply-diff', '--workspace', there);
    assert.equal(resumed.code, 3, resumed.stdout + resumed.stderr);
  });
});
