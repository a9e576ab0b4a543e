import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { CliBed, cliFile, decision, start } from './cliBed';

/** A version manager or an update removes the Node that runs a mission. */
describe('a Node that is removed under the mission that it runs', function () {
  this.timeout(180_000);
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('runs the next task by another version that took its place', async () => {
    const node = path.join(bed.scratch, 'n/node');
    mkdirSync(path.dirname(node));
    copyFileSync(process.execPath, node);
    chmodSync(node, 0o755);
    const other = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;
    const replaces = `const node = ${JSON.stringify(node)};
fs.writeFileSync(node + '.new', ${JSON.stringify(other)}, { mode: 0o755 });
fs.renameSync(node + '.new', node);`;
    const writes = (name: string): string => `${start}fs.writeFileSync('docs/out/${name}', 'x');`;
    const plan = bed.plan('replaced', [{ script: `${writes('first')}${replaces}` }, { script: writes('second') }]);
    const run = await bed.spawn(node, [cliFile, 'run', plan, '--json']).ended;
    assert.equal(run.code, 0, run.stdout + run.stderr);
    for (const name of ['first', 'second']) assert.ok(bed.exists(`docs/out/${name}`), name);
    assert.equal((await bed.mission('evidence', 'verify', 'replaced')).code, 0);
  });

  it('blocks the task that cannot start, with the step, and the mission goes on under another one', async () => {
    const node = path.join(bed.scratch, 'n/node');
    mkdirSync(path.dirname(node));
    copyFileSync(process.execPath, node);
    chmodSync(node, 0o755);
    const writes = (name: string): string => `${start}fs.writeFileSync('docs/out/${name}', 'x');`;
    const removes = `${writes('first')}fs.rmSync(${JSON.stringify(node)});`;
    const plan = bed.plan('gone', [{ script: removes }, { script: writes('second') }, { script: writes('third') }]);
    const run = await bed.spawn(node, [cliFile, 'run', plan, '--json']).ended;
    assert.equal(existsSync(node), false);
    assert.equal(run.code, 3, run.stdout + run.stderr);
    const { json, stdout } = await bed.mission('status', 'gone');
    const [block] = (json.missions[0] as unknown as { blocks: { task_id: string; code: string }[] }).blocks;
    assert.equal(block?.code, 'LAUNCH_FAILED', stdout);
    assert.match(stdout, /n\/node, which runs this mission, is gone, because an update or a person removed it\./);
    assert.match(stdout, /End this command, then retry the task under the Node that is installed now/);
    assert.doesNotMatch(stdout, /UNEXPECTED/);
    const again = await bed.mission('retry', 'gone', block.task_id, ...decision);
    assert.equal(again.code, 0, again.stdout + again.stderr);
    for (const name of ['first', 'second', 'third']) assert.ok(bed.exists(`docs/out/${name}`), name);
  });
});
