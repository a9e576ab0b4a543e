import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { OrchestratorSessionRecord } from '../../src/contracts/orchestratorSession';
import type { RecoveryPacket } from '../../src/contracts/recoveryPacket';
import { skipWithReason } from '../support/skip';
import { tear } from '../support/tear';
import { CliBed, cliFile, decision, start, until, type Ended } from './cliBed';
import { OrchestratorBed } from './orchestratorBed';

/** Defects of the source project of the recovery contract (test/scenarios/sourceDefects.json), on real processes. */
describe('what the source project did wrong', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());
  const word = async (id: string): Promise<string> =>
    (await bed.mission('list')).json.missions.find(({ mission_id }) => mission_id === id)?.status ?? '';

  it('A8: a git that fails makes no workspace clean: what a worker changed is still found', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'the git that fails is a script for a shell');
    const { PATH = '' } = bed.env;
    const git = path.join(PATH.split(path.delimiter)[0]!, 'git');
    writeFileSync(git, '#!/bin/sh\necho "fatal: not a git repository" >&2\nexit 128\n');
    chmodSync(git, 0o755);
    const plan = bed.plan('a8', [
      { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a'); fs.writeFileSync('README.md', 'dirty');` },
    ]);
    const ended = await bed.mission('run', plan);
    assert.deepEqual([ended.code, ended.json.code], [3, 'CONCURRENCY_CONFLICT'], ended.stdout + ended.stderr);
    assert.match(ended.json.reason, /README\.md/);
    assert.equal(bed.read('README.md'), 'dirty', 'nothing is reverted silently');
  });

  it('A10: a packet is among its own files, with its Markdown twin, and each file that it names is there', async () => {
    const blocked = await bed.mission('run', bed.plan('a10', [{ script: `${start}process.exit(7);` }]));
    const [told] = blocked.json.packets;
    const named = (): readonly string[] => (bed.json(told!.path) as unknown as RecoveryPacket).block.artifactPaths;
    const paths = named();
    assert.ok(paths.includes(told!.path), paths.join('\n'));
    assert.ok(paths.includes(told!.path.replace(/\.json$/, '.md')), paths.join('\n'));
    for (const one of paths) assert.ok(bed.exists(one), one);
    assert.ok(bed.read(told!.path.replace(/\.json$/, '.md')).includes(`\`${told!.path}\``));
    assert.equal((await bed.mission('check', 'recovery-packet', told!.path)).code, 0);
    const asked = ['--outcome', 'ask-user', '--question', 'Why?', ...decision];
    assert.equal((await bed.mission('packet', 'resolve', told!.packet_id, ...asked)).code, 0);
    assert.ok(named().includes(told!.path), 'written anew');
  });

  it('A13: commands of several processes at once are all carried out, and none is lost to a stale copy', async () => {
    const plan = bed.plan('a13', [
      { script: `${start}${bed.waitAt('gate')} fs.writeFileSync('docs/out/a.txt', 'a');` },
      ...['b', 'c', 'd'].map((name) => ({
        script: `${start}fs.writeFileSync('docs/out/${name}.txt', '${name}');`,
        depends_on: ['T1'],
      })),
    ]);
    const running = bed.start('run', plan);
    await bed.waitsAt('gate');
    const answers = await Promise.all([
      ...['T2', 'T3', 'T4'].map((task, index) =>
        bed.mission('packet', 'revise', 'a13', '--task', task, '--set', `timeout_seconds=${700 + index}`, ...decision),
      ),
      bed.mission('pause', 'a13', ...decision),
      bed.mission('plan', 'revise', 'a13'),
    ]);
    assert.deepEqual(
      answers.map(({ code }) => code),
      [0, 0, 0, 0, 0],
      answers.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
    );
    bed.open('gate');
    const paused = await running.ended;
    assert.deepEqual([paused.code, paused.json.status], [3, 'paused'], paused.stdout);
    const events = await bed.events('a13');
    assert.deepEqual(events.flatMap((event) => (event.type === 'MetadataRevised' ? [event.task_id] : [])).toSorted(), [
      'T2',
      'T3',
      'T4',
    ]);
    const done = await bed.mission('resume', 'a13', ...decision);
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout);
    assert.equal((await bed.mission('journal', 'verify', 'a13')).code, 0);
    assert.equal((await bed.mission('evidence', 'verify', 'a13')).json.valid, true);
  });

  it('A14: an id that leads elsewhere does not count, and a damaged mission is shown as unreadable beside the others', async () => {
    const run = async (name: string): Promise<string> =>
      (await bed.mission('run', bed.plan(name, [{ script: `${start}fs.writeFileSync('docs/out/${name}', 'x');` }])))
        .json.mission_id;
    const [damaged, whole] = [await run('a14'), await run('b14')];
    mkdirSync(path.join(bed.scratch, 'elsewhere'));
    for (const id of ['../../../elsewhere', '..', '/etc', 'a14/../b14', 'a14\\..', '%2e%2e'])
      for (const args of [
        ['status', id],
        ['journal', 'export', id],
        ['plan', 'new', id],
        ['cancel', id, ...decision],
      ]) {
        const refused = await bed.mission(...args);
        assert.notEqual(refused.code, 0, `${args.join(' ')}: ${refused.stdout}`);
        assert.ok(refused.json.code, refused.stdout);
      }
    tear(
      bed.at('.mission-control/state.db'),
      'UPDATE entries SET event = \'{"type":\' WHERE stream = ? AND seq = 3',
      damaged,
    );
    const { json } = await bed.mission('list');
    assert.deepEqual(
      json.missions.map(({ mission_id }) => mission_id),
      [whole],
    );
    const { unreadable } = json as unknown as { unreadable: { mission_id: string; reason: string }[] };
    assert.deepEqual(
      unreadable.map(({ mission_id }) => mission_id),
      [damaged],
    );
    assert.match((await bed.spawn(process.execPath, [cliFile, 'list']).ended).stdout, new RegExp(`${damaged}.*`));
    assert.equal((await bed.mission('status', whole)).code, 0);
  });

  it('A16: an owner that says nothing keeps the lock as long as it lives, whatever the age of its file', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'there is no SIGSTOP');
    const other = bed.plan('b16', [{ script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` }]);
    const running = bed.start('run', bed.plan('a16', [{ script: `${start}${bed.waitAt('gate')}` }]));
    await bed.waitsAt('gate');
    running.child.kill('SIGSTOP');
    try {
      const folder = bed.at('.mission-control');
      for (const name of readdirSync(folder).filter((one) => one.startsWith('lease.db')))
        utimesSync(path.join(folder, name), 0, 0);
      const second = await bed.mission('run', other);
      assert.deepEqual([second.code, second.json.code], [4, 'LEASE_HELD'], second.stdout);
      assert.match(second.json.reason, new RegExp(`process ${running.child.pid}\\b`));
    } finally {
      running.child.kill('SIGCONT');
    }
    bed.open('gate');
    assert.equal((await running.ended).json.status, 'completed');
    assert.equal((await bed.mission('run', other)).code, 0, 'and no longer');
  });

  it('A24: a second process that would run or resume a mission changes nothing of it before it has the lock', async () => {
    const plan = bed.plan('a24', [
      { script: `${start}${bed.waitAt('gate')} fs.writeFileSync('docs/out/a.txt', 'a');` },
    ]);
    const running = bed.start('run', plan);
    await bed.waitsAt('gate');
    await until(async () => (await bed.events('a24')).some(({ type }) => type === 'WorkerStarted'));
    const before = await bed.events('a24');
    const again = await bed.mission('run', plan);
    assert.deepEqual([again.code, again.json.code], [4, 'LEASE_HELD'], again.stdout);
    const resumed = await bed.mission('resume', 'a24', ...decision);
    assert.deepEqual([resumed.code, resumed.json.code], [2, 'NOT_PAUSED'], resumed.stdout);
    const since = (await bed.events('a24')).slice(before.length).filter(({ type }) => type !== 'CommandRefused');
    assert.deepEqual(since, [], 'nothing was reset or blocked');
    assert.equal((await bed.mission('status', 'a24')).json.missions[0]?.status, 'running');
    bed.open('gate');
    assert.equal((await running.ended).json.status, 'completed');
    assert.equal((await bed.events('a24')).filter(({ type }) => type === 'AttemptStarted').length, 1);
  });

  it('A18: a healthy mission that was paused is paused, and then goes on: it was never blocked', async () => {
    const plan = bed.plan('a18', [
      { script: `${start}${bed.waitAt('gate')} fs.writeFileSync('docs/out/a.txt', 'a');` },
      { script: `${start}${bed.waitAt('second')} fs.writeFileSync('docs/out/b.txt', 'b');`, depends_on: ['T1'] },
    ]);
    const running = bed.start('run', plan);
    await bed.waitsAt('gate');
    assert.equal((await bed.mission('pause', 'a18', ...decision)).code, 0);
    bed.open('gate');
    const paused = await running.ended;
    assert.deepEqual([paused.code, paused.json.status], [3, 'paused'], paused.stdout);
    const { mission_id } = paused.json;
    const retried = await bed.mission('retry', mission_id, 'T2', ...decision);
    assert.equal(retried.code, 2, retried.stdout);
    assert.equal(await word(mission_id), 'paused', 'a refused retry blocks nothing');
    const resumed = bed.start('resume', mission_id, ...decision);
    await bed.waitsAt('second');
    assert.equal(await word(mission_id), 'running');
    bed.open('second');
    assert.equal((await resumed.ended).json.mission.status, 'completed');
    assert.deepEqual(
      (await bed.events(mission_id)).filter(({ type }) => /Packet|Block/.test(type)),
      [],
    );
  });
});

describe('what the source project did wrong with its orchestrator', function () {
  this.timeout(120_000);
  let bed: OrchestratorBed;
  beforeEach(() => (bed = new OrchestratorBed()));
  afterEach(() => bed.dispose());

  const failsFirst = `
if (attempt === 1) process.exit(1);
fs.mkdirSync('docs/out', { recursive: true });
fs.writeFileSync('docs/out/a.txt', 'done');
end('done', 'docs/out/a.txt');`;

  it('A11: the session is a process of its own, with nothing of the person’s: no terminal, no session, no variable', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'sessions and terminals of processes are read in /proc');
    bed.plays(
      failsFirst,
      `
const stat = fs.readFileSync('/proc/self/stat', 'utf8').replace(/^.*\\) /s, '').split(' ');
note({ args, env: Object.keys(process.env), sid: Number(stat[3]), terminal: Number(stat[4]), stdin: fs.readlinkSync('/proc/self/fd/0'),
  value: process.env.CLAUDE_CODE_SESSION_ID ?? null });
await choose('retry-repair');`,
    );
    const persons = {
      CLAUDE_CODE_SESSION_ID: 'the-chat-of-the-person',
      CLAUDECODE: '1',
      TMUX: '/tmp/tmux-0/default,1,0',
    };
    const args = ['run', bed.agentPlan('a11'), '--orchestrator', 'claude', ...bed.claudeOptions, '--json'];
    const ended = await bed.spawn(process.execPath, [cliFile, ...args], { env: { ...bed.env, ...persons } }).ended;
    assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    const [seen] = bed.notes() as [
      { args: string[]; env: string[]; sid: number; terminal: number; stdin: string; value: string | null },
    ];
    const [, , , ownSession] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    assert.deepEqual([seen.terminal, seen.value], [0, null]);
    assert.ok(!seen.env.includes('TMUX') && !seen.env.includes('CLAUDE_CODE_SESSION_ID'), seen.env.join(' '));
    assert.notEqual(seen.sid, Number(ownSession), 'it has a session of its own');
    assert.ok(!JSON.stringify(seen.args).includes('the-chat-of-the-person'), 'it resumes no chat');
    const folder = `.mission-control/missions/${ended.json.mission_id}`;
    const record = JSON.parse(bed.read(`${folder}/orchestrator-session.json`)) as OrchestratorSessionRecord;
    assert.notEqual(record.sessionId, persons.CLAUDE_CODE_SESSION_ID);
    assert.ok(existsSync(bed.at(record.sessionPath)));
  });

  it('A22: while a session decides, the owner answers every sender; its outcome is accepted and goes on', async () => {
    bed.plays(
      failsFirst,
      `
note({ packet: await ask({ tool: 'packet' }) });
while (!fs.existsSync(NOTES + '.go')) await wait(50);
note(await choose('retry-repair'));`,
    );
    const running = bed.start('run', bed.agentPlan('a22'), '--orchestrator', 'claude', ...bed.claudeOptions);
    await until(() => bed.noted());
    const revised: Ended = await bed.mission(
      'packet',
      'revise',
      'a22',
      '--task',
      'T1',
      '--set',
      'note=From a person.',
      ...decision,
    );
    assert.equal(revised.code, 0, revised.stdout + revised.stderr);
    const early = await bed.mission('resume', 'a22', ...decision);
    assert.equal(early.json.code, 'PACKET_OPEN', 'nothing advances, and that is why');
    bed.letGo();
    const ended = await running.ended;
    assert.deepEqual([ended.code, ended.json.status], [0, 'completed'], ended.stdout + ended.stderr);
    const [, chosen] = bed.notes() as [unknown, { readonly ok: boolean }];
    assert.equal(chosen.ok, true);
  });
});
