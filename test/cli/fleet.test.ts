import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FleetOrder } from '../../src/contracts/fleet';
import { needsBubblewrap } from '../support/bubblewrap';
import { cliFile, decision, start, until } from './cliBed';
import { forEachFleet, type FleetBed, Missions } from './fleetBed';

interface PrintedCheck {
  readonly id: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly fix: string;
}

/** Writes what the worker and its supervisor have in their environment. */
const writes = `${start}fs.writeFileSync('docs/out/a', JSON.stringify(process.env) + fs.readFileSync('/proc/' + process.ppid + '/environ'));`;

describe('mission fleet', function () {
  this.timeout(600_000);
  let rows: Missions;
  let bed: FleetBed;
  let password: string;
  forEachFleet((fleet) => ({ rows, bed, password } = fleet));

  it('runs a submitted plan once, from its commit, with evidence that verifies', async () => {
    const plan = await bed.approved('once', [{ script: writes }]);
    const first = await bed.submit(plan);
    assert.equal(first.code, 0, first.stdout + first.stderr);
    const again = await bed.submit(plan);
    assert.deepEqual([again.json.id, again.json.queued], [first.json.id, false]);
    const host = await bed.host('host', '--once').ended;
    assert.equal(host.code, 0, host.stderr);
    const { status, folder } = await bed.outcome(first.json.id);
    assert.equal(status, 'completed', host.stdout);
    const written = readFileSync(path.join(folder ?? '', 'docs/out/a'), 'utf8');
    assert.match(written, /PATH/);
    assert(!written.includes('MISSION_FLEET_DATABASE') && !written.includes(password));
    assert.equal((await bed.mission('evidence', 'verify', 'once', '--workspace', folder ?? '')).code, 0);
    assert(!existsSync(bed.at('docs/out/a')));
    const forged = {
      status: 'completed',
      mission_id: null,
      host: 'h',
      folder: '/evil',
      branch: 'evil',
      code: null,
      reason: null,
    };
    await rows.run(`UPDATE pgboss.job SET output = '${JSON.stringify(forged)}' WHERE id = '${first.json.id}'`);
    const shown = await bed.mission('fleet', 'show', first.json.id);
    assert.match(shown.stdout, /"proven":\s*false/);
    assert.doesNotMatch(shown.stdout, /evil/);
  });

  it('goes on from the last export of a host that was killed, and runs no recorded task again', async () => {
    const { id } = (await bed.submit(await bed.approved('killed', bed.twoTasks()))).json;
    const lost = bed.host('lost');
    await bed.waits('lost');
    lost.child.kill('SIGKILL');
    // The oldest export is written once more, as the last row.
    const oldest = `(SELECT min(place) FROM mission_export WHERE job = '${id}')`;
    await rows.run(`UPDATE mission_export SET place = DEFAULT WHERE place = ${oldest}`);
    const next = bed.host('next');
    const folder = await bed.blocked('next');
    bed.open('gate');
    // The end of the second task is unknown here, so a person decides about it, where the mission is.
    assert.equal(bed.ran(), 'first second');
    assert(existsSync(path.join(folder, 'docs/out/first')));
    const where = ['--workspace', folder];
    const retried = await bed.mission('retry', 'killed', 'T2', ...decision, ...where);
    assert.equal(retried.code, 0, retried.stdout + retried.stderr);
    const { status } = await until(() => bed.outcome(id).catch(() => null));
    next.child.kill('SIGTERM');
    assert.equal((await next.ended).code, 0);
    assert.equal(status, 'completed');
    assert.equal(bed.ran(), 'first second second');
    assert.equal((await bed.mission('evidence', 'verify', 'killed', ...where)).code, 0);
  });

  it('lets the attempt end and hands the mission back when SIGTERM ends the host', async () => {
    const tasks = [
      { task_id: 'T0', script: bed.noted('zero') },
      ...bed.twoTasks(),
      { task_id: 'T3', script: bed.noted('third') },
    ];
    const { id } = (await bed.submit(await bed.approved('stopped', tasks))).json;
    const first = bed.host('first');
    await bed.waits('first');
    first.child.kill('SIGTERM');
    bed.open('gate');
    const ended = await first.ended;
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, /"kind":\s*"handed_back"/);
    assert.equal(bed.ran(), 'zero first second');
    await bed.host('second', '--once').ended;
    const { status, folder } = await bed.outcome(id);
    assert.equal(status, 'completed');
    assert.equal(bed.ran(), 'zero first second third');
    assert.equal((await bed.mission('evidence', 'verify', 'stopped', '--workspace', folder ?? '')).code, 0);
  });

  it('starts nothing more of a mission that was canceled', async () => {
    const tasks = [...bed.twoTasks(), { task_id: 'T3', script: bed.noted('third') }];
    const { id } = (await bed.submit(await bed.approved('canceled', tasks))).json;
    const host = bed.host('host', '--once');
    await bed.waits('host');
    assert.equal((await bed.mission('fleet', 'cancel', id)).code, 0);
    bed.open('gate');
    assert.match((await host.ended).stdout, /"kind":\s*"lost"/);
    assert.equal(bed.ran(), 'first second');
    assert.equal((await bed.mission('fleet', 'cancel', id)).json.code, 'FLEET_MISSION_UNKNOWN');
    await revived(id);
    assert.match((await bed.outcome(id)).reason ?? '', /The order is over/);
    assert.equal(bed.ran(), 'first second');
  });

  it('starts nothing where the database no longer holds what was done', async () => {
    const tasks = [...bed.twoTasks(), { task_id: 'T3', script: bed.noted('third') }];
    const { id } = (await bed.submit(await bed.approved('emptied', tasks))).json;
    const first = bed.host('first');
    await bed.waits('first');
    first.child.kill('SIGTERM');
    bed.open('gate');
    await first.ended;
    const changed = async (change: string): Promise<string> => {
      await rows.run(`UPDATE mission_export SET ${change}`);
      await revived(id);
      return (await bed.outcome(id)).reason ?? '';
    };
    const other = randomUUID();
    assert.match(await changed(`job = '${other}' WHERE job = '${id}'`), /exports of the order are gone/);
    const renamed = `job = '${id}', name = 'of ' || name WHERE job = '${other}'`;
    assert.match(await changed(renamed), /not only exports of hosts that count/);
    assert.equal(bed.ran(), 'first second');
  });

  /** A user of the database makes the row new again, and a host takes it. */
  async function revived(id: string): Promise<void> {
    await rows.run(`UPDATE pgboss.job SET state = 'retry', completed_on = NULL WHERE id = '${id}'`);
    await bed.host('again', '--once').ended;
  }

  it('starts nothing for a row that this user did not seal, or that was carried out before', async () => {
    const { id } = (await bed.submit(await bed.approved('true', [{ script: writes }]))).json;
    const { text, seal } = await rows.order(id);
    const order = JSON.parse(text) as FleetOrder;
    await bed.host('host', '--once').ended;
    assert.equal((await bed.outcome(id)).status, 'completed');
    const changed = (change: Partial<FleetOrder>): object => ({ text: JSON.stringify({ ...order, ...change }), seal });
    const hostile: readonly unknown[] = [
      ...[{}, [], { text, seal: '' }, { text: 1, seal }, { text: '{', seal }, { text, seal, more: 1 }],
      changed({ repository: 'ext::sh -c touch% /tmp/x' }),
      changed({ plan_id: '../../outside' }),
      changed({ commit: '--upload-pack=touch' }),
      { text, seal: seal.toLowerCase() },
    ];
    const ids: string[] = [];
    for (const row of hostile) ids.push(await rows.add(row));
    const copy = await rows.add({ text, seal });
    const before = readdirSync(path.join(bed.scratch, 'host', 'missions'));
    for (let left = hostile.length; left >= 0; left -= 1) await bed.host('host', '--once').ended;
    const { json } = await bed.mission('fleet', 'list');
    const listed = json.missions as unknown as readonly {
      id: string;
      plan_id: string | null;
      outcome: { status: string; reason: string } | null;
    }[];
    for (const one of [...ids, copy])
      assert.equal(listed.find((entry) => entry.id === one)?.outcome?.status, 'refused');
    assert.match(listed.find((one) => one.id === copy)?.outcome?.reason ?? '', /^The row is a copy/);
    assert.deepEqual(readdirSync(path.join(bed.scratch, 'host', 'missions')), before);
  });

  it('leaves a mission to a host that has what it needs, and refuses one that was moved', async () => {
    const plan = await bed.approved('labels', [{ script: writes }]);
    const wrong = await bed.submit(plan, '--needs', 'GPU x');
    assert.deepEqual([wrong.code, wrong.json.code], [2, 'USAGE']);
    const { id, needs } = (await bed.submit(plan, '--needs', 'gpu,big')).json;
    assert.deepEqual(needs, ['big', 'gpu']);
    const { json } = await bed.host('small', '--once', '--labels', 'gpu').ended;
    assert.deepEqual(json.served, []);
    const row = await rows.order(id);
    const moved = await rows.add(row);
    await bed.host('small', '--once').ended;
    const { status, reason } = await bed.outcome(moved);
    assert.equal(status, 'refused');
    assert.match(reason ?? '', /needs big, gpu/);
    await bed.host('large', '--once', '--labels', 'big,gpu,fast').ended;
    assert.equal((await bed.outcome(id)).status, 'completed');
  });

  it('pushes evidence and changes to a new branch where order and host allow it', async () => {
    bed.write('.gitignore', 'docs/plans/executions/\n.mission-control/\n');
    const plan = await bed.approved('pushed', [{ script: bed.noted('first') }]);
    const { id, needs } = (await bed.submit(plan, '--push')).json;
    assert.deepEqual(needs, ['push']);
    const named = await bed.host('other', '--once', '--labels', 'push').ended;
    assert.deepEqual([named.code, named.json.code], [2, 'USAGE']);
    assert.deepEqual((await bed.host('other', '--once').ended).json.served, []);
    const head = bed.git('rev-parse', 'HEAD').trim();
    await bed.host('host', '--once', '--push').ended;
    const { status, branch, folder } = await bed.outcome(id);
    assert.equal(status, 'completed');
    assert.match(branch ?? '', /^mission\/pushed\/[0-9a-f-]+$/);
    const files = bed
      .git('diff', '--name-only', head, `refs/heads/${branch ?? ''}`)
      .trim()
      .split('\n');
    assert(files.includes('docs/out/first') && files.some((file) => file.endsWith('/TASK_T1.json')), files.join('\n'));
    assert(!files.some((file) => file.startsWith('.mission-control/')));
    assert.equal(bed.git('rev-parse', `refs/heads/${branch ?? ''}^`).trim(), head);
    bed.git('worktree', 'add', '-q', '--detach', path.join(bed.scratch, 'seen'), `refs/heads/${branch ?? ''}`);
    const where = ['--workspace', path.join(bed.scratch, 'seen')];
    assert.equal((await bed.mission('evidence', 'verify', 'pushed', ...where)).code, 0);
    assert(existsSync(path.join(folder ?? '', 'docs/out/first')));
  });

  it('says where the work lies when its branch cannot be pushed', async () => {
    const { id } = (await bed.submit(await bed.approved('kept', [{ script: bed.noted('first') }]), '--push')).json;
    bed.git('config', 'receive.hideRefs', 'refs/heads/mission');
    await bed.host('host', '--once', '--push').ended;
    const { status, branch, code, reason, folder } = await bed.outcome(id);
    assert.deepEqual([status, branch, code], ['completed', null, 'FLEET_NOT_PUSHED']);
    assert(reason?.includes(folder ?? '?'), reason ?? '');
  });

  it('blocks before an attempt whose export is refused, so no host does the done task again', async () => {
    const secret = `fs.writeFileSync('docs/out/first', 'AKIA' + 'ABCDEFGHIJKLMNOP');`;
    const tasks = [
      { task_id: 'T1', script: bed.noted('first', secret) },
      { task_id: 'T2', script: bed.noted('second'), depends_on: ['T1'] },
    ];
    const { id } = (await bed.submit(await bed.approved('secret', tasks))).json;
    await bed.host('host', '--once').ended;
    const { status, folder, mission_id } = await bed.outcome(id);
    assert.equal(status, 'blocked');
    assert.equal(bed.ran(), 'first');
    const { stdout } = await bed.mission('status', mission_id ?? '', '--workspace', folder ?? '');
    assert.match(stdout, /Another host could not go on from here/);
  });

  it('pushes nothing of a mission that did not complete, and says where it lies', async () => {
    const plan = await bed.approved('unfinished', [{ script: 'process.exit(1)' }]);
    const { id } = (await bed.submit(plan, '--push')).json;
    await bed.host('host', '--once', '--push').ended;
    const { status, branch, code, reason, folder } = await bed.outcome(id);
    assert.deepEqual([status, branch, code], ['blocked', null, 'FLEET_NOT_PUSHED']);
    assert(reason?.includes(folder ?? '?'), reason ?? '');
    assert.equal(bed.git('branch', '--list', 'mission/*'), '');
  });

  it('leaves a plan that requires a sandbox to a host that can build one', async function () {
    const bubblewrap = needsBubblewrap(this);
    const plan = await bed.approved('held', [{ script: `${start}fs.writeFileSync('docs/out/a', '');` }], {
      confinement: 'required',
    });
    const { id, needs } = (await bed.submit(plan)).json;
    assert.deepEqual(needs, ['sandbox']);
    assert.deepEqual((await bed.host('bare', '--once').ended).json.served, []);
    const PATH = `${bubblewrap}${path.delimiter}${bed.env.PATH ?? ''}`;
    const { json, stderr } = await bed.hostWith({ PATH }, 'able', '--once').ended;
    assert.match(stderr, /sandbox/);
    assert.equal(json.served.length, 1);
    assert.equal((await bed.outcome(id)).status, 'completed', stderr);
  });

  it('needs the agents of the plan', async () => {
    const plan = await bed.approved('agents', [{ worker: 'gemini' }]);
    assert.deepEqual((await bed.submit(plan)).json.needs, ['gemini']);
    assert.deepEqual((await bed.host('host', '--once').ended).json.served, []);
    const gemini = path.join(bed.scratch, 'gemini');
    writeFileSync(gemini, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { json } = await bed.host('host', '--once', '--cli', `gemini=${gemini}`).ended;
    assert.equal(json.served.length, 1);
  });

  it('goes on from no export that this user did not seal', async () => {
    const { id } = (await bed.submit(await bed.approved('export', [{ script: writes }]))).json;
    const files = { '../../outside': Buffer.from('x').toString('base64') };
    await rows.export(id, JSON.stringify({ text: JSON.stringify({ files }), seal: '0'.repeat(64) }));
    await bed.host('host', '--once').ended;
    const { status, code, folder } = await bed.outcome(id);
    assert.deepEqual([status, code], ['refused', 'FLEET_ORDER_REFUSED']);
    // A true export counts for its order alone, and a copied row has another one.
    const tasks = [{ task_id: 'T1', script: bed.noted('moved') }];
    const first = (await bed.submit(await bed.approved('moved', tasks))).json.id;
    await bed.host('host', '--once').ended;
    assert.equal((await bed.outcome(first)).status, 'completed');
    const second = (await bed.submit(await bed.approved('moved-to', tasks))).json.id;
    await rows.run(
      `INSERT INTO mission_export (job, name, run_id, content) SELECT '${second}', name, run_id, content FROM mission_export WHERE job = '${first}'`,
    );
    await bed.host('host', '--once').ended;
    assert.equal((await bed.outcome(second)).code, 'FLEET_ORDER_REFUSED');
    await rows.run(`DELETE FROM mission_export WHERE job = '${first}'`);
    await rows.run(`UPDATE pgboss.job SET state = 'created', completed_on = NULL WHERE id = '${first}'`);
    await bed.host('host', '--once').ended;
    assert.match((await bed.outcome(first)).reason ?? '', /The order is over/);
    assert.equal(bed.ran(), 'moved');
    assert(!existsSync(path.join(folder ?? '', 'docs/out/a')));
    assert(!existsSync(path.join(bed.scratch, 'outside')));
  });

  it('is looked at by the doctor, whatever is wrong with it', async () => {
    const made = await bed.submit(await bed.approved('waiting', [{ script: writes }]));
    assert.equal(made.code, 0, made.stdout + made.stderr);
    const seen = async (env: NodeJS.ProcessEnv): Promise<readonly PrintedCheck[]> => {
      const args = [cliFile, 'doctor', '--fleet', '--json'];
      const { json } = await bed.spawn(process.execPath, args, { env: { ...bed.env, ...env } }).ended;
      return (json.checks as unknown as readonly PrintedCheck[]).filter(({ id }) => id.startsWith('fleet-'));
    };
    const [database, host] = await seen({});
    assert.match(database?.detail ?? '', /answers\. Missions that wait: 1; that run: 0/);
    assert.match(host?.detail ?? '', /takes missions that need/);
    const faults: readonly [NodeJS.ProcessEnv, RegExp, RegExp][] = [
      [{ MISSION_FLEET_DATABASE: bed.database('mission', 'pass-word') }, /cannot be used/, /whether it runs/],
      [{ MISSION_FLEET_DATABASE: 'postgres://db.example.com/fleet' }, /not be encrypted/, /sslmode/],
      [{ NODE_PATH: '' }, /pg-boss/, /npm install --no-save pg-boss@/],
    ];
    for (const [env, detail, fix] of faults) {
      const [found] = await seen(env);
      assert.equal(found?.ok, false);
      assert.match(found.detail, detail);
      assert.match(found.fix, fix);
      assert(!found.detail.includes('pass-word'));
    }
    await bed.mission('fleet', 'cancel', made.json.id);
  });

  it('runs no SQL that stands in the database', async () => {
    await rows.run(
      "INSERT INTO pgboss.bam (name, version, status, table_name, command) VALUES ('x', 1, 'pending', 'job', 'CREATE TABLE public.planted ()')",
    );
    await rows.run('UPDATE pgboss.version SET bam_on = NULL');
    assert.equal((await bed.mission('fleet', 'list')).code, 0);
    assert.equal((await bed.host('host', '--once').ended).code, 0);
    assert.equal((await bed.mission('fleet', 'setup')).code, 0);
    await assert.rejects(rows.run('TABLE public.planted'), /does not exist/);
  });

  it('takes a role with the rights that the guide names', async () => {
    const { id } = (await bed.submit(await bed.approved('role', [{ script: writes }]))).json;
    const [, sql = ''] = /```sql\n([^`]+)```/.exec(readFileSync('docs/guide/fleet.md', 'utf8')) ?? [];
    await rows.run(sql.replace('SECRET', 'of-the-role'));
    const url = bed.database('mission_host', 'of-the-role');
    const host = await bed.host('host', '--once', '--database', url).ended;
    assert.equal((await bed.outcome(id)).status, 'completed', host.stdout + host.stderr);
    const queued = await bed.submit(
      await bed.approved('of-role', [{ script: writes }]),
      '--needs',
      'gpu',
      '--database',
      url,
    );
    assert.equal(queued.code, 0, queued.stdout + queued.stderr);
    assert.equal((await bed.mission('fleet', 'cancel', queued.json.id, '--database', url)).code, 0);
    assert.equal((await bed.mission('fleet', 'list', '--database', url)).code, 0);
    const other = await Missions.open(url);
    for (const text of [
      'CREATE TABLE public.other (a int)',
      "INSERT INTO pgboss.bam (name, version, status, table_name, command) VALUES ('x', 1, 'pending', 'job', 'SELECT 1')",
      'UPDATE pgboss.version SET bam_on = NULL',
      "UPDATE pgboss.queue SET table_name = 'version'",
      "INSERT INTO pgboss.schedule (name, cron) VALUES ('missions', '* * * * *')",
    ])
      await assert.rejects(other.run(text), /denied/, text);
    await assert.rejects(
      other.run(`SELECT pgboss.create_queue('missions/x', '{"policy": "exclusive", "partition": true}')`),
      /denied|mission_queue/,
    );
    await assert.rejects(
      other.run(
        'INSERT INTO pgboss.queue SELECT (jsonb_populate_record(q, \'{"name": "missions/x", "table_name": "version"}\')).* FROM pgboss.queue q LIMIT 1',
      ),
      /denied|mission_queue/,
    );
    const stale = await rows.add({});
    await rows.run(
      `UPDATE pgboss.job SET state = 'active', heartbeat_on = now() - interval '1 hour' WHERE id = '${stale}'`,
    );
    await rows.run('UPDATE pgboss.queue SET monitor_claim_on = NULL, monitor_on = NULL');
    // The role may not write when pg-boss has looked at the tables as a whole, which comes last.
    await assert.rejects(other.supervise(), /denied for table version/);
    const seen = (await bed.mission('fleet', 'show', stale, '--database', url)).json;
    assert.equal(seen.state, 'waiting');
    await bed.mission('fleet', 'cancel', stale);
    await other.close();
  });

  it('refuses a plan without approval, a repository with a password, and a database that is not there', async () => {
    const plan = bed.plan('refused', [{ script: writes }]);
    bed.git('add', '.');
    bed.git('commit', '-q', '-m', 'plan');
    assert.equal((await bed.submit(plan)).json.code, 'APPROVAL_RECORD_REQUIRED');
    await bed.mission('plan', 'approve', plan, '--by', 'Ada', '--yes');
    const ref = bed.git('rev-parse', 'HEAD').trim();
    const secret = await bed.mission(
      'fleet',
      'submit',
      plan,
      '--repo',
      'https://ada:word@example.com/a.git',
      '--ref',
      ref,
    );
    assert.deepEqual([secret.code, secret.json.code], [2, 'USAGE']);
    const nobody = await bed.mission('fleet', 'list', '--database', bed.database('mission', 'pass-word'));
    assert.deepEqual([nobody.code, nobody.json.code], [4, 'FLEET_UNAVAILABLE']);
    assert.doesNotMatch(nobody.stdout + nobody.stderr, /pass-word/);
    const without = await bed.without('NODE_PATH').ended;
    assert.deepEqual([without.code, without.json.code], [4, 'FLEET_UNAVAILABLE']);
    assert.match(without.json.next[0] ?? '', /npm install --no-save pg-boss@/);
  });
});
