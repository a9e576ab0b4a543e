import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { rewriteJournal } from '../support/rewrittenJournal';
import { CliBed, cliFile, type Ended } from './cliBed';

describe('a key that cannot be used', () => {
  it('keeps an owner from writing what no seal would hold, and says where it lies', async () => {
    const bed = new CliBed();
    try {
      const plan = bed.plan('P', [{ command: ['node', '-e', ''], verify: [['node', '-e', '']] }]);
      assert.equal((await bed.mission('run', plan, '--confinement', 'off')).json.status, 'completed');
      const key = path.join(bed.scratch, '.config/mission-control/approval.key');
      chmodSync(key, 0o644);
      const refused = await bed.mission('run', plan, '--confinement', 'off');
      assert.deepEqual([refused.json.code, refused.json.reason.includes(key)], ['STATE_FOLDER_UNAVAILABLE', true]);
      const ill = (await bed.mission('doctor')).json.checks.find(({ id }) => id === 'key');
      assert.deepEqual([ill?.ok, ill?.detail.includes(key)], [false, true]);
      assert.match((await bed.mission('evidence', 'verify', 'P')).stdout, /JOURNAL_FOREIGN/);
      chmodSync(key, 0o600);
      assert.doesNotMatch((await bed.mission('evidence', 'verify', 'P')).stdout, /JOURNAL_FOREIGN/);
    } finally {
      await bed.dispose();
    }
  });
});

describe('a journal whose events were changed without the key of this user', function () {
  this.timeout(180_000);
  let bed: CliBed;
  let id: string;
  let plan: string;
  let marker: string;
  const another = { plan: '' };
  beforeEach(async () => {
    bed = new CliBed();
    marker = path.join(bed.scratch, 'forged command ran');
    plan = bed.plan('P', [{ command: ['node', '-e', 'process.exit(1)'], paths: ['out/'] }]);
    another.plan = bed.plan('Q', [{ command: ['node', '-e', ''], paths: ['out/'], verify: [['node', '-e', '']] }]);
    const run = await bed.mission('run', plan, '--confinement', 'off');
    assert.equal(run.json.status, 'blocked', run.stdout);
    id = run.json.mission_id;
    const forged = JSON.stringify(`require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`);
    rewriteJournal(bed.at('.mission-control/state.db'), id, (event) => event.replace('"process.exit(1)"', forged));
  });
  afterEach(() => bed.dispose());

  const as = (home: string, ...args: readonly string[]): Promise<Ended> => {
    mkdirSync(home, { recursive: true });
    return bed.spawn(process.execPath, [cliFile, ...args, '--json'], { env: { ...bed.env, HOME: home } }).ended;
  };

  it('is unreadable where a packet names a task that the plan lacks, and hides no other mission', async () => {
    assert.equal((await bed.mission('run', another.plan, '--confinement', 'off')).json.status, 'completed');
    rewriteJournal(bed.at('.mission-control/state.db'), id, (event) =>
      event.includes('"PacketIssued"') ? event.replace('"task_id":"T1"', '"task_id":"T9"') : event,
    );
    const { code, json, stdout } = await bed.mission('status');
    assert.equal(code, 0, stdout);
    const { missions, unreadable } = json as unknown as Record<
      string,
      readonly { mission_id: string; reason: string }[]
    >;
    assert.deepEqual([missions?.length, unreadable?.[0]?.mission_id], [1, id], stdout);
    assert.match(unreadable?.[0]?.reason ?? '', /no row for task T9/);
  });

  for (const [whose, home] of [
    ['of another user, as a clone brings it', 'another'],
    ['of this user', ''],
  ] as const)
    it(`${whose}: runs nothing, takes no decision, and keeps no other mission from running`, async () => {
      const user = path.join(bed.scratch, home);
      const reason = ['--by', 'Ann', '--reason', 'first look'];
      for (const [...words] of [
        ['pause', id, ...reason],
        ['resume', id, ...reason],
        ['retry', id, 'T1', ...reason],
        ['cancel', id, ...reason],
        ['handoff', 'export', id, ...reason],
        ['plan', 'revise', id],
      ]) {
        const ended = await as(user, ...words);
        const { code, stdout } = ended;
        assert.deepEqual([code === 0, existsSync(marker)], [false, false], `${words.join(' ')}: ${stdout}`);
        assert.match(stdout, /MISSION_UNKNOWN/, words.join(' '));
      }
      const status = await as(user, 'status');
      const [mission] = status.json.missions as unknown as readonly {
        offers: object;
        headline: string;
        needs: null;
        interrupted: boolean;
      }[];
      assert.match(mission?.headline ?? '', /^Its journal is of another user or machine, or was changed/);
      assert.ok(mission);
      assert.deepEqual([mission.needs, mission.interrupted], [null, true]);
      const open = Object.values(mission.offers).filter((one) => (Array.isArray(one) ? one.length > 0 : one));
      assert.deepEqual(open, []);
      const other = await as(user, 'run', another.plan, '--confinement', 'off');
      assert.deepEqual([other.json.status, existsSync(marker)], ['completed', false], other.stdout);
      assert.match((await as(user, 'evidence', 'verify', 'P')).stdout, /JOURNAL_FOREIGN/);
    });

  it('is confirmed again by no later event: its mission takes none', async () => {
    const again = await as(bed.scratch, 'run', plan, '--confinement', 'off');
    assert.deepEqual([again.json.code, existsSync(marker)], ['EVIDENCE_FOREIGN', false], again.stdout);
    assert.match((await as(bed.scratch, 'evidence', 'verify', 'P')).stdout, /JOURNAL_FOREIGN/);
    // The headline names this way on.
    renameSync(bed.at('docs/ops/executions/P'), path.join(bed.scratch, 'away'));
    const anew = await as(bed.scratch, 'run', plan, '--confinement', 'off');
    assert.deepEqual([anew.json.status, existsSync(marker)], ['blocked', false], anew.stdout);
  });

  it('hands its work on by the handoff that lies beside it, as a mission with another id', async () => {
    const given = await as(
      bed.scratch,
      ...['handoff', 'resume', `.mission-control/missions/${id}/handoff/1`, '--by', 'Ann', '--reason', 'go on'],
    );
    assert.equal(given.json.accepted, true, given.stdout);
    const { missions } = (await as(bed.scratch, 'status')).json;
    assert.deepEqual([missions.length, missions.filter(({ mission_id }) => mission_id === id).length], [2, 1]);
    assert.equal(existsSync(marker), false);
  });
});
