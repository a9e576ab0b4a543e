import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FleetOrder } from '../../src/contracts/fleet';
import { evidenceDir } from '../../src/core/evidence/places';
import { start, until } from './cliBed';
import { forEachFleet, type FleetBed, type Missions } from './fleetBed';

const writes = `${start}fs.writeFileSync('docs/out/a', '');`;

/** What one person signs, hosts of another user carry out. */
describe('a fleet of several people', function () {
  this.timeout(600_000);
  let rows: Missions;
  let bed: FleetBed;
  forEachFleet((fleet) => ({ rows, bed } = fleet));

  it('carries out for another user what a listed SSH key signed, and names who signed', async () => {
    const [ada, host] = [bed.sshKey('ada'), bed.sshKey('host', 'namespaces="mission-control-export" ')];
    const signers = path.join(bed.scratch, 'signers');
    writeFileSync(signers, ada.listed + host.listed);
    const begins = ['--repository', 'ssh://fleet.example.com/'];
    const lists = ['--signers', signers, '--confinement', 'preferred', ...begins];
    const plan = await bed.approved('signed', bed.twoTasks());
    const { id } = (await bed.submitBySsh(plan, '--sign', ada.file)).json;
    const row = await rows.order(id);
    assert.equal((await bed.mission('fleet', 'show', id)).json.plan_id, null);
    const shown = (await bed.mission('fleet', 'show', id, '--signers', signers)).json;
    assert.deepEqual([shown.plan_id, shown.signer], ['signed', 'ada@example.com']);
    // A host that is lost, and one of the same keys that goes on from its export.
    const lost = bed.hostOfAnother('lost', ...lists, '--sign', host.file);
    await bed.waits('lost');
    lost.child.kill('SIGKILL');
    const next = bed.hostOfAnother('next', ...lists, '--sign', host.file);
    // Its key decides as it approved, also where the command names another person.
    const watch = bed.watch('--signers', signers, '--sign', ada.file);
    await until(async () => (await bed.seen('signed'))?.blocks.some(({ task_id }) => task_id === 'T2'));
    assert.equal(bed.ran(), 'first second');
    bed.open('gate');
    const retried = await bed.mission('retry', 'signed', 'T2', '--by', 'Grace', '--reason', 'Again.');
    assert.equal(retried.code, 0, retried.stdout + retried.stderr);
    const { status, folder } = await until(() => bed.outcome(id, '--signers', signers).catch(() => null));
    assert.equal((await bed.outcome(id)).folder, null);
    for (const process of [next, watch]) {
      process.child.kill('SIGTERM');
      await process.ended;
    }
    assert.equal(status, 'completed');
    assert.equal(bed.ran(), 'first second second');
    const evidence = readFileSync(path.join(folder ?? '', evidenceDir('signed'), 'TASK_T2.json'), 'utf8');
    assert.match(evidence, /"ada@example\.com"\s*\},\s*"reason": "Again\."/);
    assert.doesNotMatch(evidence, /Grace/);
    // The key of the host approves nothing, an unlisted key nothing, and without the list no signature counts.
    const { text } = row;
    const sign = (file: string, what = text): string =>
      execFileSync('ssh-keygen', ['-Y', 'sign', '-q', '-n', 'mission-control-order', '-f', file], {
        input: JSON.stringify(['order', what]),
        encoding: 'utf8',
      });
    // A listed signer asks for a push, and leaves it out of what the host must have.
    const order = { ...(JSON.parse(text) as FleetOrder), order_id: randomUUID(), push: true };
    const asks = JSON.stringify(order);
    const lying = await rows.add({ text: asks, seal: sign(ada.file, asks) });
    await bed.hostOfAnother('next', ...lists, '--once').ended;
    assert.match((await bed.outcome(lying)).reason ?? '', /needs push/);
    for (const file of [host.file, bed.sshKey('eve').file]) {
      const forged = await rows.add({ text, seal: sign(file) });
      await bed.hostOfAnother('next', ...lists, '--once').ended;
      assert.deepEqual((await bed.outcome(forged)).code, 'FLEET_ORDER_REFUSED');
    }
    const unlisted = await rows.add(row);
    await bed.hostOfAnother('next', '--once').ended;
    assert.equal((await bed.outcome(unlisted)).code, 'FLEET_ORDER_REFUSED');
    const inFolder = await bed.submit(plan, '--sign', ada.file);
    assert.deepEqual([inFolder.code, inFolder.json.code], [2, 'USAGE']);
    const unsigned = await bed.submitBySsh(plan, '--sign', path.join(bed.scratch, 'none'));
    assert.deepEqual([unsigned.code, unsigned.json.code], [4, 'FLEET_UNSIGNED']);
  });

  it('confines what another person signed unless the owner says otherwise, and what the owner asks for', async () => {
    const ada = bed.sshKey('ada');
    const signers = path.join(bed.scratch, 'signers');
    writeFileSync(signers, ada.listed);
    const begins = ['--repository', 'ssh://fleet.example.com'];
    const plan = await bed.approved('unconfined', [{ script: writes }], { confinement: 'off' });
    const { id: unnamed } = (await bed.submitBySsh(plan, '--sign', ada.file)).json;
    const elsewhere = ['--repository', 'ssh://fleet.example.com/elsewhere'];
    await bed.hostOfAnother('host', '--once', '--signers', signers, '--confinement', 'off', ...elsewhere).ended;
    assert.match((await bed.outcome(unnamed)).reason ?? '', /no --repository of this host allows/);
    // No sandbox can be built here, so the order waits for a host that can, or whose owner chose.
    const { id: waiting } = (await bed.submitBySsh(plan, '--sign', ada.file)).json;
    await bed.hostOfAnother('host', '--once', '--signers', signers, ...begins).ended;
    assert.equal((await bed.mission('fleet', 'show', waiting)).json.state, 'waiting');
    await bed.hostOfAnother('host', '--once', '--signers', signers, ...begins, '--confinement', 'off').ended;
    assert.deepEqual(await bed.outcome(waiting).then(({ status, code }) => [status, code]), ['completed', null]);
    const { id } = (await bed.submit(plan)).json;
    await bed.host('host', '--once', '--confinement', 'required').ended;
    assert.equal((await bed.outcome(id)).code, 'CONFINEMENT_UNAVAILABLE');
  });
});
