import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { needsReachableCheckout } from '../support/unprivileged';
import { CliBed, start } from './cliBed';

/** `.mission-control` replaced by a file: an answer with a code, never a stack trace. */
describe('a state folder that cannot be used', function () {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('gives every command an answer with a code', async () => {
    const plan = bed.plan('gone', [{ script: `${start} fs.writeFileSync('docs/out/a.txt', 'a');` }]);
    assert.equal((await bed.mission('run', plan)).code, 0);
    const mission = await bed.missionId();
    renameSync(bed.at('.mission-control'), `${bed.scratch}/moved`);
    writeFileSync(bed.at('.mission-control'), 'no folder');
    const by = ['--by', 'Grace', '--reason', 'because'];
    const results = await Promise.all(
      [
        ['run', plan],
        ['status'],
        ['list'],
        ['packet', 'list'],
        ['journal', 'verify'],
        ['evidence', 'verify', 'gone'],
        ['clean'],
        ['doctor'],
        ['pause', mission, ...by],
        ['resume', mission, ...by],
        ['cancel', mission, ...by],
      ].map(async (args) => ({ args, ended: await bed.mission(...args) })),
    );
    for (const { args, ended } of results) {
      assert.ok(!/^ {4}at /m.test(ended.stderr), `${args.join(' ')}: ${ended.stderr}`);
      assert.notEqual((ended.json as Partial<typeof ended.json>).code, 'UNEXPECTED', args.join(' '));
    }
  });

  it('is reported with a code when a worker takes away its permissions during a task', async function () {
    const root = process.getuid?.() === 0;
    if (root) needsReachableCheckout(this);
    const closes = `${start} fs.writeFileSync('docs/out/a.txt', 'a'); fs.chmodSync('.mission-control', 0);`;
    const plan = bed.plan('closed', [{ script: closes }]);
    // Modes mean nothing to root.
    if (root) execFileSync('chown', ['-R', '65534:65534', bed.scratch]);
    const [program = '', ...before] = root
      ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath]
      : [process.execPath];
    const mission = (...args: string[]) =>
      bed.spawn(program, [...before, path.resolve('dist/cli.js'), ...args, '--json']).ended;
    const ended = await mission('run', plan);
    // Everything that is asked meanwhile says what to do about it.
    const asked = await Promise.all([
      mission('status'),
      mission('cancel', 'closed', '--by', 'Ann', '--reason', 'x'),
      mission('doctor'),
    ]);
    for (const { stdout } of asked) assert.match(stdout, /Make .+\/\.mission-control .*readable and writable/);
    chmodSync(bed.at('.mission-control'), 0o700);
    assert.notEqual(ended.code, 0, ended.stdout);
    assert.ok(!/^ {4}at /m.test(ended.stderr), ended.stderr);
    assert.match(ended.stdout, /"code": "(?!UNEXPECTED)[A-Z_]+"/, ended.stderr);
    const problems = ended.stderr.split('\n').filter((line) => line.startsWith('inbox:'));
    assert.equal(problems.length, new Set(problems).size, 'the same problem is told once');
    // Its supervisor tries for a minute to record how it ended: opened again in time, the mission ends as it did;
    // later (a slow machine) a person finds a packet.
    const resumed = await mission('resume', 'closed', '--by', 'Ann', '--reason', 'it is open again');
    const { status, packets } = resumed.json.mission;
    const said = [status, packets.length].join(' ');
    assert.ok(['completed 0', 'blocked 1'].includes(said), `${said} ${resumed.stdout}${resumed.stderr}`);
  });
});
