import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decision, start, until } from './cliBed';
import { forEachFleet, type FleetBed, type Missions } from './fleetBed';

describe('a mission on a host of a fleet', function () {
  this.timeout(600_000);
  let rows: Missions;
  let bed: FleetBed;
  forEachFleet((fleet) => ({ rows, bed } = fleet));

  /** The first attempt of its second task fails. */
  const failsOnce = (): Parameters<FleetBed['approved']>[1] => [
    { task_id: 'T1', script: bed.noted('first') },
    {
      task_id: 'T2',
      script: `${start}const first = !fs.existsSync(${JSON.stringify(bed.gateFile('tried'))}); fs.writeFileSync(${JSON.stringify(bed.gateFile('tried'))}, ''); if (first) process.exit(1); fs.writeFileSync('docs/out/second', '');`,
      depends_on: ['T1'],
    },
  ];

  it('is watched, decided about and completed from the workspace that submitted it', async () => {
    const { id } = (await bed.submit(await bed.approved('watched', failsOnce()))).json;
    const host = bed.host('host');
    const watch = bed.watch();
    const blocked = await until(async () => {
      const mission = await bed.seen('watched');
      return mission?.status === 'blocked' ? mission : null;
    });
    const folder = bed.folderOf('host');
    assert.equal(blocked.interrupted, false);
    assert(blocked.runs_on?.includes(folder), blocked.runs_on);
    assert.deepEqual([blocked.offers.RetryTask, blocked.offers.UndoAttempt], [['T2'], []]);
    assert.equal(blocked.blocks[0]?.packet_path, null);
    assert(blocked.events.length > 3);
    const away = await bed.mission('undo', 'watched', 'T2', ...decision, '--yes');
    assert.equal(away.json.code, 'FLEET_DECISION_REFUSED', away.stdout);
    assert(away.stdout.includes(folder));
    const { packet_id } = blocked.blocks[0];
    const shown = await bed.mission('packet', 'show', packet_id);
    assert.equal(shown.json.code, 'FLEET_DECISION_REFUSED', shown.stdout);
    const left = await bed.mission('packet', 'resolve', packet_id, '--outcome', 'leave-blocked', ...decision);
    assert.equal(left.code, 0, left.stdout);
    const retried = await bed.mission('retry', 'watched', 'T2', '--by', 'Ada', '--reason', 'It works now.');
    assert.equal(retried.code, 0, retried.stdout + retried.stderr);
    assert.equal((await until(() => bed.outcome(id).catch(() => null))).status, 'completed');
    const ended = await until(async () => {
      const mission = await bed.seen('watched');
      return mission?.ending && mission.runs_on?.includes('ran on host') ? mission : null;
    });
    const where = ['--workspace', folder];
    assert.equal((await bed.mission('evidence', 'verify', 'watched', ...where)).code, 0);
    const evidence = readFileSync(path.join(folder, ended.evidence_dir, 'TASK_T2.json'), 'utf8');
    assert.match(evidence, /It works now\./);
    assert.match(evidence, /"Ada"/);
    for (const process of [watch, host]) {
      process.child.kill('SIGTERM');
      assert.equal((await process.ended).code, 0);
    }
  });

  it('shows nothing that a stranger wrote, and carries no decision of one out', async () => {
    const { id } = (await bed.submit(await bed.approved('forged', failsOnce()))).json;
    const host = bed.host('host');
    const watch = bed.watch();
    await until(async () => (await bed.seen('forged'))?.status === 'blocked');
    const { mission_id, last_seq } = (await bed.seen('forged')) ?? {};
    const words = { kind: 'events', host: 'evil', mission_id, folder: '/evil', lines: ['{}'] };
    const wanted = { type: 'RetryTask', task_id: 'T2' };
    const decided = {
      ...{ id: 'a0c2c7a5-6b3a-4b8e-9a52-0b3a4c5d6e7f', mission_id, command: wanted, reason: 'forged' },
      ...{ actor: { kind: 'human', name: 'Ada' }, at: new Date().toISOString() },
    };
    const sealed = (text: object): string => JSON.stringify({ text: JSON.stringify(text), seal: '0'.repeat(64) });
    const row = (run_id: string, text: string): Promise<unknown> =>
      rows.run(
        `INSERT INTO mission_message (job, run_id, content) VALUES ('${id}', ${run_id}, '${text.replaceAll("'", "''")}')`,
      );
    await row("'x'", sealed(words));
    // Copies of what the host said, as if another claim said it.
    for (const other of ['x', `${id}:9`])
      await rows.run(
        `INSERT INTO mission_message (job, run_id, content) SELECT job, '${other}', content FROM mission_message WHERE job = '${id}' AND run_id LIKE '${id}%' ORDER BY place LIMIT 1`,
      );
    await row('NULL', sealed(decided));
    await row('NULL', '{');
    // What the person decided before is sent once more, as a row of its own.
    const seenOnce = await bed.mission('acknowledge', 'forged', ...decision);
    assert.equal(seenOnce.code, 0, seenOnce.stdout);
    await rows.run(
      `INSERT INTO mission_message (job, content) SELECT job, content FROM mission_message WHERE job = '${id}' AND run_id IS NULL AND length(content) > 400`,
    );
    await new Promise((resolve) => setTimeout(resolve, 8000));
    const after = await bed.seen('forged');
    assert.equal(after?.status, 'blocked');
    assert(!after.runs_on?.includes('evil'));
    assert(after.last_seq > (last_seq ?? 0));
    assert.equal(bed.ran(), 'first');
    // Neither does what another wrote into the workspace.
    watch.child.kill('SIGTERM');
    await watch.ended;
    const list = bed.at('.mission-control/fleet.json');
    const written = readFileSync(list, 'utf8');
    writeFileSync(list, written.replace('docs', 'evil').replace('"running', '"over').replace('host', 'tsoh'));
    assert.equal(await bed.seen('forged'), null);
    writeFileSync(list, written);
    const events = bed.at(`.mission-control/fleet/${mission_id}.jsonl`);
    writeFileSync(events, readFileSync(events, 'utf8').replace('exited with 1', 'exited with 0'));
    assert.equal(await bed.seen('forged'), null);
    // A link in the place of its folder leads nowhere.
    rmSync(bed.at('.mission-control/fleet'), { recursive: true });
    mkdirSync(bed.gateFile('elsewhere'));
    symlinkSync(bed.gateFile('elsewhere'), bed.at('.mission-control/fleet'));
    assert.equal((await bed.watch().ended).code, 4);
    assert.deepEqual(readdirSync(bed.gateFile('elsewhere')), []);
    host.child.kill('SIGTERM');
    assert.match((await host.ended).stdout, /"kind":\s*"handed_back"/);
  });

  it('waits for another host, says so, and refuses decisions meanwhile and without a watch', async () => {
    await bed.submit(await bed.approved('moved', failsOnce()));
    const lost = bed.host('lost');
    const watch = bed.watch();
    await until(async () => (await bed.seen('moved'))?.status === 'blocked');
    lost.child.kill('SIGKILL');
    // Another host tells that it is lost, and has no repository for it.
    const other = bed.host('other', '--labels', 'big');
    const now = await until(async () => {
      if (!existsSync(path.join(bed.scratch, 'other', 'missions'))) return null;
      const mission = await bed.seen('moved');
      return mission && mission.runs_on?.includes(bed.folderOf('other')) && mission.status === 'blocked'
        ? mission
        : null;
    });
    assert(now.events.some(({ type }) => type === 'HandoffImported'));
    other.child.kill('SIGTERM');
    await other.ended;
    await until(async () => (await bed.seen('moved'))?.runs_on?.includes('waits for another host'));
    const early = await bed.mission('retry', 'moved', 'T2', ...decision);
    assert.equal(early.json.code, 'FLEET_NO_HOST');
    watch.child.kill('SIGTERM');
    await watch.ended;
    const unwatched = await bed.mission('retry', 'moved', 'T2', ...decision);
    assert.equal(unwatched.json.code, 'FLEET_UNWATCHED');
    assert.match((await bed.seen('moved'))?.runs_on ?? '', /as of .*`mission fleet watch`/);
    assert.equal(bed.ran(), 'first');
  });
});
