import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { MissionView } from '../../src/contracts/page/missionView';
import { decision, until, type TaskOptions } from './cliBed';
import { forEachFleet, type FleetBed } from './fleetBed';

describe('the folder of a host that died', function () {
  this.timeout(300_000);
  let bed: FleetBed;
  forEachFleet((fleet) => ({ bed } = fleet));

  const threeTasks = (): readonly TaskOptions[] => [
    ...bed.twoTasks(),
    { task_id: 'T3', script: bed.noted('third'), depends_on: ['T2'] },
  ];

  /** Kills a host while its second task waits. Returns the row and the folder. */
  async function killed(planId: string): Promise<{ readonly id: string; readonly folder: string }> {
    const { id } = (await bed.submit(await bed.approved(planId, threeTasks()))).json;
    const lost = bed.host('lost');
    await bed.waits('lost');
    lost.child.kill('SIGKILL');
    await lost.ended;
    return { id, folder: bed.folderOf('lost') };
  }

  it('lets no command run the mission there, while another host goes on with it', async () => {
    const { id, folder } = await killed('dead');
    bed.open('gate');
    const there = ['--workspace', folder];
    for (const args of [
      ['resume', 'dead', ...decision],
      ['retry', 'dead', 'T2', ...decision],
      ['cancel', 'dead', ...decision],
      ['run', path.join(folder, 'docs/plans/PLAN_dead.json')],
      ['handoff', 'export', 'dead', '--move', ...decision],
    ]) {
      const { code, json, stderr } = await bed.mission(...args, ...there);
      assert.deepEqual([code, json.code], [4, 'FLEET_CLAIMED'], `${args.join(' ')}: ${JSON.stringify(json)}${stderr}`);
      assert(json.next.includes(`mission fleet show ${id}`), json.next.join('\n'));
    }
    assert.equal(bed.ran(), 'first second');
    assert.equal((await bed.mission('fleet', 'show', id)).code, 0);
    const seen = (await bed.mission('status', 'dead', ...there)).json.missions as unknown as readonly MissionView[];
    assert.match(seen[0]?.headline ?? '', /another host may go on with it/);
    assert.deepEqual([seen[0]?.offers.ResumeMission, seen[0]?.offers.CancelMission], [false, false]);
    const next = bed.host('next');
    const where = await bed.blocked('next');
    const retried = await bed.mission('retry', 'dead', 'T2', ...decision, '--workspace', where);
    assert.equal(retried.code, 0, retried.stdout + retried.stderr);
    const { status } = await until(() => bed.outcome(id).catch(() => null));
    next.child.kill('SIGTERM');
    assert.equal((await next.ended).code, 0);
    assert.equal(status, 'completed');
    assert.equal(bed.ran(), 'first second second third');
    // What has ended for the fleet is the person's again.
    const again = await bed.mission('cancel', 'dead', ...decision, '--workspace', where);
    assert.notEqual(again.json.code, 'FLEET_CLAIMED');
  });

  it('is the person’s again, once its mission is canceled, where a host is there', async () => {
    const { id } = (await bed.submit(await bed.approved('freed', threeTasks()))).json;
    const host = bed.host('lives', '--once');
    await bed.waits('lives');
    assert.equal((await bed.mission('fleet', 'cancel', id)).code, 0);
    bed.open('gate');
    assert.match((await host.ended).stderr, /counts this host as lost/);
    const ended = await bed.mission('cancel', 'freed', ...decision, '--workspace', bed.folderOf('lives'));
    assert.equal(ended.code, 0, ended.stdout);
    const { id: other, folder } = await killed('left');
    assert.equal((await bed.mission('fleet', 'cancel', other)).code, 0);
    const there = ['cancel', 'left', ...decision, '--workspace', folder] as const;
    const { json } = await bed.mission(...there);
    assert.equal(json.code, 'FLEET_CLAIMED');
    assert.match(json.next.join(), /`mission fleet host`/);
    await bed.host('lost', '--once').ended;
    assert.equal((await bed.mission(...there)).code, 0);
  });

  it('has the next folder of a host that starts anew beside it, and stays claimed', async () => {
    const { id, folder } = await killed('anew');
    bed.open('gate');
    const host = bed.host('lost');
    const where = await until(async () => {
      const [, second] = readdirSync(path.dirname(folder));
      const next = path.join(path.dirname(folder), second ?? '');
      if (second === undefined) return null;
      const { json } = await bed.mission('status', '--workspace', next);
      const [seen] = (json.missions as unknown as readonly MissionView[] | undefined) ?? [];
      return seen?.status === 'blocked' ? next : null;
    });
    const retried = await bed.mission('retry', 'anew', 'T2', ...decision, '--workspace', where);
    assert.equal(retried.code, 0, retried.stdout);
    const { status, folder: ran } = await until(() => bed.outcome(id).catch(() => null));
    assert.deepEqual([status, ran, bed.ran()], ['completed', where, 'first second second third']);
    const more = (await bed.submit(await bed.approved('more', [{ script: bed.noted('more') }]))).json;
    assert.equal((await until(() => bed.outcome(more.id).catch(() => null))).status, 'completed');
    host.child.kill('SIGTERM');
    assert.equal((await host.ended).code, 0);
    for (const [at, code] of [
      [folder, 'FLEET_CLAIMED'],
      [where, 'MISSION_CLOSED'],
    ] as const)
      assert.equal((await bed.mission('cancel', 'anew', ...decision, '--workspace', at)).json.code, code);
  });

  it('has what runs there ended by a stop of everything', async () => {
    const { folder } = await killed('stopped');
    const stopped = await bed.mission('stop', '--all', '--by', 'Ada', '--reason', 'enough');
    assert.equal(stopped.code, 0, stopped.stdout + stopped.stderr);
    bed.open('gate');
    assert.equal((await bed.mission('stop', '--release', '--by', 'Ada', '--reason', 'again')).code, 0);
    assert.equal(
      (await bed.mission('resume', 'stopped', ...decision, '--workspace', folder)).json.code,
      'FLEET_CLAIMED',
    );
    assert.equal(bed.ran(), 'first second');
  });

  it('gives its work out as a handoff, where the fleet is gone for good', async () => {
    const { folder } = await killed('gone');
    bed.open('gate');
    const out = path.join(bed.scratch, 'carried');
    const there = ['--workspace', folder];
    const exported = await bed.mission('handoff', 'export', 'gone', '--out', out, ...there);
    assert.equal(exported.code, 0, exported.stdout + exported.stderr);
    const resumed = await bed.mission('handoff', 'resume', out, '--apply-diff', ...decision);
    assert(existsSync(bed.at('docs/out/first')), resumed.stdout + resumed.stderr);
    const retried = await bed.mission('retry', 'gone', 'T2', ...decision);
    assert.equal(retried.code, 0, retried.stdout + retried.stderr);
    assert.equal(bed.ran(), 'first second second third');
    assert.equal((await bed.mission('evidence', 'verify', 'gone')).code, 0);
  });
});
