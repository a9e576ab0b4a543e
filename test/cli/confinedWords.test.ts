import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { cliFile, type TaskOptions } from './cliBed';
import { ConfinedBed } from './confinedBed';

/**
 * What a person reads where the sandbox refused a write, because no layer lies over the workspace: status, packet and
 * summary.
 */
describe('a write that the sandbox refused', function () {
  this.timeout(180_000);
  let bed: ConfinedBed;
  beforeEach(function () {
    bed = new ConfinedBed(this);
    bed.keepLayersAway(this);
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
  const run = async (id: string, task: TaskOptions): Promise<string> => {
    const ended = await bed.mission('run', bed.plan(id, [task]), '--confinement', 'required');
    assert.equal(ended.code, 3, ended.stdout + ended.stderr);
    return status(id);
  };

  it('by a command: its own error stands first, then what it may have met, and the way out', async () => {
    const text = await run('held', { command: ['node', '-e', "require('fs').writeFileSync('src/x', '')"] });
    assert.ok(text.includes('Task T1 is blocked: The worker exited with 1.\n'), text);
    assert.match(text, /\n {6}- Error: EROFS[^\n]*'src\/x'\n {6}- It may have met the edge of its sandbox/);
    assert.match(
      text,
      /\n {4}recommended: Try it again\. Let it write in its approved paths or below \$TMPDIR first\./,
    );
    assert.match(text, /\n {4}output: \.mission-control\/missions\/[^\n]*\/runs\/[^\n]*-T1\/\n/);
    assert.doesNotMatch(text, /something on|code: 'EROFS'|ACCEPTANCE_FAILED|HALT/);
    const written = await packet('held');
    assert.match(written, /## What happened\n\nThe worker exited with 1\.\n\n- Error: EROFS/);
    assert.doesNotMatch(written, /\\x20/);
  });

  it('by a verify command as well, whose own error stands above the tail of its summary', async () => {
    const verify = `console.log('✖ adds'); console.log('  expected 2, got 1');
      for (let n = 0; n < 40; n++) console.log('  summary line ' + n);
      require('fs').writeFileSync('src/x', '');`;
    bed.write('tools/verify.cjs', verify);
    const command = ['sh', '-c', 'mkdir -p docs/out && echo x > docs/out/a'];
    const text = await run('judged', { command, verify: [['node', 'tools/verify.cjs']] });
    assert.ok(text.includes('Task T1 is blocked: Verification failed: node tools/verify.cjs exited with 1.'), text);
    assert.match(
      text,
      /\n {6}- ✖ adds\n {6}- {3}expected 2, got 1\n {6}- Error: EROFS[^\n]*\n {6}- It may have met the edge of its /,
    );
    const cancel = await bed.mission('cancel', 'judged', '--by', 'Grace', '--reason', 'seen');
    assert.equal(cancel.code, 0, cancel.stdout + cancel.stderr);
    const summary = bed.read('docs/ops/executions/judged/EXECUTION_SUMMARY.md');
    assert.match(summary, /✖ adds\n {2}expected 2, got 1\n(?:Error: EROFS[^\n]*\n)?\.\.\.\n/);
    assert.doesNotMatch(summary, /ACCEPTANCE|HALT|out of scope|something on/);
  });
});
