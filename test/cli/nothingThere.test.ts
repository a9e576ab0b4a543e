import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { CliBed, cliFile, decision, start } from './cliBed';

describe('what is not there', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('a memory of which nothing is remembered is not set aside', async () => {
    for (const prepared of [false, true]) {
      if (prepared) await bed.mission('run', bed.plan('first', [{ script: `${start}process.exit(1);` }]));
      const { code, json } = await bed.mission('memory', 'set-aside', ...decision);
      assert.deepEqual([code, json.code, json.next], [2, 'MEMORY_NONE', ['mission memory list']]);
    }
  });

  it('an ai.project.json that no task would read is not valid', async () => {
    const sound = JSON.parse(readFileSync('test/fixtures/ai-project/sound.json', 'utf8')) as object;
    bed.write('ai.project.json', JSON.stringify({ ...sound, x_more: 'x'.repeat(256 * 1024) }));
    for (const kind of [[], ['ai-project']]) {
      const { code, json } = await bed.mission('check', ...kind, 'ai.project.json');
      assert.deepEqual([code, json.files[0]?.code], [1, 'SCHEMA_INVALID'], JSON.stringify(json));
    }
    bed.write('ai.project.json', JSON.stringify({ ...sound, x_more: 'x'.repeat(200 * 1024) }));
    assert.equal((await bed.mission('check', 'ai.project.json')).code, 0);
  });

  it('a command called in a folder that is gone names no code of the machine', async () => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const ended = await bed.spawn('/bin/sh', ['-c', script, 'sh', process.execPath, cliFile, 'status', '--json']).ended;
    assert.deepEqual([ended.code, ended.json.code], [2, 'USAGE'], ended.stderr);
    assert.match(ended.json.reason, /no longer exists/);
  });

  it('evidence of a plan that never ran is neither wrong nor lost', async () => {
    const verify = async (): Promise<readonly unknown[]> => {
      const args = ['evidence', 'verify', 'first'];
      const { code, stdout } = await bed.spawn(process.execPath, [cliFile, ...args]).ended;
      return [code, ...(/^error (\w+)[^]*next: (.*)\n(.*)\n$/.exec(stdout)?.slice(1) ?? [stdout])];
    };
    const plan = bed.plan('first', [{ script: `${start}fs.writeFileSync('docs/out/a', 'a');` }]);
    const step =
      'Check the plan id. If the plan has not run, run it first; if it ran elsewhere, bring its folder here.';
    const none = [1, 'EVIDENCE_NONE', step, 'There is no evidence of first to verify.'];
    assert.deepEqual(await verify(), none);
    assert.equal((await bed.mission('run', plan)).code, 0);
    rmSync(bed.at('docs/ops/executions/first'), { recursive: true });
    const back = 'Check the plan id, or bring the folder back from git.';
    assert.deepEqual(await verify(), [1, 'EVIDENCE_MISSING', back, 'The evidence of first does not hold.']);
  });

  it('an empty name of a file does not count', async () => {
    await bed.mission('run', bed.plan('first', [{ script: `${start}process.exit(1);` }]));
    const { code, json } = await bed.mission('audit', 'export', 'first', '--out', '');
    assert.deepEqual([code, json.code], [2, 'USAGE']);
    assert.match(json.reason, /names no file/);
  });
});
