import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AgentBed } from './agentBed';
import { cliFile, type Ended } from './cliBed';

describe('a value that settings pass to an agent', () => {
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  function run(body: string, name: string, env: Record<string, string>, ...more: string[]): Promise<Ended> {
    bed.speaks(body);
    const plan = bed.agentPlan(name);
    const named = Object.keys(env).flatMap((one) => ['--cli-env', `claude=${one}`]);
    const words = [cliFile, 'run', plan, '--json', ...bed.claudeOptions, ...named, ...more];
    return bed.spawn(process.execPath, words, { env: { ...bed.env, ...env } }).ended;
  }
  /** Files with the value, which the list of observed names may hold. */
  function holding(value: string): readonly string[] {
    return ['.mission-control', 'docs/ops'].flatMap((folder) =>
      readdirSync(bed.at(folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .filter((file) => readFileSync(file, 'latin1').includes(value)),
    );
  }

  it('is gone from every record of its words, its errors and its last message', async () => {
    const value = 'Zebra-Quartz-77';
    const ended = await run(
      `const login = process.env.DB_LOGIN;
       say({ type: 'assistant', message: { content: [
         { type: 'text', text: 'login is ' + login },
         { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'psql -U ' + login } } ] } });
       console.error('warning: ' + login);
       asks('cannot sign in as ' + login);`,
      'passed',
      { DB_LOGIN: value },
    );
    assert.deepEqual([ended.code, ended.json.status], [3, 'blocked'], ended.stdout);
    assert.equal(`${ended.stdout}${ended.stderr}`.includes(value), false);
    const reason = `the login ${value} is wrong`;
    const cancel = [cliFile, 'cancel', ended.json.mission_id, '--by', 'Ann', '--reason', reason, '--json'];
    const words = [...cancel, ...bed.claudeOptions, '--cli-env', 'claude=DB_LOGIN'];
    const cancelled = await bed.spawn(process.execPath, words, { env: { ...bed.env, DB_LOGIN: value } }).ended;
    assert.equal(cancelled.code, 0, cancelled.stdout);
    assert.deepEqual(holding(value), []);
    const log = bed.read(`.mission-control/missions/${ended.json.mission_id}/runs/1-T1/stdout.jsonl`);
    assert.match(log, /psql -U \[redacted:DB_LOGIN\]/);
    assert.match(bed.read('docs/ops/executions/passed/TASK_T1.json'), /sign in as \[redacted:DB_LOGIN\]/);
  });

  for (const [form, report] of [
    ['as its structured output', "end('done', file);"],
    [
      'in the text of its last message',
      `say({ type: 'result', subtype: 'success', is_error: false, result: 'done\\n\`\`\`json\\n' + JSON.stringify({
         schema_version: '1.0.0', run_id: named('run_id'), task_id: named('task_id'), status: 'done',
         changes: [{ resource: file, action: 'created', evidence: null }],
         acceptance_check: [{ criterion: 'the task is done as described', status: 'pass', evidence: 'wrote ' + process.env.DB_NAME }],
         worklog_path: '', notes_for_orchestrator: [] }, null, 2) + '\\n\`\`\`' });`,
    ],
  ] as const)
    it(`leaves the names of files, the model and the numbers as they are ${form}, so its task completes`, async () => {
      const ended = await run(
        `const file = 'docs/out/' + process.env.DB_NAME + '/' + process.env.REGION + '.txt';
         say({ type: 'assistant', message: { content: [{ type: 'tool_use', id: process.env.CALL, name: 'Write', input: { file_path: path.resolve(file) } }] } });
         fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, 'a');
         ${report}`,
        'names',
        { DB_NAME: 'orders/archive', REGION: 'eu-central-1', MODEL_NAME: 'some-model-4', CALL: 'call-1234' },
        '--cli-model',
        'claude=some-model-4',
      );
      assert.deepEqual([ended.code, ended.json.status], [0, 'completed'], ended.stdout);
      const evidence = bed.read('docs/ops/executions/names/TASK_T1.json');
      assert.match(evidence, /"docs\/out\/orders\/archive\/eu-central-1\.txt"/);
      assert.match(evidence, /"some-model-4"/);
      assert.equal((await bed.mission('evidence', 'verify', 'names')).code, 0);
    });
});
