import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { cliFile } from './cliBed';
import { ConfinedBed } from './confinedBed';

/**
 * What a person reads where the sandbox held back a write: status, packet and summary. The task may write a file at the
 * top of the workspace, so no layer takes what it writes elsewhere.
 */
describe('a write that the sandbox held back', function () {
  this.timeout(180_000);
  let bed: ConfinedBed;
  beforeEach(function () {
    bed = new ConfinedBed(this);
    bed.write('src/a', 'a');
  });
  afterEach(() => bed.dispose());

  const status = async (id: string): Promise<string> =>
    (await bed.spawn(process.execPath, [cliFile, 'status', id]).ended).stdout;
  const packet = async (id: string): Promise<string> => {
    const folder = `.mission-control/missions/${(await bed.view(id)).mission_id}/recovery-packets`;
    const name = readdirSync(bed.at(folder)).find((file) => file.endsWith('.md'));
    return bed.read(`${folder}/${name ?? ''}`);
  };
  const run = async (id: string, task: object): Promise<string> => {
    const ended = await bed.mission(
      'run',
      bed.plan(id, [{ paths: ['docs/out', 'top.txt'], ...task }]),
      '--confinement',
      'required',
    );
    assert.equal(ended.code, 3, ended.stdout + ended.stderr);
    return status(id);
  };
  const own = "Error: EROFS: read-only file system, open 'src/x'";

  it('by a command is the headline; its own error comes first, and the denial once', async () => {
    const text = await run('held', { command: ['node', '-e', "require('fs').writeFileSync('src/x', '')"] });
    const said = 'The sandbox held back a write to src/x. The command exited with 1.';
    assert.ok(text.includes(`Task T1 is blocked: ${said}\n`), text);
    assert.match(text, /T1 needs you \(child_exit_nonzero\): [^\n]*\n {4}- Error: EROFS[^\n]*\n {4}- It met the edge/);
    assert.match(text, /\n {4}output: \.mission-control\/missions\/[^\n]*\/runs\/[^\n]*-T1\/\n/);
    const denied = text.split('\n').filter((line) => line.includes(' was denied '));
    assert.deepEqual(denied, [`  T1 was denied a write to src/x: ${own}`]);
    assert.doesNotMatch(text, /something on|code: 'EROFS'|ACCEPTANCE_FAILED|HALT/);
    const written = await packet('held');
    assert.match(
      written,
      /## What happened\n\nThe sandbox held back a write to src\/x\. The command exited with 1\.\n\n- Error: EROFS/,
    );
    assert.doesNotMatch(written, /\\x20/);
  });

  it('by a verify command as well, whose own error stands above the tail of its summary', async () => {
    const verify = `console.log('✖ adds'); console.log('  expected 2, got 1');
      for (let n = 0; n < 40; n++) console.log('  summary line ' + n);
      require('fs').writeFileSync('src/x', '');`;
    bed.write('tools/verify.cjs', verify);
    const command = ['sh', '-c', 'mkdir -p docs/out && echo x > docs/out/a'];
    const text = await run('judged', { command, verify: [['node', 'tools/verify.cjs']] });
    const said = 'The sandbox held back a write to src/x. The verify command node tools/verify.cjs exited with 1.';
    assert.ok(text.includes(`Task T1 is blocked: ${said}\n`), text);
    assert.match(
      text,
      /\n {4}- ✖ adds\n {4}- {3}expected 2, got 1\n {4}- Error: EROFS[^\n]*\n {4}- It met the edge of its sandbox: /,
    );
    assert.doesNotMatch(await packet('judged'), /ACCEPTANCE_FAILED/);
    const cancel = await bed.mission('cancel', 'judged', '--by', 'Grace', '--reason', 'seen');
    assert.equal(cancel.code, 0, cancel.stdout + cancel.stderr);
    const summary = bed.read('docs/ops/executions/judged/EXECUTION_SUMMARY.md');
    assert.match(summary, /✖ adds\n {2}expected 2, got 1\n(?:Error: EROFS[^\n]*\n)?\.\.\.\n/);
    assert.match(summary, /was denied a write to `src\/x`: Error: EROFS/);
    assert.doesNotMatch(summary, /ACCEPTANCE|HALT|out of scope|something on/);
  });

  it('is no headline where the error stands in standard output alone, because a program may print what it has read', async () => {
    const program = `try { require('fs').writeFileSync('src/x', '') } catch (e) {
      console.log(String(e));
      for (let n = 0; n < 60; n++) console.log('line ' + n);
      process.exit(1);
    }`;
    bed.write('tools/print.cjs', program);
    const command = await run('printed', { command: ['node', 'tools/print.cjs'] });
    assert.ok(command.includes('Task T1 is blocked: The worker exited with 1.\n'), command);
    const edge = 'It may have met the edge of its sandbox: it may not write src/x, named';
    assert.match(command, /\n {4}- Error: EROFS[^\n]*\n {4}- line 0\n/);
    assert.ok(command.includes(`\n    - ${edge}`), command);
    const verify = await run('verified', {
      command: ['sh', '-c', 'mkdir -p docs/out && echo x > docs/out/a'],
      verify: [['node', 'tools/print.cjs']],
    });
    assert.ok(verify.includes('Task T1 is blocked: Verification failed: node tools/print.cjs exited with 1.'), verify);
    assert.ok(verify.includes(edge), verify);
  });

  it('in a folder below names no path that is not approved from there', async () => {
    bed.write('packages/a/x', '');
    bed.write('dist/x', '');
    const text = await run('below', { command: ['sh', '-c', 'cd packages/a && touch dist'] });
    assert.match(text, /Task T1 is blocked: The sandbox held back a write to dist\. The command exited with 1\.\n/);
    assert.match(text, /may not write dist, named from the folder where it ran\./);
    assert.doesNotMatch(text, /Add that path/);
  });

  it('is named as the program named it, also in letters that are not ASCII', async () => {
    bed.write('src/日本/x.ts', '');
    for (const shell of ['sh', 'bash']) {
      const text = await run(`written-by-${shell}`, { command: [shell, '-c', "echo x > 'src/日本/x.ts'"] });
      assert.match(text, /: The sandbox held back a write to src\/日本\/x\.ts\. The command exited with \d\.\n/);
    }
  });
});
