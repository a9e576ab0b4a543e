import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliFile, until } from './cliBed';
import { forEachFleet, type FleetBed } from './fleetBed';

describe('a fleet whose hosts say what they have', function () {
  this.timeout(600_000);
  let bed: FleetBed;
  forEachFleet((fleet) => ({ bed } = fleet));

  it('lets a mission wait for a version of an agent, and says why', async () => {
    const gemini = path.join(bed.scratch, 'gemini');
    const installed = (version: string): void =>
      writeFileSync(gemini, `#!/bin/sh\n[ "$1" = --version ] && echo ${version} && exit 0\nexit 1\n`, { mode: 0o755 });
    const waits = async (): Promise<string> => (await bed.mission('fleet', 'show', id)).json.waits ?? '';
    installed('1.2.9');
    const plan = await bed.approved('versions', [{ worker: 'gemini', priority: 'high' }]);
    const { id, needs, priority } = (await bed.submit(plan, '--needs', 'gemini-1.3')).json;
    assert.deepEqual([needs, priority], [['gemini', 'gemini-1.3'], 10]);
    assert.match(await waits(), /No host whose key counts here/);
    const here = ['--cli', `gemini=${gemini}`];
    assert.deepEqual((await bed.host('old', '--once', ...here).ended).json.served, []);
    assert.match(await waits(), /lacks gemini-1\.3\.$/);
    assert.match((await bed.mission('fleet', 'list')).stdout, /lacks gemini-1\.3/);
    installed('1.3.0');
    const host = bed.host('new', ...here);
    await until(async () => (await bed.mission('fleet', 'show', id)).json.state === 'running');
    assert.equal((await bed.mission('fleet', 'show', id)).json.waits, null);
    host.child.kill('SIGTERM');
    assert.match((await host.ended).stderr, /at most .*gemini, gemini-1, gemini-1\.3, gemini-1\.3\.0/);
  });

  it('ends a host and a watch that had nothing to do with a word', async () => {
    for (const command of [['host', '--once', '--folder', bed.scratch], ['watch']]) {
      const idle = bed.spawn(process.execPath, [cliFile, 'fleet', ...command], { cwd: bed.root, env: bed.env });
      if (command.length === 1) {
        await until(() => existsSync(path.join(bed.root, '.mission-control/fleet.json')));
        idle.child.kill('SIGTERM');
      }
      const { code, stdout } = await idle.ended;
      assert.equal(code, 0, stdout);
    }
  });
});
