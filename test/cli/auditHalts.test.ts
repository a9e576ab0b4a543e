import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { needsReachableCheckout } from '../support/unprivileged';
import { AgentBed } from './agentBed';
import { CliBed, cliFile, decision, start, until, type Ended, type Running } from './cliBed';

const done = `fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a', 'x'); end('done', 'docs/out/a');`;

/** Invariant 14 through whole missions: what cannot be recorded halts with a code, and nothing is lost. */
describe('an audit log that cannot be written', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed([])));
  afterEach(() => bed.dispose());

  /** `mission` whose journal finds the disk full for every event with this text, while the file `full` is there. */
  function whenFull(text: string, ...args: string[]): Running {
    const preload = path.join(bed.scratch, 'full.cjs');
    writeFileSync(
      preload,
      `const { existsSync } = require('node:fs');
      const { StatementSync } = require('node:sqlite');
      const { run } = StatementSync.prototype;
      StatementSync.prototype.run = function (...given) {
        const event = given.find((one) => typeof one === 'string' && one.includes(${JSON.stringify(text)}));
        if (event && existsSync(${JSON.stringify(full())})) throw new Error('database or disk is full');
        return run.apply(this, given);
      };`,
    );
    return bed.spawn(process.execPath, ['--require', preload, cliFile, ...args, '--json', ...bed.claudeOptions]);
  }
  const full = (): string => path.join(bed.scratch, 'full');

  async function holds(plan: string, results: readonly string[]): Promise<void> {
    const events = await bed.events(plan);
    const records = events.flatMap((event) => (event.type === 'InvocationRecorded' ? [event.record.result] : []));
    assert.deepEqual(records, results);
    for (const kind of ['audit', 'journal', 'evidence']) {
      const verified = await bed.mission(kind, 'verify', plan);
      assert.equal(verified.code, 0, verified.stdout);
    }
  }

  it('of a launch that has ended: the next start records it, once', async () => {
    bed.speaks(done);
    writeFileSync(full(), '');
    const halted = await whenFull('"InvocationRecorded"', 'run', bed.agentPlan('record')).ended;
    assert.deepEqual([halted.code, halted.json.code], [4, 'WRITE_FAILED'], halted.stdout + halted.stderr);
    assert.match(halted.json.reason, /disk is full/);
    assert.match(halted.stdout, /T1, phase 6 \(verification\)/);
    const before = await bed.events('record');
    assert.equal(
      // The record and the verdict that it holds are one append.
      before.some(({ type }) => type === 'AttemptEnded' || type === 'InvocationRecorded'),
      false,
    );
    const refused = await whenFull('"InvocationRecorded"', 'resume', 'record', ...decision).ended;
    assert.equal(refused.code, 4, refused.stdout);
    rmSync(full());
    const resumed = await whenFull('', 'resume', 'record', ...decision).ended;
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stdout + resumed.stderr);
    assert.deepEqual((await bed.events('record')).slice(0, before.length), before);
    await holds('record', ['success']);
  });

  it('while a worker runs: it is stopped; afterwards its attempt is blocked, and a retry completes', async () => {
    const gate = path.join(bed.scratch, 'gate');
    bed.speaks(`
      fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/waits', String(process.pid));
      while (!fs.existsSync(${JSON.stringify(gate)})) await wait(20);
      fs.writeFileSync('docs/out/a', String(process.pid)); end('done', 'docs/out/a', 'docs/out/waits');`);
    const running = whenFull('', 'run', bed.agentPlan('running'));
    await until(() => bed.exists('docs/out/waits'));
    await until(async () => (await bed.events('running')).some(({ type }) => type === 'WorkerStarted'));
    writeFileSync(full(), '');
    const paused = await bed.mission('pause', 'running', ...decision);
    assert.equal(paused.json.accepted, false, paused.stdout);
    const halted = await running.ended;
    assert.deepEqual([halted.code, halted.json.code], [4, 'WRITE_FAILED'], halted.stdout + halted.stderr);
    rmSync(full());
    const resumed = await bed.withClaude('resume', 'running', ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [3, 'blocked'], resumed.stdout + resumed.stderr);
    assert.match(resumed.stdout, /the mission halted: .*disk is full/);
    writeFileSync(gate, '');
    const retried = await bed.withClaude('retry', 'running', 'T1', ...decision);
    assert.deepEqual([retried.code, retried.json.mission.status], [0, 'completed'], retried.stdout + retried.stderr);
    await holds('running', ['halt', 'success']);
  });
});

describe('a state directory that becomes read-only', function () {
  this.timeout(180_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('halts the driver with a code; writable again, the mission goes on from a blocked attempt', async function () {
    const root = process.getuid?.() === 0;
    if (root) needsReachableCheckout(this);
    // Modes mean nothing to root.
    const [program = '', ...before] = root
      ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath]
      : [process.execPath];
    const mission = (...args: string[]): Promise<Ended> =>
      bed.spawn(program, [...before, cliFile, ...args, '--json']).ended;
    const second = `${start} fs.writeFileSync('docs/out/b', 'b');`;
    const first = `${start}
      fs.writeFileSync('docs/out/a', 'a');
      const runs = '.mission-control/missions/' + fs.readdirSync('.mission-control/missions')[0];
      for (const place of [runs + '/runs', runs, '.mission-control/missions', '.mission-control']) fs.chmodSync(place, 0o555);`;
    const plan = bed.plan('closed', [{ script: first }, { script: second, paths: ['docs/out/b'] }], {
      confinement: 'off',
    });
    if (root) execFileSync('chown', ['-R', '65534:65534', bed.scratch]);
    const halted = await mission('run', plan);
    assert.deepEqual([halted.code, halted.json.code], [4, 'EFFECT_FAILED'], halted.stdout + halted.stderr);
    assert.match(halted.json.reason, /permission denied/);
    const refused = await mission('resume', 'closed', ...decision);
    assert.deepEqual([refused.code, refused.json.accepted], [4, false], refused.stdout);
    assert.match(refused.json.next.join(), /readable and writable/);
    const { lines } = (await mission('journal', 'export', 'closed')).json;
    execFileSync('chmod', ['-R', 'u+rwX', bed.at('.mission-control')]);
    const resumed = await mission('resume', 'closed', ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [3, 'blocked'], resumed.stdout + resumed.stderr);
    const retried = await mission('retry', 'closed', 'T2', ...decision);
    assert.deepEqual([retried.code, retried.json.mission.status], [0, 'completed'], retried.stdout + retried.stderr);
    const later = (await mission('journal', 'export', 'closed')).json.lines;
    assert.deepEqual(later.slice(0, lines.length), lines);
    for (const kind of ['audit', 'journal', 'evidence'])
      assert.equal((await mission(kind, 'verify', 'closed')).code, 0, kind);
  });
});
