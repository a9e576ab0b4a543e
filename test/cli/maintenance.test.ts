import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { skipWithReason } from '../support/skip';
import { CliBed, cliFile, decision, olderNode, start, until, type Ended } from './cliBed';

describe('mission clean and doctor', function () {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('cleans run directories and baselines of ended missions only, and follows no link', async () => {
    const ended = await bed.mission(
      'run',
      bed.plan('ended', [{ script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` }]),
    );
    const blocked = await bed.mission('run', bed.plan('blocked', [{ script: 'process.exit(1)' }]));
    const precious = path.join(bed.scratch, 'precious');
    mkdirSync(precious);
    writeFileSync(path.join(precious, 'file'), '');
    const runs = `.mission-control/missions/${ended.json.mission_id}/runs`;
    symlinkSync(precious, bed.at(`${runs}/9-link`));
    symlinkSync(precious, bed.at(`${runs}/1-T1/inner`));
    const listed = await bed.mission('clean');
    const places = listed.json.directories.map((directory) => directory.path);
    const baselines = places.find((place) => path.isAbsolute(place)) ?? '';
    assert.deepEqual([listed.code, listed.json.deleted, places], [0, false, [`${runs}/1-T1`, baselines]]);
    assert.ok(existsSync(baselines) && baselines.includes(ended.json.mission_id), baselines);
    const ofBlocked = baselines.replace(ended.json.mission_id, blocked.json.mission_id);
    assert.ok(bed.exists(`${runs}/1-T1`));
    const cleaned = await bed.mission('clean', '--yes');
    assert.deepEqual([cleaned.code, cleaned.json.deleted], [0, true]);
    assert.equal(bed.exists(`${runs}/1-T1`), false);
    assert.deepEqual([existsSync(baselines), existsSync(ofBlocked)], [false, true]);
    assert.ok(existsSync(path.join(precious, 'file')));
    assert.ok(bed.exists(`.mission-control/missions/${blocked.json.mission_id}/runs/1-T1`));
    assert.equal((await bed.mission('evidence', 'verify', 'ended')).code, 0);
  });

  it('says of the lease whether a process has the missions of the folder now', async () => {
    const detail = async (id: string): Promise<string | undefined> =>
      (await bed.mission('doctor')).json.checks.find((check) => check.id === id)?.detail;
    assert.match((await detail('state-folder')) ?? '', /^no \.mission-control yet; the first mission makes it$/);
    const running = bed.start('run', bed.plan('waits', [{ script: `${start}${bed.waitAt('gate')}` }]));
    await bed.waitsAt('gate');
    assert.equal(
      await detail('lease'),
      'a process runs the missions of this folder now; another one has to wait for it',
    );
    bed.open('gate');
    assert.equal((await running.ended).code, 0);
    assert.equal(await detail('lease'), 'ownership can be taken');
  });

  it('diagnoses the machine and the workspace, and repairs what holds no data', async () => {
    const healthy = await bed.mission('doctor');
    const checks = healthy.json.checks;
    assert.deepEqual([healthy.code, healthy.json.ok], [0, true], healthy.stdout);
    for (const id of [
      'node',
      'sqlite',
      'git',
      'claude',
      'codex',
      'gemini',
      'state-folder',
      'file-system',
      'lease',
      'state-store',
    ])
      assert.ok(
        checks.some((check) => check.id === id),
        id,
      );
    assert.deepEqual(
      checks.filter(({ id }) => id === 'claude').map(({ ok, required }) => [ok, required]),
      [[false, false]],
    );
    assert.equal(bed.exists('.mission-control'), false, 'a look creates nothing');
    await bed.mission('run', bed.plan('doc', [{ script: start, verify: [['node', '-e', '0']] }]));
    chmodSync(bed.at('.mission-control'), 0o755);
    writeFileSync(bed.at('.mission-control/lease.db'), 'not a lease');
    const sick = await bed.mission('doctor');
    assert.deepEqual(
      [sick.code, sick.json.checks.filter((check) => !check.ok && check.required).map(({ id }) => id)],
      [4, ['state-folder', 'lease']],
    );
    const unasked = await bed.mission('doctor', '--repair');
    assert.deepEqual([unasked.code, unasked.json.repaired], [4, []]);
    const repaired = await bed.mission('doctor', '--repair', '--yes');
    assert.deepEqual([repaired.code, repaired.json.ok, repaired.json.repaired], [0, true, ['state-folder', 'lease']]);

    assert.equal(statSync(bed.at('.mission-control')).mode & 0o777, 0o700);
  });

  it('leaves the database of another program alone, and advises nothing that touches it', async () => {
    const plan = bed.plan('other', [{ script: start }]);
    mkdirSync(bed.at('.mission-control'), { mode: 0o700 });
    const file = bed.at('.mission-control/state.db');
    const db = new DatabaseSync(file);
    db.exec('CREATE TABLE todo (what TEXT)');
    db.close();
    const bytes = readFileSync(file);
    for (const command of [['run', plan], ['list'], ['status']]) {
      const { code, json, stdout } = await bed.mission(...command);
      assert.deepEqual([code, json.code], [4, 'STATE_STORE_FOREIGN'], stdout);
      assert.match(json.reason, /belongs to another program/);
      assert.doesNotMatch(JSON.stringify(json.next), /repair|away|delete|move/i);
    }
    const repaired = await bed.mission('doctor', '--repair', '--yes');
    assert.deepEqual([repaired.code, repaired.json.repaired], [4, []], repaired.stdout);
    assert.deepEqual(readdirSync(bed.at('.mission-control')), ['state.db']);
    assert.deepEqual(readFileSync(file), bytes);
  });

  it('leaves a live log of another program alone as well', async () => {
    const plan = bed.plan('other', [{ script: start }]);
    mkdirSync(bed.at('.mission-control'), { mode: 0o700 });
    const db = new DatabaseSync(bed.at('.mission-control/state.db'));
    db.exec('CREATE TABLE todo (what TEXT); PRAGMA journal_mode = WAL; INSERT INTO todo VALUES (1)');
    try {
      const all = (): readonly unknown[] =>
        readdirSync(bed.at('.mission-control')).map((name) => [name, readFileSync(bed.at(`.mission-control/${name}`))]);
      const before = all();
      for (const command of [['run', plan], ['list'], ['doctor', '--repair', '--yes']])
        assert.equal((await bed.mission(...command)).code, 4, command.join(' '));
      assert.deepEqual(all(), before);
    } finally {
      db.close();
    }
  });

  it('writes the mark into a journal that was restored from a dump', async () => {
    const plan = bed.plan('dumped', [{ script: start, verify: [['node', '-e', '0']] }]);
    assert.equal((await bed.mission('run', plan)).code, 0);
    const db = new DatabaseSync(bed.at('.mission-control/state.db'));
    db.exec('PRAGMA application_id = 0; PRAGMA user_version = 0');
    db.close();
    const { code, json } = await bed.mission('list');
    assert.deepEqual([code, json.code], [4, 'STATE_STORE_UNMARKED']);
    const other = new DatabaseSync(bed.at('.mission-control/state.db'));
    other.exec('BEGIN IMMEDIATE');
    const busy = await bed.mission('doctor', '--repair', '--yes');
    other.close();
    assert.deepEqual([busy.code, busy.json.repaired], [4, []], busy.stderr);
    assert.match(
      busy.stderr,
      /Refused \(STATE_STORE_UNWRITABLE\): .*another process keeps it busy.*\n {2}next: Try again\./,
    );
    const repaired = await bed.mission('doctor', '--repair', '--yes');
    assert.deepEqual([repaired.code, repaired.json.repaired], [0, ['state-store']], repaired.stderr);
    assert.equal((await bed.mission('evidence', 'verify', 'dumped')).code, 0);
  });

  it('sets a journal aside that cannot be trusted, and deletes nothing', async () => {
    const plan = bed.plan('sick', [{ script: start, verify: [['node', '-e', '0']] }]);
    assert.equal((await bed.mission('run', plan)).code, 0);
    for (const name of ['state.db-wal', 'state.db-shm']) rmSync(bed.at(`.mission-control/${name}`), { force: true });
    writeFileSync(bed.at('.mission-control/state.db'), 'this is no database');
    for (const command of [['list'], ['run', plan], ['evidence', 'verify', 'sick']]) {
      const { code, json } = await bed.mission(...command);
      assert.deepEqual([code, json.code], [4, 'STATE_STORE_CORRUPT'], command.join(' '));
    }
    const repaired = await bed.mission('doctor', '--repair', '--yes');
    assert.deepEqual([repaired.code, repaired.json.repaired], [0, ['state-store']], repaired.stderr);
    const [aside] = readdirSync(bed.at('.mission-control')).filter((name) => name.startsWith('set-aside-'));
    assert.equal(bed.read(`.mission-control/${aside ?? ''}/state.db`), 'this is no database');
    assert.equal((await bed.mission('evidence', 'verify', 'sick')).code, 0);
  });
});

describe('mission on Node 20', function () {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('hands over to the newer Node beside it; without one it says so, and still checks documents', async function () {
    const old = olderNode();
    if (old === null) skipWithReason(this, 'no Node without node:sqlite on this machine');
    const plan = bed.plan('old', [{ script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');` }]);
    const run = await bed.spawn(old, [cliFile, 'run', plan, '--json']).ended;
    assert.equal(run.code, 0, run.stderr);
    assert.equal(
      (await bed.spawn(old, [cliFile, 'run', bed.plan('fail', [{ script: 'process.exit(1)' }]), '--json']).ended).code,
      3,
    );

    const handed = bed.spawn(old, [
      cliFile,
      'run',
      bed.plan('killed', [{ script: `${start}${bed.waitAt('go')}` }]),
      '--json',
    ]);
    await bed.waitsAt('go');
    handed.child.kill('SIGKILL');
    await until(async () => (await bed.mission('list')).json.owner === 'none');
    bed.open('go');
    const resumed = await bed.mission('resume', 'killed', ...decision);
    assert.deepEqual([resumed.code, resumed.json.accepted], [0, true], resumed.stdout + resumed.stderr);

    const alone = path.join(bed.scratch, 'alone', 'dist', 'cli.js');
    for (const part of ['package.json', 'dist', 'schemas'])
      cpSync(part, path.join(bed.scratch, 'alone', part), { recursive: true });
    const valid = await bed.spawn(old, [alone, 'check', 'plan', plan, '--json']).ended;
    assert.deepEqual([valid.code, valid.json.valid], [0, true], valid.stderr);
    assert.equal((await bed.spawn(old, [alone, 'plan', 'validate', plan, '--json']).ended).code, 0);
    const scratch = bed.plan('scratch', [{ script: '' }], { scratch: ['coverage/'] });
    for (const command of [
      ['check', 'plan'],
      ['plan', 'validate'],
    ]) {
      const ended: Ended = await bed.spawn(old, [alone, ...command, scratch, '--json']).ended;
      assert.deepEqual(
        [ended.code, ended.stdout.includes('SCRATCH_NOT_CHECKED')],
        [0, true],
        ended.stdout + ended.stderr,
      );
    }
    for (const command of [['list'], ['plan', 'new', 'p'], ['context', 'new']]) {
      const refused: Ended = await bed.spawn(old, [alone, ...command, '--json']).ended;
      assert.deepEqual([refused.code, refused.json.code], [4, 'NODE_UNSUPPORTED'], refused.stdout);
    }
    const doctor = await bed.spawn(old, [alone, 'doctor', '--json']).ended;
    assert.deepEqual([doctor.code, doctor.json.ok], [4, false]);
  });

  it('judges a revision without the journal that it cannot read, and says what it did not check and why', async function () {
    const old = olderNode();
    if (old === null) skipWithReason(this, 'no Node without node:sqlite on this machine');
    const done = `${start}fs.writeFileSync('docs/out/a.txt', 'a');`;
    await bed.mission('run', bed.plan('kept', [{ script: done }, { script: 'process.exit(7)', depends_on: ['T1'] }]));
    assert.equal((await bed.mission('plan', 'revise', 'kept')).code, 0);
    const revision = 'docs/plans/PLAN_kept-r2.json';
    const carried = ({ json }: Ended): readonly unknown[] => [
      json.files[0]?.code,
      ...(json.files[0]?.findings ?? []).flatMap(({ code, severity, pointer }) =>
        code.startsWith('CARRIED') ? [code, severity, pointer] : [],
      ),
    ];
    const now = await bed.mission('plan', 'validate', revision);
    const ofOld = await bed.spawn(old, [cliFile, 'plan', 'validate', revision, '--json']).ended;
    assert.deepEqual(carried(ofOld), [
      now.json.files[0]?.code,
      'CARRIED_NOT_CHECKED',
      'warning',
      '/tasks/0/carried_from',
    ]);
    assert.equal(ofOld.code, now.code, ofOld.stdout);
    const said = ofOld.json.files[0]?.findings.find(({ code }) => code === 'CARRIED_NOT_CHECKED');
    assert.match(
      said?.message ?? '',
      /^Whether "T1" can be carried over was not checked: Node \d+\.\d+\.\d+ has no SQLite\. Use Node 24 or later\.$/,
    );
    // A journal that is there and cannot be read is another matter.
    writeFileSync(bed.at('.mission-control/state.db'), 'this is no database');
    const sick = await bed.mission('plan', 'validate', revision);
    assert.deepEqual([sick.code, carried(sick).slice(1, 3)], [1, ['CARRIED_NOT_CHECKED', 'error']], sick.stdout);
  });
});
