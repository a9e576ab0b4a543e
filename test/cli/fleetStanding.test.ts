import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { MissionView } from '../../src/contracts/page/missionView';
import { cliFile, decision, until, type TaskOptions } from './cliBed';
import { forEachFleet, type FleetBed } from './fleetBed';

const late = ['--by', 'Ada', '--reason', 'It is late.'] as const;

describe('a decision of a person that stands when its host goes', function () {
  this.timeout(600_000);
  let bed: FleetBed;
  forEachFleet((fleet) => ({ bed } = fleet));

  const threeTasks = (): readonly TaskOptions[] => [
    ...bed.twoTasks(),
    { task_id: 'T3', script: bed.noted('third'), depends_on: ['T2'] },
  ];
  /** The mission of a host, as its folder shows it; null: the host has none yet. */
  const missionOf = async (host: string): Promise<MissionView | null> => {
    if (!existsSync(path.join(bed.scratch, host, 'missions'))) return null;
    const { json } = await bed.mission('status', '--workspace', bed.folderOf(host));
    return (json.missions as unknown as readonly MissionView[] | undefined)?.[0] ?? null;
  };
  const staysPaused = async (host: string): Promise<void> => {
    const mission = await until(async () => {
      const seen = await missionOf(host);
      return seen?.status === 'paused' || seen?.ending || seen?.live ? seen : null;
    });
    assert.deepEqual([mission.status, bed.ran()], ['paused', 'first second']);
    assert.match(JSON.stringify(mission.events), /Paused by Ada: It is late\./);
  };

  it('is a pause, where the host is killed', async () => {
    const { id } = (await bed.submit(await bed.approved('killed', threeTasks()))).json;
    const lost = bed.host('lost');
    const watch = bed.watch();
    await bed.waits('lost');
    await until(() => bed.seen('killed'));
    const paused = await bed.mission('pause', 'killed', ...late);
    assert.equal(paused.code, 0, paused.stdout);
    bed.open('gate');
    await until(async () => (await bed.seen('killed'))?.status === 'paused');
    lost.child.kill('SIGKILL');
    const next = bed.host('next');
    await staysPaused('next');
    await until(async () => (await bed.seen('killed'))?.runs_on?.includes(bed.folderOf('next')));
    const resumed = await bed.mission('resume', 'killed', ...decision);
    assert.equal(resumed.code, 0, resumed.stdout);
    assert.equal((await until(() => bed.outcome(id).catch(() => null))).status, 'completed');
    assert.equal(bed.ran(), 'first second third');
    for (const process of [next, watch]) {
      process.child.kill('SIGTERM');
      await process.ended;
    }
  });

  it('is a pause, where a host hands the mission back, and the next host does so too', async () => {
    await bed.submit(await bed.approved('handed', threeTasks()));
    const first = bed.host('first');
    await bed.waits('first');
    const paused = await bed.mission('pause', 'handed', ...late, '--workspace', bed.folderOf('first'));
    assert.equal(paused.code, 0, paused.stdout);
    first.child.kill('SIGTERM');
    bed.open('gate');
    assert.match((await first.ended).stdout, /"kind":\s*"handed_back"/);
    for (const name of ['second', 'third']) {
      const host = bed.host(name);
      await staysPaused(name);
      host.child.kill('SIGTERM');
      assert.match((await host.ended).stdout, /"kind":\s*"handed_back"/);
    }
  });

  it('is a cancellation that its host did not carry out', async () => {
    const deaf = "process.on('SIGTERM', () => {});";
    const tasks = [
      { task_id: 'T1', script: bed.noted('first', deaf + bed.waitAt('gate')) },
      { task_id: 'T2', script: bed.noted('second'), depends_on: ['T1'] },
    ];
    const { id } = (await bed.submit(await bed.approved('canceled', tasks))).json;
    const lost = bed.host('lost');
    const watch = bed.watch();
    await bed.waits('lost');
    await until(() => bed.seen('canceled'));
    const canceled = await bed.mission('cancel', 'canceled', ...decision);
    assert.equal(canceled.code, 0, canceled.stdout);
    lost.child.kill('SIGKILL');
    const next = bed.host('next');
    assert.equal((await until(() => bed.outcome(id).catch(() => null))).status, 'cancelled');
    const said = (await bed.spawn(process.execPath, [cliFile, 'fleet', 'list'], { env: bed.env }).ended).stdout;
    assert(said.includes(`${id}  canceled`), said);
    assert.equal(bed.ran(), 'first');
    for (const process of [next, watch]) {
      process.child.kill('SIGTERM');
      await process.ended;
    }
  });

  it('is a stop of everything: a host on that machine takes nothing before it is released', async () => {
    const { id } = (await bed.submit(await bed.approved('held', [{ script: bed.noted('first') }]))).json;
    assert.equal((await bed.mission('stop', '--all', ...decision)).code, 0);
    const held = await bed.host('host', '--once').ended;
    assert.deepEqual(held.json.served, [], held.stdout + held.stderr);
    assert.match(held.stderr, /Grace stopped everything/);
    assert.equal((await bed.mission('stop', '--release', ...decision)).code, 0);
    await bed.host('host', '--once').ended;
    assert.equal((await bed.outcome(id)).status, 'completed');
  });
});
