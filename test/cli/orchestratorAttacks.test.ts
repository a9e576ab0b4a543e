import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { EventOf, MissionEvent } from '../../src/core/model/events';
import { identityOf } from '../../src/adapters/processes/tree';
import { until } from './cliBed';
import { OrchestratorBed } from './orchestratorBed';

type Of<T extends MissionEvent['type']> = EventOf<T>;

/** What a hostile session, or a process in its name, tries: real processes without confinement. */
describe('runtime orchestrator: attacks', function () {
  this.timeout(120_000);
  let bed: OrchestratorBed;
  let events: readonly MissionEvent[];
  beforeEach(() => (bed = new OrchestratorBed()));
  afterEach(() => bed.dispose());

  /** Runs a mission whose only task blocks, and expects that it stays blocked. */
  const staysBlocked = async (name: string, session: string, ...more: readonly string[]): Promise<string> => {
    bed.plays('process.exit(1);', session);
    const { code, json, stdout, stderr } = await bed.orchestrated(bed.agentPlan(name), ...more);
    assert.deepEqual([code, json.status], [3, 'blocked'], stdout + stderr);
    events = await bed.events(json.mission_id);
    assert.equal(events.filter(({ type }) => type === 'AttemptStarted').length, 1, 'a task was tried again');
    assert.ok(events.every(({ type }) => type !== 'PacketResolved'));
    return json.mission_id;
  };
  const asked = (): readonly Of<'OrchestratorAsked'>[] =>
    events.filter((event): event is Of<'OrchestratorAsked'> => event.type === 'OrchestratorAsked');
  const result = (): Of<'OrchestratorEnded'>['result'] | undefined =>
    events.find((event): event is Of<'OrchestratorEnded'> => event.type === 'OrchestratorEnded')?.result;

  it('one that edits a file has its decision discarded, and a person reads so', async () => {
    const id = await staysBlocked(
      'edits',
      `fs.appendFileSync('README.md', 'mine'); note(await choose('retry-repair'));`,
    );
    assert.deepEqual((bed.notes()[0] as { ok: boolean }).ok, true, 'recorded, and then discarded');
    const ended = result();
    assert.equal(ended?.kind === 'discarded' && ended.code, 'NON_COMPLIANT');
    assert.match(ended?.kind === 'discarded' ? ended.reason : '', /README\.md/);
    assert.match(bed.read('README.md'), /mine/, 'nothing is reverted');
    assert.match((await bed.mission('status', id)).stdout, /NON_COMPLIANT/);
  });

  it('one that commits, or hides a change from git, is found as well', async () => {
    await staysBlocked(
      'commits',
      `require('node:child_process').execSync('git -c user.name=x -c user.email=x@example.invalid commit -q --allow-empty -m mine'); await choose('retry-repair');`,
    );
    const ended = result();
    assert.match(ended?.kind === 'discarded' ? `${ended.code} ${ended.reason}` : '', /^NON_COMPLIANT .*\.git\//);
  });

  it('one that writes evidence or the plan is found as well', async () => {
    await staysBlocked('plans', `fs.appendFileSync('docs/plans/PLAN_plans.json', ' '); await choose('retry-repair');`);
    const ended = result();
    assert.equal(ended?.kind === 'discarded' && ended.code, 'NON_COMPLIANT');
  });

  it('a forged signature, the name of another session and the id of another request are refused', async () => {
    await staysBlocked(
      'forged',
      `
const other = crypto.generateKeyPairSync('ed25519').privateKey;
const request = { tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x' };
note(await ask(request, {}, other));
note(await ask(request, { session: 'another' }));
const kept = signed(request);
const id = crypto.randomUUID();
put(id + '.json', JSON.stringify(kept));
note(await answered(id));
const changed = { ...signed({ ...request, outcome: 'leave-blocked' }), request };
put(changed.id + '.json', JSON.stringify(changed));
note(await answered(changed.id));`,
    );
    assert.deepEqual(
      bed.notes().map((answer) => (answer as { ok: boolean; code: string }).code),
      ['NON_COMPLIANT', 'NON_COMPLIANT', 'NON_COMPLIANT', 'NON_COMPLIANT'],
    );
    assert.ok(asked().every(({ accepted }) => !accepted));
  });

  it('a request that no process of the session holds open is refused, even with a valid signature', async function () {
    if (process.platform !== 'linux') this.skip();
    await staysBlocked(
      'held',
      `
const message = signed({ tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x' });
const outbox = path.join(dir, 'work/outbox');
fs.writeFileSync(path.join(outbox, '.closed.tmp'), JSON.stringify(message));
fs.renameSync(path.join(outbox, '.closed.tmp'), path.join(outbox, message.id + '.json'));
note(await answered(message.id));`,
    );
    assert.equal((bed.notes()[0] as { code: string }).code, 'NON_COMPLIANT');
    assert.match(asked()[0]?.reason ?? '', /holds the request open/);
  });

  it('links, folders, pipes and huge files in the outbox are refused and hold up no other request', async () => {
    bed.plays(
      `if (attempt === 1) process.exit(1); fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a.txt', 'x'); end('done', 'docs/out/a.txt');`,
      `
const outbox = path.join(dir, 'work/outbox');
const id = () => crypto.randomUUID();
const [link, folder, pipe, huge, none] = [id(), id(), id(), id(), id()];
fs.symlinkSync('/etc/passwd', path.join(outbox, link + '.json'));
fs.mkdirSync(path.join(outbox, folder + '.json'));
require('node:child_process').execFileSync('mkfifo', [path.join(outbox, pipe + '.json')]);
put(huge + '.json', 'x'.repeat(300_000));
put(none + '.json', '{"__proto__": {"ok": true}');
for (const one of [link, folder, pipe, huge, none]) note(await answered(one));
fs.symlinkSync('/etc/passwd', path.join(outbox, '..', 'x'));
note(await choose('retry-repair'));`,
    );
    const { code, json, stderr } = await bed.orchestrated(bed.agentPlan('odd'));
    assert.deepEqual([code, json.status], [0, 'completed'], stderr);
    const answers = bed.notes() as { ok: boolean; code?: string }[];
    assert.deepEqual(
      answers.map(({ ok, code: why }) => (ok ? 'ok' : why)),
      [...Array.from({ length: 5 }, () => 'NON_COMPLIANT'), 'ok'],
    );
  });

  it('a name of an artifact that leads elsewhere finds nothing', async () => {
    await staysBlocked(
      'paths',
      `for (const name of ['../../../../etc/passwd', '/etc/passwd', '../launch.json', 'launch.json', '..']) note(await ask({ tool: 'artifact', name }));`,
    );
    for (const answer of bed.notes()) assert.equal((answer as { code: string }).code, 'EVIDENCE_MISSING');
  });

  it('a flood of requests ends the session, and the mission waits for a person', async () => {
    await staysBlocked(
      'flood',
      `for (let count = 0; count < 260; count += 1) put(crypto.randomUUID() + '.json', '{}'); await wait(60_000);`,
    );
    const stop = events.find((event) => event.type === 'OrchestratorStopRequested');
    assert.equal(stop?.code, 'ORCHESTRATOR_LIMIT');
    assert.ok(asked().length <= 40);
  });

  it('answers that it plants, or an answers folder that leads elsewhere, change nothing', async () => {
    const elsewhere = path.join(bed.scratch, 'elsewhere');
    await staysBlocked(
      'answers',
      `fs.mkdirSync(${JSON.stringify(elsewhere)});
fs.rmSync(path.join(dir, 'answers'), { recursive: true });
fs.symlinkSync(${JSON.stringify(elsewhere)}, path.join(dir, 'answers'));
const message = signed({ tool: 'status' });
put(message.id + '.json', JSON.stringify(message));
await wait(3000);`,
    );
    assert.deepEqual(readdirSync(elsewhere), []);
  });

  it('it cannot move another mission, nor decide by the command line', async () => {
    const cli = JSON.stringify(path.resolve('dist/cli.js'));
    const id = await staysBlocked(
      'cli',
      `
const { execFileSync } = require('node:child_process');
const mission = (...args) => { try { return execFileSync(process.execPath, [${cli}, ...args, '--json', '--by', 'Ada', '--reason', 'x'], { encoding: 'utf8' }); } catch (error) { return String(error.stdout); } };
const packet = JSON.parse(prompt.slice(prompt.indexOf('{'), prompt.indexOf('</recovery_packet>'))).packet_id;
note(JSON.parse(mission('packet', 'resolve', packet, '--outcome', 'retry-repair')));
note(await ask({ tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x', packet_id: 'other' }));`,
    );
    const [byCommand, other] = bed.notes() as { accepted?: boolean; code: string }[];
    assert.deepEqual([byCommand?.accepted, byCommand?.code, other?.code], [false, 'NON_COMPLIANT', 'NON_COMPLIANT']);
    assert.match(id, /^cli-/);
  });

  it('command files that a worker leaves while a session runs end no session: its decision counts', async () => {
    bed.plays(
      `if (attempt === 1) process.exit(1); fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a.txt', 'x'); end('done', 'docs/out/a.txt');`,
      `note('waits'); while (!fs.existsSync(NOTES + '.go')) await wait(50); note(await choose('retry-repair'));`,
    );
    const running = bed.start('run', bed.agentPlan('left'), '--orchestrator', 'claude', ...bed.claudeOptions);
    await until(() => bed.noted());
    const id = await bed.missionId();
    const gone = { pid: running.child.pid ?? 0, start_time: '1', boot_id: 'x' };
    // Other systems do not say which process holds a file open.
    const living = process.platform === 'linux' ? [await identityOf(process.pid)] : [];
    const senders = [undefined, gone, ...living].filter((sender) => sender !== null);
    const left = [{ type: 'StopTask', task_id: 'T1' }, { type: 'PauseMission' }, { type: 'CancelMission' }].flatMap(
      (command) => senders.map((sender) => leaveCommand(bed, id, command, sender)),
    );
    for (const file of left) {
      const answer = await until(() => bed.exists(file) && (JSON.parse(bed.read(file)) as { readonly code: string }));
      assert.equal(answer.code, 'NON_COMPLIANT');
    }
    bed.letGo();
    const { code, json, stdout, stderr } = await running.ended;
    assert.deepEqual([code, json.status], [0, 'completed'], stdout + stderr);
    assert.equal((await bed.endEvent(id))?.result.kind, 'applied');
  });

  it('the token of a session that has ended opens nothing', async () => {
    const file = path.join(bed.scratch, 'stolen');
    const id = await staysBlocked(
      'stolen',
      `fs.writeFileSync(${JSON.stringify(file)}, JSON.stringify([dir, signed({ tool: 'choose_outcome', outcome: 'retry-repair', reason: 'x' })]));`,
    );
    const [dir, message] = JSON.parse(readFileSync(file, 'utf8')) as [string, { id: string }];
    const late = path.join(dir, 'work/outbox', `${message.id}.json`);
    writeFileSync(late, JSON.stringify(message));
    const again = await bed.withClaude('resume', id, '--by', 'Ada', '--reason', 'look');
    assert.equal(again.json.accepted, false);
    assert.ok(existsSync(late));
    assert.equal((await bed.mission('status', id)).json.missions[0]?.status, 'blocked');
  });
});

/** @returns the answer's file */
function leaveCommand(bed: OrchestratorBed, mission_id: string, command: object, sender: object | undefined): string {
  const id = randomUUID();
  const file = {
    ...{ schema_version: '1.0.0', id, mission_id, command, actor: { kind: 'human', name: 'Ada' }, reason: 'x' },
    ...{ expected_seq: null, from_worker: false, ...(sender && { sender }), token_sha256: null },
    sent_at: new Date().toISOString(),
  };
  bed.write(`.mission-control/inbox/.${id}.tmp`, JSON.stringify(file));
  renameSync(bed.at(`.mission-control/inbox/.${id}.tmp`), bed.at(`.mission-control/inbox/${id}.json`));
  return `.mission-control/inbox/${id}.answer.json`;
}
