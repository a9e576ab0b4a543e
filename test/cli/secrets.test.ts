import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, start, until, type Ended } from './cliBed';

// Put together here, so that no scanner takes this file for a leak.
const body = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAbCdE';
const key = ['ghp', body].join('_');
const half = Math.floor(key.length / 2);

describe('secrets on the way to disk', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  /** Files below the folders that people read or that tell what happened, with their text. */
  function kept(): readonly (readonly [file: string, text: string])[] {
    return ['.mission-control', 'docs/ops'].flatMap((folder) =>
      readdirSync(bed.at(folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .map((file) => [file, readFileSync(file, 'latin1')] as const),
    );
  }
  function assertNowhere(): void {
    for (const [file, text] of kept()) {
      assert.equal(text.includes(body.slice(0, 12)), false, `${file} holds the key`);
      assert.equal(text.includes(body.slice(-12)), false, `${file} holds its end`);
    }
  }
  const script = `${start}
    const key = ${JSON.stringify(['ghp', '_'])}.join('') + ${JSON.stringify(body.slice(0, 10))} + ${JSON.stringify(body.slice(10))};
    const hide = (what) => key.slice(0, ${half}) + what + key.slice(${half});
    fs.writeFileSync('docs/out/' + key + '.txt', 'a');
    for (const what of ['', '\\u001b[31m', '\\u0000', '\\u200b', '\\u001b]8;;http://a.b\\u0007']) {
      console.log('out ' + hide(what));
      console.error('err ' + hide(what));
    }`;

  it('are gone from journal, logs, evidence and packets; the file is judged by its real name, and the evidence verifies', async () => {
    // The task's own text may not hold it: a program is not text of the mission.
    const plan = bed.plan('names', [
      { script, verify: [['node', '-e', 'process.exit(require("fs").readdirSync("docs/out").length === 1 ? 0 : 1)']] },
    ]);
    const run = await bed.mission('run', plan, '--by', `Ann ${key}`);
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stdout);
    const summary = bed.read('docs/ops/executions/names/EXECUTION_SUMMARY.md');
    const [name] = /docs\/out\/\[redacted:github\]\.txt~[0-9a-f]{12}/.exec(summary) ?? assert.fail(summary);
    const observed = readFileSync(bed.at(`.mission-control/missions/${run.json.mission_id}/runs/1-T1/observed.json`));
    assert.ok(observed.includes(`"path": "${name}"`));
    assert.ok(
      bed
        .read('docs/ops/executions/names/TASK_T1.json')
        .includes(`"observed_sha256": "${createHash('sha256').update(observed).digest('hex').toUpperCase()}"`),
    );
    assert.equal((await bed.mission('evidence', 'verify', 'names')).code, 0);
    assertNowhere();
  });

  it('are gone where a person says them, and where a file out of scope is named by one', async () => {
    const plan = bed.plan('people', [{ script: `${script}\nprocess.exit(3);` }]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3);
    const cancel = await bed.mission('cancel', run.json.mission_id, '--by', `Ann ${key}`, '--reason', `because ${key}`);
    assert.equal(cancel.code, 0, cancel.stdout);
    assertNowhere();
    const outside = bed.plan('outside', [{ script: script.replaceAll("'docs/out/' +", "'x-' +") }]);
    await bed.mission('acknowledge', run.json.mission_id, '--by', 'Ann', '--reason', 'seen');
    const violated = await bed.mission('run', outside);
    assert.deepEqual([violated.code, violated.json.code], [3, 'CONCURRENCY_CONFLICT'], violated.stdout);
    assertNowhere();
  });

  it('are gone where a sentence names a file whose name is longer than a line', async () => {
    const long = ['sk', 'ant', 'api03', body.repeat(3).slice(0, 95)].join('-');
    const plan = bed.plan('long', [
      {
        script: `${start} fs.writeFileSync('x-' + ${JSON.stringify(long.slice(0, 20))} + ${JSON.stringify(long.slice(20))}, 'a');`,
      },
    ]);
    const violated = await bed.mission('run', plan);
    assert.deepEqual([violated.code, violated.json.code], [3, 'CONCURRENCY_CONFLICT'], violated.stdout);
    assert.match(violated.json.reason, /x-\[redacted:anthropic\] changed outside the approved paths/);
    // Its phases are sealed as they are stored, in the same step in which the sentence is made.
    assert.equal((await bed.mission('audit', 'verify', 'long')).code, 0);
    assert.equal(`${violated.stdout}${violated.stderr}`.includes(body.slice(0, 12)), false);
    assertNowhere();
  });

  it('a value that the plan passes is gone from every record, also after a failure and as a file name', async () => {
    const value = 'Zebra-Quartz-77';
    const env = { ...bed.env, DB_LOGIN: value, NODE_ENV: 'production' };
    const mission = (...words: string[]): Promise<Ended> =>
      bed.spawn(process.execPath, [cliFile, ...words, '--json'], { env }).ended;
    const plan = bed.plan(
      'passed',
      [
        {
          script: `${start} const login = process.env.DB_LOGIN;
            fs.writeFileSync('docs/out/' + login + '.txt', 'a'); console.log('out ' + login + ' ' + process.env.NODE_ENV);`,
          verify: [['sh', '-c', 'echo "using $DB_LOGIN" >&2; exit 3']],
        },
      ],
      { env: ['DB_LOGIN', 'NODE_ENV'] },
    );
    const run = await mission('run', plan);
    assert.deepEqual([run.code, run.json.status], [3, 'blocked'], run.stdout);
    const packet = await mission('packet', 'show', run.json.packets[0]!.packet_id);
    const again = await mission('retry', run.json.mission_id, 'T1', '--by', 'Ann', '--reason', 'once more');
    assert.equal(again.code, 3, again.stdout);
    const ended = await mission('cancel', run.json.mission_id, '--by', 'Ann', '--reason', 'seen');
    assert.equal(ended.code, 0, ended.stdout);
    for (const { stdout, stderr } of [run, packet, again, ended])
      assert.equal(`${stdout}${stderr}`.includes(value), false);
    for (const [file, text] of kept())
      if (!file.endsWith('observed.json')) assert.equal(text.includes(value), false, `${file} holds the value`);
    const evidence = bed.read('docs/ops/executions/passed/TASK_T1.json');
    assert.match(evidence, /using \[redacted:DB_LOGIN\]/);
    const log = bed.read(`.mission-control/missions/${run.json.mission_id}/runs/1-T1/stdout.jsonl`);
    assert.equal(log, 'out [redacted:DB_LOGIN] production\n');
    assert.equal(
      (await bed.mission('evidence', 'verify', 'passed')).json.findings.filter(({ severity }) => severity === 'error')
        .length,
      0,
    );
  });

  it('a folder of the plan that is named like a passed value keeps its name, and its task completes', async () => {
    const env = { ...bed.env, DB_NAME: 'orders', DB_USER: 'orders-writer', AUTH_SERVICE: 'identity-service-v2' };
    const script = `${start} fs.mkdirSync('src/orders/identity-service-v2', { recursive: true });
      fs.writeFileSync('src/orders/identity-service-v2/' + process.env.DB_USER, 'b');
      fs.writeFileSync('src/orders/identity-service-v2/a.ts', 'a');`;
    const plan = bed.plan(
      'folder',
      [
        {
          script,
          paths: ['src/orders/identity-service-v2/'],
          verify: [['test', '-s', 'src/orders/identity-service-v2/a.ts']],
        },
      ],
      { env: ['DB_NAME', 'DB_USER'] },
    );
    const run = await bed.spawn(process.execPath, [cliFile, 'run', plan, '--json'], { env }).ended;
    assert.deepEqual([run.code, run.json.status], [0, 'completed'], run.stdout);
    assert.match(bed.read('docs/ops/executions/folder/TASK_T1.json'), /identity-service-v2\/\[redacted:DB_USER\]/);
    assert.match(bed.read('docs/ops/executions/folder/TASK_T1.json'), /"src\/orders\/identity-service-v2\/a\.ts"/);
  });

  it('are not in the inbox either, while a command waits for a busy owner', async () => {
    const run = bed.start('run', bed.plan('busy', [{ script: `${start}${bed.waitAt('gate')}` }]));
    await bed.waitsAt('gate');
    const mission = await bed.missionId();
    run.child.kill('SIGSTOP');
    const cancelling = bed.start('cancel', mission, '--by', `Ann ${key}`, '--reason', `because ${key}`);
    const inbox = bed.at('.mission-control/inbox');
    const waits = await until(() => readdirSync(inbox).find((name) => /^[0-9a-f-]{36}\.json$/.test(name)));
    const text = readFileSync(path.join(inbox, waits), 'utf8');
    run.child.kill('SIGCONT');
    assert.match(text, /"Ann \[redacted:github\]"/);
    assert.equal(text.includes(body.slice(0, 12)), false);
    assert.equal((await cancelling.ended).json.accepted, true);
    assert.equal((await run.ended).json.status, 'cancelled');
    assertNowhere();
  });

  it('as the name or the note of an approval are refused, and nothing is written', async () => {
    const plan = bed.plan('named', [{ script: start }], {}, { status: 'DRAFT', approval: { required: true } });
    const before = bed.read(plan);
    for (const [by, note, pointer] of [
      [`Ann ${key}`, 'fine', '/approval/approved_by'],
      ['Ann', `use ${key}`, '/approval/note'],
    ] as const) {
      const refused = await bed.mission('plan', 'approve', plan, '--by', by, '--note', note, '--yes');
      assert.equal(refused.code, 1, refused.stdout);
      const [file] = refused.json.files;
      assert.equal(file?.code, 'SECRET_IN_APPROVAL');
      assert.deepEqual(
        file.findings.map((found) => [found.code, found.pointer]),
        [['SECRET_IN_APPROVAL', pointer]],
      );
      assert.equal(bed.read(plan), before);
      assert.equal(refused.stdout.includes(body), false);
    }
  });

  it('in a plan are warned of, at their place and without repeating them', async () => {
    const plan = bed.plan('warned', [{ script: start, prompt: `use ${key}`, description: `password: ${body}` }]);
    const check = await bed.mission('plan', 'validate', plan);
    assert.equal(check.code, 0);
    const found = check.json.files[0]?.findings.filter(({ code }) => code === 'SECRET_IN_PLAN') ?? [];
    assert.deepEqual(
      found.map(({ severity, pointer }) => [severity, pointer]),
      [
        ['warning', '/tasks/0/description'],
        ['warning', '/tasks/0/prompt'],
      ],
    );
    assert.equal(check.stdout.includes(body), false);
    const approve = await bed.mission('plan', 'approve', plan, '--by', `Ann ${key}`, '--yes');
    assert.equal(approve.code, 0, approve.stdout);
  });
});
