import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision, start, type Ended } from './cliBed';

const failing = `${start}process.exit(7);`;

/** Secrets in what a handoff would carry. */
describe('a handoff and the secrets of its changes', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());
  const at = (name: string): string => path.join(bed.scratch, name);

  it('hands over a change beside a key that the repository has already, and says so only afterwards', async () => {
    const key = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
    bed.write('docs/out/a.txt', `key = ${key}\nline\n`);
    bed.git('add', '-f', '.');
    bed.git('commit', '-q', '-m', 'fixture');
    const beside = bed.plan('beside', [
      {
        script: `${start}fs.writeFileSync('docs/out/a.txt', fs.readFileSync('docs/out/a.txt', 'utf8').replace('line', 'other'));`,
      },
      { script: failing, depends_on: ['T1'] },
    ]);
    const run = await bed.mission('run', beside);
    assert.deepEqual([run.code, run.json.status], [3, 'blocked'], run.stdout);
    assert.deepEqual(bed.exists(`.mission-control/missions/${run.json.mission_id}/handoff/1/bundle.json`), true);
    const out = at('beside');
    const words = ['handoff', 'export', run.json.mission_id, '--out', out, '--move', ...decision];
    const moved = await bed.spawn(process.execPath, [cliFile, ...words]).ended;
    assert.equal(moved.code, 0, moved.stdout);
    assert.doesNotMatch(moved.stdout, /Accepted/);
    assert.match(moved.stdout, /The run has ended here/);
    assert.match(readFileSync(path.join(out, 'changes.diff'), 'utf8'), /^\+other$/m);
  });

  it('advises a revision where the locked plan holds a secret, because its bytes stay', async () => {
    const secret = `sk-ant-${'a1B2'.repeat(8)}`;
    const plan = bed.plan('locked', [{ script: failing, description: `with ${secret}` }]);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.status], [3, 'blocked'], run.stderr);
    const { json } = await bed.mission('handoff', 'export', 'locked');
    assert.equal(json.code, 'UNTRUSTED_CONTEXT_BLOCK');
    assert.match(json.reason, /PLAN\.locked\.json holds .* a locked plan stays as it is\. Replace the key/);
    assert.deepEqual(json.next, [`mission plan revise ${run.json.mission_id}`]);
  });

  it('leaves out what only looks like a secret in files that git ignores or that are no text', async () => {
    bed.write('docs/out/.gitignore', 'tools/\n');
    bed.git('add', '-f', '.');
    bed.git('commit', '-q', '-m', 'fixture');
    const script = `${start}
      fs.mkdirSync('docs/out/tools');
      fs.writeFileSync('docs/out/tools/url.py', 'x = "scheme://user:password@host"');
      fs.writeFileSync('docs/out/tools/other.py', 'x = 1');
      fs.writeFileSync('docs/out/url.pyc', Buffer.from([0xa7, 13, 0, 0, ...Buffer.from('scheme://user:password@host')]));`;
    const plan = bed.plan('tools', [{ script }, { script: failing, depends_on: ['T1'] }]);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.status], [3, 'blocked'], run.stdout);
    const folder = `.mission-control/missions/${run.json.mission_id}/handoff/1`;
    assert.equal(bed.exists(`${folder}/bundle.json`), true, (await bed.mission('status', 'tools')).stdout);
    const { x_mission } = JSON.parse(bed.read(`${folder}/bundle.json`)) as {
      readonly x_mission: { readonly changes: readonly { readonly path: string; readonly why: string | null }[] };
    };
    const why = Object.fromEntries(x_mission.changes.map((change) => [change.path, change.why]));
    assert.match(why['docs/out/tools/url.py'] ?? '', /looks like a secret \(url_password\), and git ignores it/);
    assert.match(why['docs/out/url.pyc'] ?? '', /looks like a secret \(url_password\), and it is no text/);
    assert.equal(why['docs/out/tools/other.py'], null);
    const diff = bed.read(`${folder}/changes.diff`);
    assert.match(diff, /other\.py/);
    assert.doesNotMatch(diff, /password/);
  });

  it('refuses a handoff that holds a secret and names the file; the mission is not hindered', async () => {
    const secret = `sk-ant-${'a1B2'.repeat(8)}`;
    const leaky = bed.plan('leaky', [
      { script: `${start}fs.writeFileSync('docs/out/key.txt', 'sk-ant-' + 'a1B2'.repeat(8));` },
      { script: `${start}process.exit(3);` },
    ]);
    const run = await bed.mission('run', leaky);
    assert.deepEqual([run.code, run.json.status], [3, 'blocked']);
    const status = await bed.mission('status', 'leaky');
    assert.match(status.stdout, /This block has no handoff\. Handoff 1 was not written because of docs\/out\/key\.txt/);
    const exported = await bed.mission('handoff', 'export', 'leaky', '--out', at('leak'));
    assert.deepEqual([exported.code, exported.json.code], [2, 'UNTRUSTED_CONTEXT_BLOCK']);
    assert.match(exported.json.reason, /docs\/out\/key\.txt/);
    assert.equal(exported.stdout.includes(secret), false);
    assert.equal(existsSync(at('leak')), false);
    assert.match(exported.json.next.join(), /mission handoff export [\w-]+$/);
    const moved = await bed.mission('handoff', 'export', 'leaky', '--move', ...decision);
    assert.deepEqual([moved.code, moved.json.code], [2, 'UNTRUSTED_CONTEXT_BLOCK'], moved.stdout);
    assert.match(moved.json.next.join(), /mission handoff export [\w-]+ --move --by NAME --reason TEXT$/);
    const words = ['handoff', 'export', 'leaky', '--move', ...decision];
    const read = await bed.spawn(process.execPath, [cliFile, ...words]).ended;
    assert.deepEqual([read.code, /Accepted|ends here/.test(read.stdout)], [2, false], read.stdout);
    assert.equal((await bed.mission('cancel', 'leaky', ...decision)).code, 0);
  });

  it('refuses a handoff whose change holds a passed value, and names its variable; what the plan says is allowed', async () => {
    const value = 'Zebra-Quartz-77';
    const env = { ...bed.env, DB_LOGIN: value, REGION: 'north-4711' };
    const mission = (...words: string[]): Promise<Ended> =>
      bed.spawn(process.execPath, [cliFile, ...words, '--json'], { env }).ended;
    const plan = (id: string, name: string): string =>
      bed.plan(
        id,
        [
          {
            description: 'Write the settings for north-4711.',
            script: `${start}fs.writeFileSync('docs/out/config', process.env.${name});`,
          },
          { script: failing, depends_on: ['T1'] },
        ],
        { env: ['DB_LOGIN', 'REGION'] },
      );
    const said = await mission('run', plan('said', 'REGION'));
    assert.equal(bed.exists(`.mission-control/missions/${said.json.mission_id}/handoff/1/bundle.json`), true);
    assert.equal((await mission('cancel', 'said', ...decision)).code, 0);
    const run = await mission('run', plan('passed', 'DB_LOGIN'));
    assert.equal(bed.exists(`.mission-control/missions/${run.json.mission_id}/handoff/1`), false);
    const exported = await mission('handoff', 'export', 'passed', '--out', at('passed'));
    assert.deepEqual([exported.code, exported.json.code], [2, 'UNTRUSTED_CONTEXT_BLOCK'], exported.stdout);
    assert.match(exported.json.reason, /a secret \(DB_LOGIN\) in the change of docs\/out\/config/);
    assert.equal(exported.stdout.includes(value), false);
    assert.equal(existsSync(at('passed')), false);
  });
});
