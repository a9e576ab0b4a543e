import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { evidenceDir } from '../../src/core/evidence/places';
import { start, until } from '../cli/cliBed';
import { forEachFleet, type FleetBed } from '../cli/fleetBed';
import { stage } from './harness/story';
import { makeScratch } from './harness/scratch';
import { waitFor } from './harness/waitFor';
import { answerName, startMissionServer, waitForStatus } from './missionWorkspace';

describe('a mission on another host, in a window', function () {
  this.timeout(600_000);
  let bed: FleetBed;
  forEachFleet((fleet) => ({ bed } = fleet));
  stage(() => Promise.resolve());

  it('is watched, blocked, decided about and completed', async () => {
    const tried = JSON.stringify(bed.gateFile('tried'));
    const script = `${start}const first = !fs.existsSync(${tried}); fs.writeFileSync(${tried}, ''); if (first) process.exit(1); fs.writeFileSync('docs/out/ship', '');`;
    const tasks = [
      { task_id: 'build', script: bed.noted('build') },
      { task_id: 'ship', script, depends_on: ['build'] },
    ];
    const { id } = (await bed.submit(await bed.approved('afar', tasks))).json;
    const watch = bed.watch();
    await until(() => existsSync(path.join(bed.root, '.mission-control/fleet.json')));
    const { serverDataDir } = await makeScratch();
    const { HOME = '' } = bed.env;
    const scratch = { workspaceDir: bed.root, serverDataDir, remove: () => Promise.resolve() };
    const server = await startMissionServer(scratch, { env: { HOME } });
    const window = await server.openWindow();
    // A window notifies of nothing that it finds at its first look.
    await window.command('Mission Control: Show Mission Control');
    const frame = await window.webviewFrame('Mission Control');
    await waitFor(() => frame.locator('body').isVisible(), { what: 'the page' });
    const host = bed.host('host');
    await waitForStatus(window, /Mission afar blocked/);
    await window.notifications.waitFor(/task ship is blocked/);
    const folder = bed.folderOf('host');
    await waitFor(async () => (await frame.locator('[data-runs-on]').innerText()).includes(folder), {
      what: 'the host on the page',
    });
    assert.equal(await frame.getByText('Another process runs this mission').count(), 0);
    await window.screenshot('fleet-blocked');
    await window.command('Mission Control: Retry Task');
    await window.quickInput.answer('It works now');
    await answerName(window);
    await waitForStatus(window, /Mission afar.*(?:2\/2|completed)/);
    assert.equal((await until(() => bed.outcome(id).catch(() => null))).status, 'completed');
    await waitFor(async () => (await frame.locator('[data-runs-on]').innerText()).includes('ran on host'), {
      what: 'the host that has it no more',
    });
    await waitFor(() => frame.getByText('Evidence is on host').first().isVisible(), { what: 'where the evidence is' });
    assert.equal(await frame.locator('[data-open=diff], [data-open=file]').count(), 0);
    await window.screenshot('fleet-completed');
    const evidence = readFileSync(path.join(folder, evidenceDir('afar'), 'TASK_ship.json'), 'utf8');
    assert.match(evidence, /It works now/);
    await server.stop();
    for (const process of [watch, host]) {
      process.child.kill('SIGTERM');
      await process.ended;
    }
  });
});
