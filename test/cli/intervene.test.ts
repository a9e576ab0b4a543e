import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SubagentResult } from '../../src/contracts/result';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { AgentBed } from './agentBed';
import { cliFile, decision, type Ended } from './cliBed';

const supervisorFile = path.resolve('dist/supervisor.cjs');

/** Writes its file, and claims none. */
const leavesOut = `
  fs.mkdirSync('docs/out', { recursive: true });
  fs.writeFileSync('docs/out/a.txt', named('run_id'));
  end('done');`;

/** A result that a person completes: `dist/cli.js` as real processes; each of them is another owner. */
describe('mission intervene', function () {
  this.timeout(120_000);
  let bed: AgentBed;
  beforeEach(() => {
    bed = new AgentBed([]);
    bed.speaks(leavesOut);
  });
  afterEach(() => bed.dispose());

  /** A mission that waits for a person, and the packet to be completed. */
  const waiting = async (name: string): Promise<{ readonly id: string; readonly packet: string }> => {
    const { code, json, stdout, stderr } = await bed.withClaude('run', bed.agentPlan(name));
    assert.deepEqual([code, json.status, json.packets.length], [3, 'paused', 0], `${stdout}\n${stderr}`);
    const offered = (await bed.events(json.mission_id)).find(({ type }) => type === 'InterventionOffered');
    assert.ok(offered?.type === 'InterventionOffered');
    return { id: json.mission_id, packet: offered.path };
  };
  /** What the terminal of the worker shows, which ended first of all. */
  const terminalOf = async (id: string): Promise<string> => {
    const runDir = bed.at(`.mission-control/missions/${id}/runs/1-T1`);
    return (await bed.spawn(process.execPath, [supervisorFile, 'view', runDir]).ended).stdout;
  };
  const complete = (packet: string): void => {
    const result = JSON.parse(bed.read(packet)) as SubagentResult;
    const changes = [{ resource: 'docs/out/a.txt', action: 'created', evidence: 'it is there' }];
    bed.write(packet, JSON.stringify({ ...result, changes }));
  };
  const intervene = (id: string): Promise<Ended> =>
    bed.withClaude('intervene', id, '--by', 'Grace', '--reason', 'the agent named no change');
  const evidence = (plan: string): NonNullable<TaskEvidence['attempts']>[number] => {
    const { attempts = [] } = JSON.parse(bed.read(`docs/ops/executions/${plan}/TASK_T1.json`)) as TaskEvidence;
    assert.equal(attempts.length, 1, 'one attempt');
    return attempts[0]!;
  };

  it('waits in phase 7, says what is incomplete and how to go on, and verifies the completed task', async () => {
    const { id, packet } = await waiting('completed');
    const shown = (await bed.spawn(process.execPath, [cliFile, 'status', id]).ended).stdout;
    assert.match(shown, /asks you/);
    assert.match(
      shown,
      /needs you \(INTERVENTION_REQUIRED\): Task T1 waits for a person: .*changes: names none, and docs\/out\/a\.txt changed/,
    );
    assert.ok(shown.includes(packet), shown);
    assert.ok(shown.includes(`next: mission intervene ${id} T1 --by NAME --reason TEXT`), shown);
    assert.ok(!shown.includes('interrupted') && !shown.includes('last progress'), shown);
    assert.ok(shown.includes(`waiting for a person to complete the result; nothing runs; ${packet}`), shown);
    assert.match(shown, /T1 +asks you +claude/);
    for (const fact of [
      / {4}phase +7 intervention; 0 to 5 passed, 6 verification needs a person\n/,
      / {4}intent +\w+ \(/,
      / {4}model +.*: tier A, profile /,
      / {4}context +[0-9A-F]{12}, frozen before its worker\n/,
      / {4}telemetry +ENFORCED by rule \d\n/,
      / {4}sandbox +approved paths, held by limits on its tools\n/,
      / {4}verification +waits for a person at step \d of 7, /,
      / {4}checks +\d+ passed, \d+ not machine-checked\n/,
    ])
      assert.match(shown, fact);
    const { missions } = (await bed.mission('status', id)).json;
    assert.deepEqual([missions[0]?.status, missions[0]?.interrupted], ['paused', false]);
    const told = await terminalOf(id);
    assert.ok(told.includes(`Task T1 asks you (INTERVENTION_REQUIRED): its result packet is incomplete (`), told);
    assert.ok(told.includes(`Complete it in ${packet},`), told);
    assert.ok(told.includes(`\n  mission intervene ${id} T1 --by NAME --reason TEXT\n`), told);
    assert.ok(!told.includes('no process runs'), told);

    complete(packet);
    bed.write('docs/out/b.txt', 'by hand');
    const done = await intervene(id);
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
    assert.equal(bed.launches().length, 1, 'the worker is not launched again');
    assert.match(await terminalOf(id), /\nTask T1 is done: no verify command checked it\.\n$/);
    const { intervention, claim, changes, verification } = evidence('completed');
    assert.deepEqual(
      [intervention?.decision?.actor.name, intervention?.decision?.reason],
      ['Grace', 'the agent named no change'],
    );
    assert.deepEqual([intervention?.packet?.changes, claim.packet?.changes.length], [[], 1]);
    assert.deepEqual(
      changes.map(({ path, attribution }) => `${path} ${attribution}`),
      ['docs/out/a.txt worker', 'docs/out/b.txt external_change'],
    );
    assert.deepEqual(
      verification?.map(({ step }) => step),
      [1, 2, 3, 4, 5, 6, 7],
    );
    assert.match(
      bed.read('docs/ops/executions/completed/EXECUTION_SUMMARY.md'),
      /was completed by Grace at .*the agent named no change/,
    );
    const verified = await bed.mission('evidence', 'verify', 'completed');
    assert.deepEqual([verified.code, verified.json], [0, { valid: true, findings: [] }]);
  });

  it('of many files that it did not name, three stand in the sentence and all in mission status', async () => {
    bed.speaks(`
      fs.mkdirSync('docs/out', { recursive: true });
      for (let n = 10; n < 50; n += 1) fs.writeFileSync('docs/out/' + n + '.txt', 'x');
      end('done', 'docs/out/10.txt');`);
    const { id, packet } = await waiting('many');
    const shown = (await bed.spawn(process.execPath, [cliFile, 'status', id]).ended).stdout;
    assert.match(shown, /13\.txt \(added\); 36 more, which mission status lists\)\. Complete it in /);
    assert.equal(shown.match(/^ {4}- observed, but not claimed: docs\/out\/\d+\.txt \(added\)$/gm)?.length, 39, shown);
    const result = JSON.parse(bed.read(packet)) as SubagentResult;
    const [first] = result.changes;
    assert.ok(first);
    const changes = Array.from({ length: 40 }, (_, n) => ({ ...first, resource: `docs/out/${n + 10}.txt` }));
    bed.write(packet, JSON.stringify({ ...result, changes }));
    const done = await intervene(id);
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
  });

  it('what a person changed elsewhere meanwhile blocks by name; accepted, the completed result is judged', async () => {
    const { id, packet } = await waiting('strayed');
    complete(packet);
    bed.write('README.md', 'another text\n');
    bed.git('commit', '-qm', 'what the agent did', 'README.md');
    bed.agentPlan('the-next');
    const blocked = await intervene(id);
    assert.deepEqual(
      [blocked.code, blocked.json.mission.status, blocked.json.mission.packets[0]?.category],
      [3, 'blocked', 'external_change'],
      blocked.stdout,
    );
    assert.match(
      blocked.json.mission.reason,
      /README\.md.* changed outside its approved paths while a person completed the result of task T1/,
    );
    assert.equal(bed.read('README.md'), 'another text\n');
    const phases = (await bed.events(id)).flatMap((event) =>
      event.type === 'PhaseCompleted' ? [`${event.phase} ${event.outcome}`] : [],
    );
    assert.deepEqual(phases.slice(-5), ['6 INTERVENTION_REQUIRED', '7 HALT', '8 PASS', '9 PASS', '10 PASS']);
    const names = ['README.md', '.git/refs/heads/main', 'docs/plans/PLAN_the-next.json'];
    assert.equal((await bed.withClaude('accept', id, 'T1', ...names, ...decision)).code, 0);
    const done = await bed.withClaude('rerun-validation', id, 'T1', ...decision);
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
    assert.equal(bed.launches().length, 1, 'the worker is not launched again');
    const status = (await bed.spawn(process.execPath, [cliFile, 'status', id]).ended).stdout;
    assert.match(status, /Mission completed/);
    assert.doesNotMatch(status, /INTERVENTION|waits for a person|needs you/);
    assert.equal((await bed.mission('evidence', 'verify', 'strayed')).code, 0);
  });

  it('a formatter over the files of the worker leaves them its work', async () => {
    const { id, packet } = await waiting('formatted');
    bed.write('docs/out/a.txt', 'formatted');
    complete(packet);
    const done = await intervene(id);
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
    assert.deepEqual(
      evidence('formatted').changes.map(({ path, attribution }) => `${path} ${attribution}`),
      ['docs/out/a.txt external_change'],
    );
  });

  it('a packet that is gone is written anew; byte-order mark and carriage returns of an editor do no harm', async () => {
    const { id, packet } = await waiting('anew');
    rmSync(bed.at(packet));
    const gone = await intervene(id);
    assert.deepEqual([gone.code, gone.json.code], [2, 'INTERVENTION_INVALID'], gone.stdout);
    assert.match(
      gone.json.reason,
      /it was gone, and is written anew as the worker had left it\. Nothing was taken over/,
    );
    complete(packet);
    bed.write(packet, `\uFEFF${bed.read(packet).replaceAll(',', ',\r\n')}`);
    const done = await intervene(id);
    assert.deepEqual([done.code, done.json.mission.status], [0, 'completed'], done.stdout + done.stderr);
  });

  it('what is no result packet is refused with its place and what is wrong, and it goes on waiting', async () => {
    const { id, packet } = await waiting('mended');
    const whole = bed.read(packet);
    for (const [text, reason] of [
      ['{', /is no valid result packet: .*JSON/],
      [
        whole.replace(/"status": "done"/, '"status": "failed", "status": "done"'),
        /is no valid result packet: JSON_DUPLICATE_KEY at \/status, line \d+: /,
      ],
      ['{}', /schema_version/],
      [whole.replace(/"task_id": "[^"]+"/, '"task_id": "T2"'), /task_id is T2/],
      [whole.replace(/"run_id": "[^"]+"/, '"run_id": "another"'), /run_id is another, assigned was /],
      [
        whole.replace('"status"', '"__proto__": {}, "status"'),
        /is no valid result packet: JSON_\w+ at \/__proto__, line \d+: /,
      ],
      [whole.replace('{', `{ "x": ${'['.repeat(200)}${']'.repeat(200)},`), /is no valid result packet: \w+.*: /],
    ] as const) {
      bed.write(packet, text);
      const refused = await intervene(id);
      assert.deepEqual([refused.code, refused.json.code], [2, 'INTERVENTION_INVALID'], refused.stdout);
      assert.match(refused.json.reason, reason);
    }
    for (const puts of [
      () => symlinkSync(bed.at('README.md'), bed.at(packet)),
      () => mkdirSync(bed.at(packet)),
      () => writeFileSync(bed.at(packet), Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
    ]) {
      rmSync(bed.at(packet), { recursive: true });
      puts();
      const refused = await intervene(id);
      assert.deepEqual([refused.code, refused.json.code], [2, 'INTERVENTION_INVALID'], refused.stdout);
    }
    rmSync(bed.at(packet), { recursive: true });
    const resumed = await bed.withClaude('resume', id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.code], [2, 'PACKET_OPEN'], resumed.stdout);
    assert.deepEqual(resumed.json.next[0], `mission intervene ${id} T1 --by NAME --reason TEXT`);
    bed.write(packet, whole);
    complete(packet);
    assert.equal((await intervene(id)).code, 0);
    const again = await intervene(id);
    assert.deepEqual([again.code, again.json.code], [2, 'TASK_UNKNOWN'], again.stdout);
  });

  it('that was not completed blocks the task, with a packet; no person is asked twice', async () => {
    const { id } = await waiting('twice');
    const blocked = await intervene(id);
    assert.deepEqual([blocked.code, blocked.json.mission.packets[0]?.category], [3, 'invalid_handoff'], blocked.stdout);
  });

  it('can be stopped, handed over as a copy, and canceled while it waits', async () => {
    const { id } = await waiting('given-up');
    const exported = await bed.mission('handoff', 'export', id, ...decision);
    assert.equal(exported.code, 0, exported.stdout);
    const other = await bed.withClaude('run', bed.agentPlan('beside'));
    assert.deepEqual([other.code, other.json.code], [2, 'MISSION_ACTIVE'], other.stdout);
    assert.match(
      other.json.reason,
      /waits in this workspace for a person who completes the result of T1\. Until then it keeps docs\/out, where this would write too\.$/,
    );
    assert.deepEqual(
      other.json.next.map((step) => step.split(' ')[1]),
      ['status', 'intervene', 'stop'],
    );
    const stopped = await bed.withClaude('stop', id, 'T1', ...decision);
    assert.equal(stopped.code, 0, stopped.stdout);
    assert.equal((await bed.mission('status', id)).json.missions[0]?.tasks[0]?.status, 'blocked');
    const canceled = await bed.withClaude('cancel', id, ...decision);
    assert.equal(canceled.code, 0, canceled.stdout);
    const again = await waiting('given-up-again');
    assert.equal((await bed.withClaude('cancel', again.id, ...decision)).code, 0);
    assert.equal((await bed.mission('evidence', 'verify', 'given-up-again')).code, 0);
  });
});
