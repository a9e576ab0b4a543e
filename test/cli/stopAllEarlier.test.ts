import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { skipWithReason } from '../support/skip';
import { AgentBed } from './agentBed';
import { CliBed, decision, isAlive, start, until, type Ended } from './cliBed';

/** A workspace of a user who has others: they share the user's own folder. */
class SharingBed extends CliBed {
  constructor(private readonly home: string) {
    super();
  }
  override get env(): NodeJS.ProcessEnv {
    return { ...super.env, MISSION_CONTROL_HOME: this.home };
  }
}

/** What a person ordered before everything was stopped, and is heard only after starts were allowed again. */
describe('mission stop --all and earlier orders', function () {
  this.timeout(180_000);
  let home: string;
  let beds: SharingBed[];
  const bed = (): SharingBed => {
    const one = new SharingBed(home);
    beds.push(one);
    return one;
  };
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'mission-user-'));
    beds = [];
  });
  afterEach(async () => {
    rmSync(path.join(home, 'stopped.json'), { force: true });
    for (const one of beds) await one.dispose();
    rmSync(home, { recursive: true, force: true });
  });
  const stopAll = (from: CliBed): Promise<Ended> =>
    from.mission('stop', '--all', '--by', 'Grace', '--reason', 'the disk burns');
  const release = (from: CliBed): Promise<Ended> => from.mission('stop', '--release', ...decision);
  const waiting = (one: CliBed, gate: string): string => `${start}${one.waitAt(gate)}`;

  it('an order that the owner hears later starts nothing: it is refused, and the mission pauses', async () => {
    const one = bed();
    const next = { script: `${start}fs.writeFileSync('docs/out/next.txt', '');` };
    const running = one.start('run', one.plan('early', [{ script: waiting(one, 'early') }, next, { script: start }]));
    const pid = await one.waitsAt('early');
    running.child.kill('SIGSTOP');
    let early: Promise<Ended>;
    try {
      early = one.mission('skip', 'early', 'T3', '--yes', ...decision);
      const sent = (): readonly string[] => readdirSync(one.at('.mission-control/inbox'));
      await until(() => sent().some((name) => /^[0-9a-f-]{36}\.json$/.test(name)));
      one.open('early');
      await until(() => !isAlive(pid));
      assert.equal((await stopAll(bed())).code, 3);
      assert.equal((await release(one)).code, 0);
    } finally {
      running.child.kill('SIGCONT');
    }
    const refused = await early;
    assert.deepEqual([refused.code, refused.json.code], [2, 'STARTS_HELD'], refused.stdout + refused.stderr);
    assert.match(refused.json.reason, /^Grace stopped everything at .*, and this was asked for before, at .*\.$/);
    const woken = await running.ended;
    assert.deepEqual([woken.code, woken.json.status], [3, 'paused'], woken.stdout + woken.stderr);
    assert.equal(one.exists('docs/out/next.txt'), false);
  });

  it('a run whose agent keeps it waiting until starts are allowed again starts nothing', async function () {
    if (process.platform === 'win32') skipWithReason(this, 'the agent that waits is a script for a shell');
    const one = new AgentBed([]);
    try {
      const [gate, waits] = [path.join(one.scratch, 'goes'), path.join(one.scratch, 'waits')];
      const version = `echo > '${waits}'; while [ ! -e '${gate}' ]; do sleep 0.05; done; echo '2.1.328 (Claude Code)'`;
      writeFileSync(one.claude, `#!/bin/sh\n[ "$1" = --version ] && { ${version}; exit 0; }\nexit 7\n`, {
        mode: 0o755,
      });
      const plan = one.agentPlan('slow');
      const running = one.start('run', plan, ...one.claudeOptions);
      await until(() => existsSync(waits));
      assert.equal((await stopAll(one)).code, 0);
      assert.equal((await release(one)).code, 0);
      writeFileSync(gate, '');
      const ended = await running.ended;
      assert.deepEqual([ended.code, ended.json.code], [2, 'STARTS_HELD'], ended.stdout + ended.stderr);
      assert.deepEqual((await one.mission('list')).json.missions, []);
      assert.equal((await one.withClaude('run', plan)).json.status, 'blocked', 'asked for anew it runs');
    } finally {
      await one.dispose();
    }
  });
});
