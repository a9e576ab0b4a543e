import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import process from 'node:process';
import { AgentBed } from './agentBed';
import { decision, isAlive, start, until } from './cliBed';

/**
 * A worker that nothing confines ends its supervisor, after its owner died and before anything of its process was
 * recorded. What it did then is found by the next owner, who knows of its times only what the journal says.
 */
describe('a worker whose supervisor was lost', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
  });
  afterEach(() => bed.dispose());

  /** Runs the worker without an owner and resumes; the worker does `more` once its supervisor is gone. */
  async function resumed(
    name: string,
    record: string,
    more: string,
    file: string,
  ): Promise<ReturnType<AgentBed['mission']>> {
    const script = `${start}
const [run] = fs.globSync('.mission-control/missions/*/runs/1-T1');
const file = run + '/process.json';
let supervisor = null;
while (supervisor === null)
  try { ({ supervisor } = JSON.parse(fs.readFileSync(file, 'utf8'))); } catch { await new Promise((go) => setTimeout(go, 20)); }
process.kill(supervisor.pid, 'SIGKILL');
${record}
${more}
fs.writeFileSync('docs/out/pid', String(process.pid));
setInterval(() => undefined, 1000);`;
    const point = 'process.spawn(supervisor.cjs own 1-T1)#1:after';
    const run = await bed.killedAt(point, 'run', bed.plan(name, [{ script }], { confinement: 'off' }));
    assert.equal(run.signal, 'SIGKILL', run.stdout + run.stderr);
    const pid = await until(() => bed.exists('docs/out/pid') && Number(bed.read('docs/out/pid')));
    // Older than what a start that is a little late allows for.
    await until(() => Date.now() - statSync(bed.at(file)).ctimeMs > 4000);
    const ended = await bed.mission('resume', name, ...decision);
    assert.equal(isAlive(pid), false);
    return ended;
  }

  const hook = '.git/hooks/pre-commit';
  const plants = `fs.writeFileSync('${hook}', '#!/bin/sh\\nrm -rf x');`;
  const records = Object.entries({
    'that it forged': `fs.writeFileSync(file, 'forged'); fs.writeFileSync(run + '/claimed.json', 'forged');`,
    'in a run directory that it removed': 'fs.rmSync(run, { recursive: true });',
    'that it removed': 'fs.rmSync(file);',
    'that is there': '',
  });
  for (const [what, record] of process.env['MISSION_TESTS_TIER'] === 'quick' ? records.slice(0, 1) : records) {
    it(`and that plants a hook fails the mission, with a record of its process ${what}`, async () => {
      const ended = await resumed('planted', record, plants, hook);
      const { status, code } = ended.json.mission;
      assert.deepEqual([ended.code, status, code], [1, 'failed', 'SCOPE_VIOLATION'], ended.stdout);
      assert.match(
        ended.stdout,
        /\.git\/hooks\/pre-commit changed while task T1 ran\. Only time and place show who changed it\./,
      );
      assert.ok(existsSync(bed.at(hook)), 'nothing is reverted');
      assert.equal((await bed.mission('evidence', 'verify', 'planted')).code, 0);
    });
  }

  it('blocks by its end that was not recorded, and not by what it wrote in its approved paths', async () => {
    const ended = await resumed('inside', 'fs.rmSync(file);', `fs.writeFileSync('docs/out/a', 'x');`, 'docs/out/a');
    assert.deepEqual([ended.code, ended.json.mission.status], [3, 'blocked'], ended.stdout);
    assert.match(ended.json.mission.reason, /^The supervisor of the worker left no record of how it ended\./);
    const observed = (await bed.events('inside')).findLast((event) => event.type === 'ChangesObserved');
    const changes = observed?.observed.changes ?? [];
    assert.deepEqual(
      changes.map(({ path, attribution }) => [path, attribution]),
      [
        ['docs/out/a', 'worker'],
        ['docs/out/pid', 'worker'],
      ],
    );
  });
});
