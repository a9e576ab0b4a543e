import assert from 'node:assert/strict';
import path from 'node:path';
import { CliBed, cliFile, decision, start } from './cliBed';

describe('what is shown once a person decided about a block', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const printed = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await bed.spawn(process.execPath, [cliFile, ...args]).ended;
    return stdout + stderr;
  };
  /** A verify command changes a tracked file until the gate is open. */
  const touched = async (): Promise<string> => {
    const gate = JSON.stringify(path.join(bed.scratch, 'mended'));
    bed.write('notes file.txt', 'notes\n');
    bed.write(
      'tools/check.mjs',
      `import fs from 'node:fs'; if (!fs.existsSync(${gate})) fs.writeFileSync('notes file.txt', 'touched');`,
    );
    bed.git('add', '.');
    bed.git('commit', '-qm', 'more');
    const script = `${start}fs.writeFileSync('docs/out/good.txt', 'good\\n');`;
    const run = await bed.mission('run', bed.plan('decided', [{ script, verify: [['node', 'tools/check.mjs']] }]));
    assert.equal(run.code, 3, run.stdout + run.stderr);
    return run.json.packets[0]!.packet_id;
  };

  it('an accepted change is not asked about again: status and packet say who accepted it, and how to go on', async () => {
    const packet = await touched();
    assert.match(await printed('status'), /^ {2}Task T1 needs you \(verify_changed_files\)/m);
    assert.equal((await bed.mission('accept', 'decided', 'T1', 'notes file.txt', ...decision)).code, 0);
    const status = await printed('status');
    assert.doesNotMatch(status, /needs you|^ {4}.*mission accept|Put back what is listed/m);
    assert.match(status, /^ {2}Task T1 is blocked\. Grace accepted notes file\.txt: because$/m);
    assert.match(
      status,
      /^ {2}Task T1 waits for your command \(verify_changed_files\): .*\n {4}Grace accepted notes file\.txt: because$/m,
    );
    assert.match(status, /^ {4}next: mission rerun-validation /m);
    const shown = await printed('packet', 'show', packet);
    assert.match(shown, /^State: Grace accepted notes file\.txt: because$/m);
    assert.match(shown, /^Task T1 waits for your command \(/);
    assert.match(shown, /^Possible now:\n(.*\n)* *next: mission rerun-validation /m);
  });

  it('one of two accepted changes leaves the other one to be asked about', async () => {
    bed.write('second.txt', 'second\n');
    bed.write(
      'tools/both.mjs',
      `import fs from 'node:fs'; for (const one of ['second.txt', 'tools/both.mjs']) fs.appendFileSync(one, '//');`,
    );
    bed.git('add', '.');
    bed.git('commit', '-qm', 'more');
    const script = `${start}fs.writeFileSync('docs/out/good.txt', 'good\\n');`;
    const { json } = await bed.mission('run', bed.plan('both', [{ script, verify: [['node', 'tools/both.mjs']] }]));
    assert.equal((await bed.mission('accept', 'both', 'T1', 'second.txt', ...decision)).code, 0);
    const status = await printed('status');
    assert.match(status, /^ {2}Task T1 needs you /m);
    assert.match(status, /^ {4}next: mission accept .* tools\/both\.mjs --by/m);
    const shown = await printed('packet', 'show', json.packets[0]!.packet_id);
    assert.match(/^ +next: .*$/m.exec(shown)?.[0] ?? '', /next: mission accept .* tools\/both\.mjs --by/);
  });

  it('a task that was left blocked says so by whom and why, and what can still be done', async () => {
    const packet = await touched();
    const left = await bed.mission('packet', 'resolve', packet, '--outcome', 'leave-blocked', ...decision);
    assert.equal(left.code, 0, left.stderr);
    const status = await printed('status');
    assert.match(status, /^ {2}Task T1 is blocked\. Left blocked by Grace: because$/m);
    assert.match(
      status,
      /^ {2}Task T1 is left blocked \(verify_changed_files\): .*\n(?: {6}.*\n)+ {4}Left blocked by Grace: because$/m,
    );
    assert.match(status, /^ {4}next: mission retry /m);
    assert.doesNotMatch(status, /needs you/);
    const shown = await printed('packet', 'show', packet);
    assert.match(shown, /^State: Left blocked by Grace: because$/m);
    assert.match(await printed('packet', 'list', '--all'), /left blocked by Grace/);
    const again = /^ {4}next: mission (retry \S+ T1) /m.exec(shown)?.[1] ?? '';
    const retried = await bed.mission(...again.split(' '), ...decision);
    assert.notEqual(retried.code, 2, `${again}\n${retried.stdout}`);
  });

  it('an attempt in which nothing was launched names no output', async () => {
    await touched();
    assert.match(await printed('status'), /^ {4}output: /m);
    // What blocked is still there, so the worker is not launched again.
    const retried = await printed('retry', 'decided', 'T1', ...decision);
    assert.match(retried, /^Task T1 needs you /m);
    assert.doesNotMatch(retried, /^ {2}output /m);
    assert.doesNotMatch(await printed('status'), /^ {4}output: /m);
  });
});
