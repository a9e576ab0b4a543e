import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile, decision, isAlive, start, until } from './cliBed';

/** Who owns the missions, who may speak to the owner, and what is left when it dies. */
describe('mission: owner, inbox and crash', function () {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('stops a running task from another process, with its daemonised grandchild', async () => {
    const daemon = `require('node:fs').writeFileSync('docs/out/grandchild', String(process.pid)); setInterval(() => {}, 1000)`;
    const plan = bed.plan('stop', [
      {
        script: `${start}import { spawn } from 'node:child_process';
spawn('setsid', ['node', '-e', ${JSON.stringify(daemon)}], { detached: true, stdio: 'ignore' }).unref();
setInterval(() => {}, 1000);`,
      },
    ]);
    const running = bed.start('run', plan);
    const pid = await until(() =>
      bed.exists('docs/out/grandchild') ? Number(bed.read('docs/out/grandchild')) || null : null,
    );
    assert.ok(isAlive(pid));
    const id = await bed.missionId();
    const stopped = await bed.mission('stop', id, 'T1', ...decision);
    assert.deepEqual([stopped.code, stopped.json.accepted, stopped.json.code], [0, true, 'OK']);
    const run = await running.ended;
    assert.equal(run.code, 3);
    assert.deepEqual([run.json.status, run.json.packets[0]!.category], ['paused', 'awaiting_user']);
    // People read that it was stopped; the contract's code stays in what programs read.
    assert.match(run.stderr, /Task T1 was stopped by /);
    assert.doesNotMatch(run.stderr, /MISSING_REQUIRED_INPUT/);
    assert.equal(run.json.code, 'MISSING_REQUIRED_INPUT');
    assert.equal(isAlive(pid), false);
  });

  it('accepts TASK alone and TASK --mission, and says which task is meant otherwise', async () => {
    const plan = bed.plan('forms', [{ script: `${start}${bed.waitAt('go')}` }]);
    const running = bed.start('run', plan);
    await bed.waitsAt('go');
    const unknown = await bed.mission('stop', 'T9', ...decision);
    assert.deepEqual([unknown.code, unknown.json.code], [2, 'TASK_UNKNOWN']);
    const nobody = await bed.mission('stop', 'T1', '--by', 'Grace');
    assert.deepEqual([nobody.code, nobody.json.code], [2, 'USAGE']);
    assert.equal((await bed.mission('stop', 'T1', '--mission', 'forms', ...decision)).code, 0);
    assert.equal((await running.ended).code, 3);
    bed.open('go');
    const retried = await bed.mission('retry', 'T1', ...decision);
    assert.equal(retried.code, 0, retried.stderr);
  });

  it('says on stderr for which process it waits and how long, and prints the answer as always', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'there is no SIGSTOP');
    const plan = bed.plan('slow', [
      { script: `${start}${bed.waitAt('go')}` },
      { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
    ]);
    const running = bed.start('run', plan);
    await bed.waitsAt('go');
    const id = await bed.missionId();
    running.child.kill('SIGSTOP');
    const pause = bed.start('pause', id, ...decision);
    try {
      const said = await new Promise<string>((resolve) => {
        let text = '';
        pause.child.stderr?.on('data', (data: Buffer) => {
          text += data.toString();
          if (text.endsWith('\n')) resolve(text);
        });
        void pause.ended.then(({ stdout, stderr }) => resolve(stderr + stdout));
      });
      assert.match(
        said,
        new RegExp(
          `^Waiting for .+ \\(process ${running.child.pid}, since .+\\), which runs the missions of this folder: 45 seconds at most\\. \`mission stop --all\` stops every worker without it\\.\\n$`,
        ),
      );
    } finally {
      running.child.kill('SIGCONT');
    }
    const { code, json, stdout } = await pause.ended;
    assert.deepEqual([code, json.accepted, json.code], [0, true, 'OK'], stdout);
    bed.open('go');
    assert.equal((await running.ended).code, 3);
  });

  it('pauses after the current attempt, and resumes', async () => {
    const plan = bed.plan('pause', [
      { script: `${start}${bed.waitAt('go')}` },
      { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
    ]);
    const running = bed.start('run', plan);
    await bed.waitsAt('go');
    assert.equal((await bed.mission('pause', 'pause', ...decision)).code, 0);
    const twice = await bed.mission('pause', 'pause', ...decision);
    assert.deepEqual([twice.code, twice.json.code], [2, 'ALREADY_PAUSED']);
    bed.open('go');
    const paused = await running.ended;
    assert.deepEqual(
      [paused.code, paused.json.status, paused.json.tasks.map((task: { status: string }) => task.status)],
      [3, 'paused', ['done', 'todo']],
    );
    assert.equal(paused.json.next[0], `mission resume ${paused.json.mission_id} --by NAME --reason TEXT`);
    const resumed = await bed.mission('resume', 'pause', ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed']);
  });

  it('says at the end of a run that a person paused what is left, and how to go on', async () => {
    const writes = (name: string): { script: string } => ({
      script: `${start}fs.writeFileSync('docs/out/${name}', '');`,
    });
    const plan = bed.plan('later', [{ script: `${start}${bed.waitAt('go')}` }, writes('b.txt'), writes('c.txt')]);
    const running = bed.spawn(process.execPath, [cliFile, 'run', plan]);
    await bed.waitsAt('go');
    assert.equal((await bed.mission('pause', 'later', ...decision)).code, 0);
    bed.open('go');
    const { code, stdout } = await running.ended;
    const id = await bed.missionId();
    assert.equal(code, 3, stdout);
    assert.match(stdout, /^Left {6}2 of 3 tasks: T2 and T3$/m);
    assert.match(stdout, new RegExp(`^Next {6}mission resume ${id} --by NAME --reason TEXT$`, 'm'));
    const resumed = await bed.mission('resume', id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stdout);
  });

  it('cancels: the worker is stopped, open tasks are SKIPPED, the evidence verifies', async () => {
    const plan = bed.plan('cancel', [{ script: `${start}${bed.waitAt('go')}` }, { script: start }]);
    const running = bed.start('run', plan);
    const pid = await bed.waitsAt('go');
    assert.equal((await bed.mission('cancel', 'cancel', ...decision)).code, 0);
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status], [1, 'cancelled']);
    assert.equal(isAlive(pid), false);
    for (const task of ['T1', 'T2'])
      assert.equal(bed.json(`docs/ops/executions/cancel/TASK_${task}.json`).status, 'SKIPPED');
    assert.equal((await bed.mission('evidence', 'verify', 'cancel')).code, 0);
  });

  it('cancels a blocked mission without an owner', async () => {
    const run = await bed.mission('run', bed.plan('idle', [{ script: 'process.exit(1)' }]));
    assert.equal(run.code, 3);
    const cancelled = await bed.mission('cancel', 'idle', ...decision);
    assert.deepEqual([cancelled.code, cancelled.json.mission.status], [0, 'cancelled'], cancelled.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'idle')).code, 0);
  });

  it('refuses a second run while another process owns the missions', async () => {
    const running = bed.start('run', bed.plan('one', [{ script: `${start}${bed.waitAt('go')}` }]));
    await bed.waitsAt('go');
    const id = await bed.missionId();
    const second = await bed.mission('run', bed.plan('two', [{ script: start }]));
    assert.deepEqual([second.code, second.json.code], [4, 'LEASE_HELD']);
    const { pid } = running.child;
    const says = ` (process ${pid}, since `;
    assert.ok(second.json.reason.includes(says), second.json.reason);
    assert.ok(second.json.reason.endsWith(`Z). That process runs mission ${id} now.`), second.json.reason);
    // No command takes a second run to the owner.
    assert.deepEqual(second.json.next, [
      `mission status ${id}`,
      `mission pause ${id} --by NAME --reason TEXT`,
      `mission stop ${id} T1 --by NAME --reason TEXT`,
      'Then repeat the command, or wait until what runs has ended.',
      'Or end that process; ownership is free at once.',
    ]);
    const status = await bed.mission('status');
    assert.deepEqual([status.code, status.json.owner, status.json.missions[0]!.live!.task_id], [0, 'another', 'T1']);
    bed.open('go');
    await running.ended;
  });

  for (const alive of [true, false]) {
    it(`continues after kill -9 with exactly one execution, the worker ${alive ? 'still running' : 'having ended meanwhile'}`, async () => {
      const counter = path.join(bed.scratch, 'counter');
      const count = `fs.appendFileSync(${JSON.stringify(counter)}, 'x');`;
      const plan = bed.plan('crash', [
        { script: `${start}${count}${bed.waitAt('go')}fs.writeFileSync('docs/out/a.txt', 'a');` },
        { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
      ]);
      const running = bed.start('run', plan);
      const pid = await bed.waitsAt('go');
      running.child.kill('SIGKILL');
      assert.equal((await running.ended).signal, 'SIGKILL');
      assert.ok(isAlive(pid));
      const status = await bed.mission('status');
      assert.deepEqual([status.json.owner, status.json.missions[0]!.interrupted], ['none', true]);
      if (!alive) {
        bed.open('go');
        await until(() => !isAlive(pid));
      }
      let [left] = (await bed.mission('status')).json.missions;
      // Its supervisor ends what the worker left, and then says how it ended.
      while (left?.lanes[0]?.left?.state === 'unknown') [left] = (await bed.mission('status')).json.missions;
      const said = (await bed.spawn(process.execPath, [cliFile, 'status']).ended).stdout;
      assert.equal(left?.lanes[0]?.left?.state, alive ? 'runs' : 'ended', said);
      assert.equal(left.lanes[0].pid === null, !alive, said);
      assert.match(said, /^ {2}T1 +interrupted /m);
      assert.match(said, alive ? /: its worker still runs as process \d+; / : /: its worker has ended/);
      assert.match(said, /^ {2}next: mission resume /m);
      assert.doesNotMatch(said, /\brunning\b/);
      const resuming = bed.start('resume', 'crash', ...decision);
      if (alive) {
        await until(async () => (await bed.mission('list')).json.owner === 'another');
        bed.open('go');
      }
      const resumed = await resuming.ended;
      assert.equal(resumed.code, 0, resumed.stderr);
      assert.deepEqual([resumed.json.mission.status, resumed.json.mission.tasks[0]!.attempts], ['completed', 1]);
      assert.equal(readFileSync(counter, 'utf8'), 'x');
      assert.equal((await bed.mission('evidence', 'verify', 'crash')).code, 0);
    });
  }

  it('says beside an interrupted mission that it was interrupted, and the first step resumes it', async () => {
    const plan = bed.plan('left', [{ script: `${start}${bed.waitAt('go')}` }]);
    const other = bed.plan('other', [{ script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` }]);
    const running = bed.start('run', plan);
    const pid = await bed.waitsAt('go');
    running.child.kill('SIGKILL');
    await running.ended;
    const refused = await bed.mission('run', other);
    assert.deepEqual([refused.code, refused.json.code], [2, 'MISSION_ACTIVE']);
    const id = await bed.missionId();
    assert.match(
      refused.json.reason,
      new RegExp(`^Mission ${id} was interrupted in this workspace: no process goes on`),
    );
    assert.doesNotMatch(refused.stderr + refused.stdout, /is running/);
    assert.deepEqual(refused.json.next, [
      `mission resume ${id} --by NAME --reason TEXT`,
      `mission cancel ${id} --by NAME --reason TEXT`,
      `mission status ${id}`,
    ]);
    bed.open('go');
    await until(() => !isAlive(pid));
    const resumed = await bed.mission('resume', id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stdout);
    assert.equal((await bed.mission('run', other)).code, 0);
  });

  it('leaves an interrupted mission as it is when a command on it is refused', async () => {
    const plan = bed.plan('refused', [
      { script: `${start}${bed.waitAt('go')}` },
      { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
    ]);
    const running = bed.start('run', plan);
    const pid = await bed.waitsAt('go');
    running.child.kill('SIGKILL');
    await running.ended;
    bed.open('go');
    await until(() => !isAlive(pid));
    const refused = await bed.mission('stop', 'refused', 'T2', ...decision);
    assert.deepEqual([refused.code, refused.json.code], [2, 'TASK_NOT_RUNNING']);
    const paused = await bed.mission('pause', 'refused', ...decision);
    assert.equal(paused.code, 0, paused.stderr);
    assert.equal(bed.exists('docs/out/b.txt'), false);
    const resumed = await bed.mission('resume', 'refused', ...decision);
    assert.equal(resumed.code, 0, resumed.stderr);
  });

  it('lets go of the worker on SIGTERM and leaves it running; resume attaches to it', async () => {
    const running = bed.start('run', bed.plan('letgo', [{ script: `${start}${bed.waitAt('go')}` }]));
    const pid = await bed.waitsAt('go');
    running.child.kill('SIGTERM');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status], [3, 'running']);
    assert.match(run.stderr, /goes on under its supervisor/);
    assert.ok(isAlive(pid));
    const resuming = bed.start('resume', 'letgo', ...decision);
    bed.open('go');
    const resumed = await resuming.ended;
    assert.deepEqual([resumed.code, resumed.json.mission.tasks[0]!.attempts], [0, 1]);
  });

  it('pauses on Ctrl+C without a terminal; the second one lets go', async () => {
    const running = bed.start(
      'run',
      bed.plan('ctrlc', [
        { script: `${start}${bed.waitAt('go')}` },
        { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
      ]),
    );
    const pid = await bed.waitsAt('go');
    running.child.kill('SIGINT');
    await until(async () => (await bed.events('ctrlc')).some(({ type }) => type === 'PauseRequested'));
    running.child.kill('SIGINT');
    assert.equal((await running.ended).code, 3);
    assert.ok(isAlive(pid));
    bed.open('go');
    const resumed = await bed.mission('resume', 'ctrlc', ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stderr);
  });

  it('pauses on Ctrl+C as a user whom the system calls `bot`, as containers do', async () => {
    const asBot = path.join(bed.scratch, 'asBot.cjs');
    writeFileSync(asBot, `require('node:os').userInfo = () => ({ username: 'bot' });`);
    const plan = bed.plan('bot', [{ script: `${start}${bed.waitAt('go')}` }, { script: start }]);
    const env = { ...bed.env, NODE_OPTIONS: `--require ${asBot}` };
    const running = bed.spawn(process.execPath, [cliFile, 'run', plan, '--json'], { env });
    await bed.waitsAt('go');
    running.child.kill('SIGINT');
    const told = await until(async () =>
      (await bed.mission('journal', 'export', 'bot')).json.lines.find((line) => line.includes('PauseMission')),
    );
    assert.match(told, /"name":"user bot".*"CommandAccepted"/);
    bed.open('go');
    assert.equal((await running.ended).json.status, 'paused');
  });

  it('asks on a terminal before it pauses; Ctrl+C again lets go', async function () {
    if (!existsSync('/usr/bin/script')) skipWithReason(this, 'no `script` on this machine to make a terminal with');
    const plan = bed.plan('tty', [
      { script: `${start}${bed.waitAt('go')}` },
      { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
    ]);
    const command = `'${process.execPath}' '${cliFile}'`;
    const asked = bed.terminal(`${command} run ${plan}`);
    await asked.shows('Worker started as process');
    asked.press('\u0003');
    await asked.shows('after the current attempt?');
    asked.press('y\r');
    await asked.shows('Interrupt again to exit');
    asked.press('\u0003');
    await asked.shows('goes on under its supervisor');
    assert.equal(await asked.code, 3);
    bed.open('go');
    assert.equal((await bed.mission('resume', 'tty', ...decision)).code, 0);
    const approving = bed.terminal(`${command} plan approve ${plan} --by Ada`);
    await approving.shows('Approve plan tty as Ada?');
    approving.press('\u0003');
    assert.equal(await approving.code, 2);
  });

  it('refuses human commands from inside a worker, and journals that', async () => {
    const calls = [
      ['cancel', 'inside', '--by', 'Human', '--reason', 'let me'],
      ['plan', 'approve', 'docs/plans/PLAN_other.json', '--by', 'Human', '--yes'],
      ['run', 'docs/plans/PLAN_other.json'],
      ['plan', 'approve', path.join(bed.scratch, 'far/docs/plans/PLAN_other.json'), '--by', 'Human', '--yes'],
    ];
    const plan = bed.plan('other', [{ script: start }], {}, { status: 'DRAFT' });
    mkdirSync(path.join(bed.scratch, 'far/docs/plans'), { recursive: true });
    copyFileSync(bed.at(plan), path.join(bed.scratch, 'far', plan));
    // A sandbox leaves a worker no folder of its user; the owner still refuses and journals what it calls.
    const script = `${start}import { spawnSync } from 'node:child_process';
const answers = ${JSON.stringify(calls)}.map((args) => { const r = spawnSync('node', [${JSON.stringify(cliFile)}, ...args, '--json'], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: '/dev/null/nowhere', MISSION_CONTROL_HOME: '/dev/null/nowhere' } }); return [r.status, JSON.parse(r.stdout).code]; });
fs.writeFileSync('docs/out/answers.json', JSON.stringify(answers));`;
    const run = await bed.mission('run', bed.plan('inside', [{ script }]));
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(
      JSON.parse(bed.read('docs/out/answers.json')),
      calls.map(() => [2, 'NON_COMPLIANT']),
    );
    const refused = (await bed.events('inside')).find((event) => event.type === 'CommandRefused');
    assert.equal(refused?.code, 'NON_COMPLIANT');
    for (const folder of [bed.root, path.join(bed.scratch, 'far')])
      assert.match(readFileSync(path.join(folder, plan), 'utf8'), /"DRAFT"/);
  });

  it('approves another plan through the owner while a task runs, which is no change of the worker', async () => {
    const other = bed.plan('other', [{ script: start }], {}, { status: 'DRAFT' });
    const running = bed.start('run', bed.plan('busy', [{ script: `${start}${bed.waitAt('go')}` }]));
    await bed.waitsAt('go');
    const approved = await bed.mission('plan', 'approve', other, '--by', 'Ada', '--yes');
    assert.deepEqual([approved.code, approved.json.recorded], [0, true], approved.stderr);
    bed.open('go');
    const run = await running.ended;
    assert.equal(run.code, 0, run.stderr);
    const approvals = await bed.mission('journal', 'export', 'approvals');
    assert.equal(approvals.json.lines.length, 1);
  });

  it('lists, shows and resolves packets; refuses outcomes that are not for them', async () => {
    const running = bed.start('run', bed.plan('busy', [{ script: `${start}${bed.waitAt('go')} process.exit(1);` }]));
    await bed.waitsAt('go');
    const verified = await bed.mission('journal', 'verify', 'busy');
    assert.deepEqual([verified.code, verified.json.valid, verified.json.first_bad], [0, true, null]);
    bed.open('go');
    const run = await running.ended;
    const [packet] = run.json.packets;
    for (const [outcome, code] of [
      ['resume', 'OUTCOME_UNAVAILABLE'],
      ['ask-user', 'QUESTION_INVALID'],
    ] as const) {
      const refused = await bed.mission('packet', 'resolve', packet!.packet_id, '--outcome', outcome, ...decision);
      assert.deepEqual([refused.code, refused.json.code], [2, code]);
    }
    assert.equal((await bed.mission('packet', 'list')).json.packets.length, 1);
    const left = await bed.mission('packet', 'resolve', packet!.packet_id, '--outcome', 'leave-blocked', ...decision);
    assert.equal(left.code, 0, left.stderr);
    assert.equal((await bed.mission('packet', 'list')).json.packets.length, 0);
    const shown = await bed.mission('packet', 'show', packet!.packet_id);
    assert.deepEqual([shown.code, shown.json.state, shown.json.outcome], [0, 'resolved', 'leave-blocked']);
    const retried = await bed.mission('retry', 'busy', ...decision);
    assert.equal(retried.code, 3);
    const acknowledged = await bed.mission('acknowledge', 'busy', ...decision);
    assert.equal(acknowledged.code, 0, acknowledged.stderr);
  });
});
