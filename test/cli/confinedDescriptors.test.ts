import assert from 'node:assert/strict';
import { globSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { draftAnswer } from '../support/draftAnswer';
import { users } from '../support/users';
import { cliFile } from './cliBed';
import { ConfinedBed } from './confinedBed';
import { writeFakeClaude } from './fakeClaude';

/**
 * Text that lists in `opened` what each process of the sandbox shows below /proc and what can be written through it: a
 * descriptor, its program, its folders. A file that it can change there is one of the host, whatever the mounts say. The
 * layer over the workspace is a file system of its own, so what is written there does not reach the host.
 */
const overlay = 0x794c7630;
const openEach = `
const hostDevices = ${JSON.stringify(['/', os.tmpdir()].map((at) => statSync(at).dev))};
const inLayer = (at) => fs.statfsSync(at).type === ${overlay} && !hostDevices.includes(fs.statSync(at).dev);
const opened = [];
let looked = 0;
const attempt = (name, at, act) => { looked += 1; try { act(); if (!inLayer(at)) opened.push(name); } catch {} };
const entries = (folder) => { try { return fs.readdirSync(folder); } catch { return []; } };
for (const pid of entries('/proc').filter((name) => /^\\d+$/.test(name)))
  for (const name of [...entries('/proc/' + pid + '/fd').map((number) => 'fd/' + number), 'exe', 'cwd', 'root']) {
    const at = '/proc/' + pid + '/' + name;
    let target;
    try { target = fs.readlinkSync(at); } catch { continue; }
    if (!target.startsWith('/') || target.startsWith('/dev/')) continue;
    const named = pid + ' ' + name + ' ' + target;
    attempt(named + ' opened', at, () => fs.closeSync(fs.openSync(at, fs.constants.O_WRONLY)));
    attempt(named + ' changed', at, () => fs.chmodSync(at, fs.statSync(at).mode & 0o7777));
  }
for (const at of ['/dev/null', '/dev/zero']) fs.writeFileSync(at, 'x');
fs.closeSync(fs.openSync('/dev/urandom', 'r'));
`;
const program = `import fs from 'node:fs';${openEach}console.log('OPENED ' + JSON.stringify(opened) + ' of ' + looked);`;

for (const user of users) {
  describe(`what a confined process reaches through descriptors, as ${user}`, function () {
    this.timeout(120_000);
    let bed: ConfinedBed;
    beforeEach(function () {
      bed = new ConfinedBed(this, user);
    });
    afterEach(() => bed.dispose());

    /** `mission` below a program that leaves a file open for writing, as a script with a lock does. */
    async function run(...args: string[]): Promise<ReturnType<ConfinedBed['mission']>> {
      const user65534 = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
      const line = [...(user === 'nobody' ? user65534 : []), process.execPath, cliFile, ...args, '--json'];
      const file = path.join(bed.scratch, 'inherited');
      await bed.mission('list'); // gives the folder to its user
      return bed.spawn('bash', ['-c', 'exec 200>"$0"; exec "$@"', file, ...line]).ended;
    }

    for (const [name, more] of Object.entries({ writes: {}, 'only reads': { intent: 'research' } }))
      it(`no file of the host, by a command and its verification of a task that ${name}`, async () => {
        bed.write('tools/verify.mjs', program);
        const task = { script: program, verify: [['node', 'tools/verify.mjs']], ...more };
        const ended = await run('run', bed.plan('looks', [task]), '--confinement', 'required');
        assert.equal(ended.json.status, 'completed', ended.stdout + ended.stderr);
        const said = globSync('.mission-control/missions/**/stdout.jsonl', { cwd: bed.root });
        assert.equal(said.length, 2);
        for (const file of said) assert.match(bed.read(file), /OPENED \[\] of [1-9]/);
      });

    it('no file of the host, by the agent of a draft', async () => {
      const claude = path.join(bed.scratch, 'claude');
      writeFakeClaude(
        claude,
        `${openEach}
const plan = { ...${JSON.stringify(draftAnswer)}, risk: { level: 1, notes: 'OPENED ' + JSON.stringify(opened) + ' of ' + looked } };
const fence = String.fromCharCode(96).repeat(3);
say({ type: 'result', subtype: 'success', is_error: false, result: fence + 'json\\n' + JSON.stringify(plan) + '\\n' + fence });`,
        null,
      );
      const goal = ['--goal', 'Write a note', '--by', 'Ada', '--cli', `claude=${claude}`];
      const ended = await run('plan', 'draft', ...goal, '--confinement', 'required');
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      assert.match(bed.read(ended.json.path), /OPENED \[\] of [1-9]/);
    });
  });
}
