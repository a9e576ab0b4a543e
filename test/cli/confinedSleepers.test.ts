import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { usersOfTier } from '../support/users';
import { CliBed } from './cliBed';
import { ConfinedBed } from './confinedBed';

/** Starts this many programs that only sleep, as fast as it can. */
const sleepers = `import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
console.log(/^Max processes.*$/m.exec(readFileSync('/proc/self/limits', 'utf8'))[0]);
for (let number = 0; number < 900; number += 1) spawn('sleep', ['300'], { stdio: 'ignore' }).on('error', () => undefined);
setInterval(() => undefined, 1000);
`;

describe('a confined command that starts far more processes than its plan allows', function () {
  this.timeout(180_000);

  for (const user of usersOfTier)
    it(`ends as soon as they are counted, while another mission keeps its time (as ${user})`, async function () {
      const [bed, beside] = [new ConfinedBed(this, user), new CliBed()];
      try {
        const limits = { processes: 60, memory_mb: 4096, file_mb: 100 };
        const task = { script: sleepers, timeout_seconds: 120 };
        const flood = bed.mission('run', bed.plan('sleepers', [task], { limits }), '--confinement', 'required');
        const other = beside.plan('beside', [{ command: ['node', '-e', ''], verify: [['node', '-e', '']] }]);
        const ran = await beside.mission('run', other, '--confinement', 'off');
        assert.equal(ran.json.status, 'completed', ran.stdout + ran.stderr);
        const ended = await flood;
        assert.equal(ended.json.code, 'RESOURCE_LIMIT', ended.stdout + ended.stderr);
        assert.match(ended.json.reason, /processes were more than the 60 that execution\.limits allows/);
        const [said = ''] = globSync('.mission-control/missions/**/stdout.jsonl', { cwd: bed.root });
        // The kernel holds threads only in a user namespace, which root does not get.
        if (user !== 'root') assert.match(bed.read(said), /^Max processes +1920 +1920 /);
      } finally {
        await bed.dispose();
        await beside.dispose();
      }
    });
});
