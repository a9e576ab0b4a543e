import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile } from './cliBed';

const preload = path.resolve('dist-test/kill/points.program.js');

describe('mission plan approve, killed while it writes', function () {
  let bed: CliBed;
  before(function () {
    if (process.platform === 'win32') skipWithReason(this, 'there is no SIGKILL by which a process ends itself');
  });
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('leaves the plan as it was, and the next approval removes the half of it and nothing else', async () => {
    const plan = bed.plan('killed', [{ command: ['true'] }], {}, { status: 'DRAFT', approval: { required: true } });
    const before = bed.read(plan);
    const folder = path.dirname(bed.at(plan));
    const name = path.basename(plan);
    const others = [
      `.PLAN_other.json.${'0'.repeat(16)}.tmp`,
      `.${name}.tmp`,
      `.${name}.swp`,
      `${name}.${'0'.repeat(16)}.tmp`,
    ];
    for (const other of others) writeFileSync(path.join(folder, other), 'not ours');
    const approve = ['plan', 'approve', plan, '--by', 'Ada', '--yes', '--json'];
    const killed = await bed.spawn(process.execPath, ['--require', preload, cliFile, ...approve], {
      env: { ...bed.env, KILL_AT: `fs.rename(${name})#1:before` },
    }).ended;
    assert.equal(killed.signal, 'SIGKILL', killed.stderr);
    assert.equal(bed.read(plan), before);
    const halves = readdirSync(folder).filter((found) => found !== name && !others.includes(found));
    assert.equal(halves.length, 1, halves.join(' '));
    assert.match(halves[0]!, /^\.PLAN_killed\.json\.[0-9a-f]{16}\.tmp$/);

    const approved = await bed.mission(...approve.slice(0, -1));
    assert.equal(approved.code, 0, approved.stderr);
    assert.deepEqual(readdirSync(folder).sort(), [...others, name].sort());
  });
});
