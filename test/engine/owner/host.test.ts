import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sha256Of } from '../../../src/adapters/files/bytes/sha256';
import type { NodePorts } from '../../../src/adapters/nodePorts';
import type { MissionEvent } from '../../../src/core/model/events';
import { headerPath } from '../../../src/core/evidence/places';
import { missionStatus } from '../../../src/core/mission/status';
import { MissionHost } from '../../../src/engine/owner/host';
import type { InboxCommand } from '../../../src/engine/ports/ownership';
import type { CommandAnswer } from '../../../src/core/model/sessionFacts';
import { refusalsStream } from '../../../src/engine/ports/workspaceEvents';
import { openRealPorts } from '../../support/realPorts';
import { codeOf } from '../../support/refused';
import { planOf, until, type TaskSpec } from '../realMission';

const node = process.execPath;
const ada = { kind: 'human', name: 'ada' } as const;
const identity = { host: 'H', user: 'U' };
const options = { tool_version: '0.0.0-test', ticket_seconds: 60, grace_seconds: 1, identity };
const fails = [node, '-e', 'process.exit(1)'];
const waits = [node, '-e', 'setInterval(() => {}, 1000)'];
/** Writes a/out.txt as soon as the file it is given is there. */
const writesAfter = `const fs = require('node:fs');
setInterval(() => {
  if (!fs.existsSync(process.argv[1])) return;
  fs.mkdirSync('a', { recursive: true });
  fs.appendFileSync('a/out.txt', 'x');
  process.exit();
}, 20);`;

describe('engine: the host of a workspace', () => {
  let dir: string;
  let node_: NodePorts;
  let host: MissionHost;
  let inbox: { deliver(command: InboxCommand): void; readonly answers: Map<string, CommandAnswer> };

  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'mission-host-'));
    await mkdir(path.join(dir, 'docs/plans'), { recursive: true });
    node_ = await openRealPorts(dir);
    let deliver: (command: InboxCommand) => void = () => undefined;
    const answers = new Map<string, CommandAnswer>();
    inbox = { deliver: (command) => deliver(command), answers };
    const ports = {
      ...node_.ports,
      inbox: {
        watch: (onCommand: (command: InboxCommand) => void) => {
          deliver = onCommand;
          return { dispose: () => Promise.resolve(void (deliver = () => undefined)) };
        },
        giveBack: () => assert.fail('nothing is given back here'),
        answer: (id: string, answer: CommandAnswer) => Promise.resolve(void answers.set(id, answer)),
      },
    };
    const acquired = await MissionHost.acquire(ports, options, ada);
    assert.ok(acquired.ok);
    host = acquired.value;
  });
  afterEach(async () => {
    for (const { missionId } of host.engines) await command(missionId, { type: 'CancelMission' });
    await host.settled();
    await host.release();
    await node_.close();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = async (planId: string, tasks: readonly TaskSpec[]): ReturnType<MissionHost['start']> => {
    const plan_path = path.join(dir, `docs/plans/PLAN_${planId}.json`);
    await writeFile(plan_path, JSON.stringify(planOf(planId, tasks)));
    return host.start({ plan_path, actor: ada, default_worker: 'claude', require_approval_record: false });
  };
  const command = (mission_id: string, wanted: Parameters<MissionHost['command']>[0]['command']) =>
    host.command({
      id: randomUUID(),
      mission_id,
      command: wanted,
      actor: ada,
      reason: 'test',
      expected_seq: null,
      from_worker: false,
    });
  const send = async (changes: Partial<InboxCommand>): Promise<CommandAnswer> => {
    const id = randomUUID();
    const base = {
      mission_id: '',
      command: {},
      actor: ada,
      reason: 'test',
      expected_seq: null,
      from_worker: false,
      identified: true,
    };
    inbox.deliver({ id, ...base, ...changes });
    for (;;) {
      const answer = inbox.answers.get(id);
      if (answer) return answer;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  it('writes host and user into the first and the last header where a person asked for them', async () => {
    const headerOf = async (planId: string): Promise<unknown> => {
      const text = await readFile(path.join(dir, headerPath(planId)), 'utf8');
      const { host: name, user } = JSON.parse(text) as Record<string, unknown>;
      return { host: name, user };
    };
    const blocked = await start('A', [{ task_id: 'T1', command: fails, paths: ['a/'] }]);
    assert.ok(blocked.kind === 'started');
    await blocked.engine.settled();
    assert.deepEqual(await headerOf('A'), identity);
    await command(blocked.engine.missionId, { type: 'CancelMission' });
    await blocked.engine.settled();
    assert.deepEqual(await headerOf('A'), identity);
  });

  it('starts no plan that loses digits of a number, because nothing can digest its content', async () => {
    const plan_path = path.join(dir, 'docs/plans/PLAN_A.json');
    const text = JSON.stringify(planOf('A', [{ task_id: 'T1', command: fails, paths: ['a/'] }]));
    await writeFile(plan_path, text.replace('"level":1', '"level":1.00000000000000000001'));
    const request = { plan_path, actor: ada, default_worker: 'claude', require_approval_record: false } as const;
    const answer = await host.start(request);
    const { code, reason } = answer.kind === 'refused' ? answer.refusal : {};
    assert.equal(code, 'PLAN_INVALID');
    assert.match(reason ?? '', /has 1 error: .* read as 1, /);
  });

  it('a mission between two tasks is running: nothing else starts or is retried beside it', async () => {
    const blocked = await start('A', [{ task_id: 'T1', command: fails, paths: ['a/'] }]);
    assert.ok(blocked.kind === 'started');
    await blocked.engine.settled();
    assert.equal(blocked.engine.mission && missionStatus(blocked.engine.mission), 'blocked');

    // Asked in the very moment in which the other mission has no attempt: its evidence is being written.
    const between: Promise<unknown>[] = [];
    host.listen({
      onEntries(mission) {
        const [first] = mission.rows;
        if (
          mission.plan.plan_id !== 'B' ||
          mission.lanes.length > 0 ||
          first?.status !== 'done' ||
          first.evidence ||
          between.length > 0
        )
          return;
        between.push(
          command(blocked.engine.missionId, { type: 'RetryTask', task_id: 'T1' }),
          start('C', [{ task_id: 'T1', command: fails }]),
        );
      },
    });
    const write = [
      node,
      '-e',
      `require('fs').mkdirSync('b', {recursive: true}); require('fs').writeFileSync('b/x', '')`,
    ];
    const running = await start('B', [
      { task_id: 'T1', command: write, paths: ['b/'] },
      { task_id: 'T2', command: waits, paths: ['b/'] },
    ]);
    assert.ok(running.kind === 'started', JSON.stringify(running));
    await until(running.engine, () => between.length > 0);
    const [retried, started] = (await Promise.all(between)) as [{ code: string }, Awaited<ReturnType<typeof start>>];
    assert.equal(retried.code, 'MISSION_ACTIVE');
    assert.equal(started.kind === 'refused' && started.refusal.code, 'MISSION_ACTIVE');
  });

  it('a worker cannot plant the outcome of its own verification', async () => {
    const plant = `
      const fs = require('fs'), path = require('path');
      const [mission] = fs.readdirSync('.mission-control/missions');
      const run = path.join('.mission-control/missions', mission, 'runs/2-T1');
      const own = JSON.parse(fs.readFileSync(path.join(run, '../1-T1/claimed.json'), 'utf8'));
      const at = new Date().toISOString();
      fs.mkdirSync(run);
      fs.writeFileSync(path.join(run, 'exit.json'), JSON.stringify({ schema_version: '1.0.0', launch_id: own.launch_id, nonce: own.nonce,
        reason: 'exited', exit_code: 0, signal: null, started_at: at, ended_at: at, tree_gone: true, survivors: [], leftovers: [],
        error: null, stdout: null, stderr: null, stderr_tail: '', summary: null }));
      fs.mkdirSync('src', { recursive: true });
      fs.writeFileSync('src/x', '');`;
    const started = await start('A', [{ task_id: 'T1', command: [node, '-e', plant], verify: [fails] }]);
    assert.ok(started.kind === 'started');
    await started.engine.settled();
    const row = started.engine.mission?.rows[0];
    assert.equal(row?.status, 'blocked');
    assert.match(row.reason, /runs\/2-T1 already holds exit\.json/);
  });

  it('a stream that Mission Control did not write is refused with a code, and the inbox goes on', async () => {
    const row = { type: 'Surprise' } as unknown as MissionEvent;
    const entry = { run_id: randomUUID(), at: '2026-01-01T00:00:00.000Z', actor: ada, event: row };
    const fence = (await node_.journal.owner())?.fence ?? 0;
    assert.equal((await node_.ports.journal.append('foreign', 0, fence, [entry])).ok, true);
    assert.equal(codeOf(await host.take('foreign')), 'STATE_STORE_CORRUPT');
    const answer = await send({ mission_id: 'foreign', command: { type: 'ResumeMission' } });
    assert.equal(answer.code, 'STATE_STORE_CORRUPT');
    assert.equal((await send({ mission_id: 'none', command: { type: 'ResumeMission' } })).code, 'MISSION_UNKNOWN');
  });

  it('every refusal of the inbox is journalled, also where there is no mission', async () => {
    const approval = {
      type: 'RecordApproval',
      plan_id: 'P',
      plan_path: 'docs/plans/PLAN_P.json',
      plan_sha256: 'A'.repeat(64),
    };
    assert.equal((await send({ command: approval, from_worker: true })).code, 'NON_COMPLIANT');
    assert.equal((await send({ command: approval, identified: false })).code, 'NON_COMPLIANT');
    assert.equal((await send({ command: { type: 'Explode' } })).code, 'COMMAND_INVALID');
    assert.equal((await send({ mission_id: 'none', command: { type: 'PauseMission' } })).code, 'MISSION_UNKNOWN');
    const refusals = await node_.ports.records.read(refusalsStream);
    assert.deepEqual(
      refusals.map(({ event }) => event.type === 'CommandRefused' && [event.command, event.code]),
      [
        ['RecordApproval', 'NON_COMPLIANT'],
        ['RecordApproval', 'NON_COMPLIANT'],
        ['Explode', 'COMMAND_INVALID'],
        ['PauseMission', 'MISSION_UNKNOWN'],
      ],
    );
  });

  it('a file that a person saved in another window is no violation; one whose save is only claimed blocks', async () => {
    for (const saved of [true, false]) {
      const plan = saved ? 'Saved' : 'Claimed';
      const gate = `${dir}.${plan}`;
      const command = [node, '-e', writesAfter, gate];
      const started = await start(plan, [{ task_id: 'T1', command, paths: ['a/'] }]);
      assert.ok(started.kind === 'started');
      await until(started.engine, ({ mission }) => mission?.lanes[0]?.stage.at === 'running');
      await writeFile(path.join(dir, 'notes.md'), `A note of ${plan}.\n`);
      const sha256 = sha256Of(`A note of ${plan}.\n`);
      const save = { type: 'DocumentSaved', path: 'notes.md', sha256 };
      const refused: [Partial<InboxCommand>, string][] = [
        [{ command: save, from_worker: true }, 'NON_COMPLIANT'],
        [{ command: save, identified: false }, 'NON_COMPLIANT'],
        [{ command: save, actor: { kind: 'orchestrator', name: 'o' } }, 'NON_COMPLIANT'],
        [{ command: { ...save, sha256: 'A'.repeat(64) } }, 'COMMAND_INVALID'],
        [{ command: { ...save, path: 'not-there.md' } }, 'COMMAND_INVALID'],
        [{ command: { ...save, path: '../notes.md' } }, 'COMMAND_INVALID'],
        [{ command: { ...save, path: './notes.md' } }, 'COMMAND_INVALID'],
        [{ command: { ...save, path: path.join(dir, 'notes.md') } }, 'COMMAND_INVALID'],
        [{ command: { ...save, more: 1 } }, 'COMMAND_INVALID'],
      ];
      const before = (await node_.ports.records.read(refusalsStream)).length;
      for (const [message, code] of refused) assert.equal((await send(message)).code, code, JSON.stringify(message));
      assert.equal((await node_.ports.records.read(refusalsStream)).length, before + refused.length);
      if (saved) assert.equal((await send({ command: save })).code, 'OK');
      await writeFile(gate, '');
      await started.engine.settled();
      const { mission } = started.engine;
      assert.equal(mission && missionStatus(mission), saved ? 'completed' : 'blocked', mission?.rows[0]?.reason);
      if (!saved) assert.equal(mission?.rows[0]?.code, 'CONCURRENCY_CONFLICT');
      await rm(gate);
    }
  });

  it('a viewer that fails takes neither the mission nor another viewer with it', async () => {
    const failures: unknown[] = [];
    const seen: string[] = [];
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (error) => failures.push(error));
    try {
      host.listen({
        onEntries() {
          throw new Error('the view is broken');
        },
      });
      host.listen({ onEntries: (mission) => seen.push(missionStatus(mission)) });
      const started = await start('A', [{ task_id: 'T1', command: fails }]);
      assert.ok(started.kind === 'started');
      await started.engine.settled();
      assert.equal(started.engine.mission && missionStatus(started.engine.mission), 'blocked');
      assert.equal(seen.at(-1), 'blocked');
      assert.equal(failures.length, 1);
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    }
  });

  it('a mission that halted is taken up again from the journal', async () => {
    const started = await start('A', [{ task_id: 'T1', command: fails }]);
    assert.ok(started.kind === 'started');
    const { engine } = started;
    await engine.settled();
    const entry = {
      run_id: randomUUID(),
      at: '2026-01-01T00:00:00.000Z',
      actor: ada,
      event: { type: 'MissionPaused', reason: 'foreign' } as const,
    };
    const fence = (await node_.journal.owner())?.fence ?? 0;
    assert.equal(
      (await node_.ports.journal.append(engine.missionId, engine.mission?.last_seq ?? 0, fence, [entry])).ok,
      true,
    );
    assert.equal((await command(engine.missionId, { type: 'Acknowledge' })).code, 'STALE_SEQUENCE');
    assert.equal((await command(engine.missionId, { type: 'Acknowledge' })).code, 'OK');
  });
});
