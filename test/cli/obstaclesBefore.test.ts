import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { needsReachableCheckout } from '../support/unprivileged';
import { CliBed, cliFile, decision, start, type Ended, type Printed } from './cliBed';

/** What stands in the way of the evidence before anything runs: every answer has a code, and nothing is waited for. */
describe('places of the evidence that are taken before a mission runs', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  const folder = 'docs/ops/executions/way';
  const plan = (): string => bed.plan('way', [{ script: `${start} fs.writeFileSync('docs/out/a.txt', 'a');` }]);
  const refusedWith = (ended: Ended, code: string, reason: RegExp): void => {
    assert.deepEqual([ended.json.code, ended.json.status], [code, 'refused'], ended.stdout + ended.stderr);
    assert.match(ended.json.reason, reason);
    assert.ok(!/^ {4}at /m.test(ended.stderr), ended.stderr);
    assert.ok(!bed.exists('docs/out/a.txt'));
  };

  for (const [what, make] of [
    ['a folder', (file: string) => mkdirSync(file)],
    ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
  ] as const)
    it(`${what} in place of the header is evidence that cannot be read: nothing starts, nothing is moved`, async () => {
      mkdirSync(bed.at(folder), { recursive: true });
      make(bed.at(`${folder}/EXECUTION_HEADER.json`));
      refusedWith(await bed.mission('run', plan()), 'EVIDENCE_FOREIGN', /evidence that cannot be read/);
      assert.ok(!lstatSync(bed.at(`${folder}/EXECUTION_HEADER.json`)).isFile());
      rmSync(bed.at(folder), { recursive: true });
      assert.equal((await bed.mission('run', plan())).code, 0);
    });

  for (const name of ['EXECUTION_HEADER.json', 'EXECUTION_SUMMARY.md', 'TASK_T1.json', 'PLAN.locked.json'])
    for (const to of ['precious', 'gone'])
      it(`a link to ${to} in place of ${name} is refused before the worker, and nothing is written through it`, async () => {
        mkdirSync(bed.at(folder), { recursive: true });
        bed.write('precious', 'mine');
        symlinkSync(bed.at(to), bed.at(`${folder}/${name}`));
        refusedWith(await bed.mission('run', plan()), 'EVIDENCE_FOREIGN', /evidence that cannot be read/);
        assert.ok(lstatSync(bed.at(`${folder}/${name}`)).isSymbolicLink());
        assert.deepEqual([bed.read('precious'), bed.exists('gone')], ['mine', false]);
      });

  for (const [place, code, reason] of [
    ['docs/ops', 'EVIDENCE_UNWRITABLE', /docs\/ops is not a folder/],
    ['docs/ops/executions', 'EVIDENCE_UNWRITABLE', /docs\/ops\/executions/],
    [folder, 'EVIDENCE_FOREIGN', /evidence that cannot be read/],
  ] as const)
    it(`a file in place of ${place}`, async () => {
      mkdirSync(path.dirname(bed.at(place)), { recursive: true });
      writeFileSync(bed.at(place), 'mine');
      const ended = await bed.mission('run', plan());
      refusedWith(ended, code, reason);
      assert.match(ended.json.next.join(), /move (?:\S+ )?away/i);
      assert.equal(bed.read(place), 'mine');
    });

  it('a folder of executions without write permission', async function () {
    const root = process.getuid?.() === 0;
    if (root) needsReachableCheckout(this);
    const file = plan();
    mkdirSync(bed.at('docs/ops/executions'), { recursive: true });
    if (root) execFileSync('chown', ['-R', '65534:65534', bed.scratch]);
    chmodSync(bed.at('docs/ops/executions'), 0o555);
    // Modes mean nothing to root.
    const [program = '', ...before] = root
      ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath]
      : [process.execPath];
    const ended = await bed.spawn(program, [...before, cliFile, 'run', file, '--json']).ended;
    chmodSync(bed.at('docs/ops/executions'), 0o755);
    assert.deepEqual([ended.code, ended.json.status], [4, 'blocked'], ended.stdout + ended.stderr);
    assert.match(ended.json.reason, /EVIDENCE_UNWRITABLE.*docs\/ops\/executions/);
    const resumed = await bed.spawn(program, [...before, cliFile, 'resume', 'way', ...decision, '--json']).ended;
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stdout + resumed.stderr);
  });

  it('a full disk is reported with a code, and no command is accepted without effect', async function () {
    const tmpfs = (size: string, inside: string): readonly string[] => [
      '-rm',
      'sh',
      '-c',
      `mount -t tmpfs -o size=${size} none /mnt || exit 99; ${inside}`,
    ];
    if (spawnSync('unshare', [...tmpfs('1m', 'true')]).status !== 0)
      skipWithReason(this, 'no mount namespace of our own can be made here (unshare -rm)');
    const plain = plan();
    const waits = bed.plan('fills', [{ script: `${start}${bed.waitAt('gate')}` }]);
    const mission = (...args: string[]): string =>
      ["'" + process.execPath + "'", "'" + cliFile + "'", ...args, '--json'].join(' ');
    const resume = mission('resume', 'fills', ...decision);
    const shell = [
      `cp -a '${bed.root}' /mnt/work; cd /mnt/work`,
      'fill() { while :; do cat /dev/zero >> /mnt/filler; sleep 0.02; done 2>/dev/null; }',
      'full() { until ! head -c 4096 /dev/zero >> /mnt/probe; do sleep 0.1; done 2>/dev/null; rm -f /mnt/probe; }',
      'says() { printf "%s %s\\n" "$1" "$2"; }',
      `fill & filler=$!; full; code=0; ${mission('run', plain)} > '${bed.scratch}/1' || code=$?; says run-when-full $code`,
      'kill $filler; rm /mnt/filler',
      `${mission('run', waits)} > '${bed.scratch}/2' & run=$!; until [ -e docs/out/waits-at-gate ]; do sleep 0.1; done`,
      `fill & filler=$!; full; : > '${bed.scratch}/gate'; code=0; wait $run || code=$?; says run-filled $code`,
      `code=0; ${resume} > '${bed.scratch}/3' || code=$?; says resume-when-full $code`,
      'kill $filler; rm /mnt/filler',
      `code=0; ${resume} > '${bed.scratch}/4' || code=$?; says resume $code`,
    ].join('\n');
    const { stdout, stderr } = await bed.spawn('unshare', tmpfs('24m', shell)).ended;
    const said = (n: number): Printed => JSON.parse(readFileSync(path.join(bed.scratch, String(n)), 'utf8')) as Printed;
    const exits = new Map(stdout.split('\n').map((line) => line.split(' ') as [string, string]));
    const exitOf = (step: string): string => exits.get(step) ?? `none: ${stdout}${stderr}`;
    assert.ok(!/^ {4}at /m.test(stderr), stderr);
    assert.deepEqual([exitOf('run-when-full'), said(1).code], ['4', 'STATE_STORE_UNWRITABLE']);
    assert.match(said(1).reason, /disk is full/);
    assert.match(JSON.stringify(said(1)), /Free some space/);
    // What its supervisor gives back at the end may be enough for all the records, or be taken before any of them.
    if (exitOf('run-filled') === '0') {
      assert.equal(said(2).status, 'completed');
      return;
    }
    assert.deepEqual([exitOf('run-filled'), exitOf('resume-when-full')], ['4', '4']);
    assert.match(said(2).code, /^(WRITE_FAILED|EFFECT_FAILED)$/);
    assert.equal(said(3).accepted, false);
    assert.match(said(3).code, /^(WRITE_FAILED|EFFECT_FAILED|STATE_STORE_UNWRITABLE)$/);
    for (const n of [2, 3]) assert.match(said(n).reason, /full|space/);
    // Blocked where the disk was full before the start of the worker was journalled: it was stopped then.
    assert.match(exitOf('resume'), /^[03]$/);
    assert.match(said(4).mission.status, /^(completed|blocked)$/);
  });
});
