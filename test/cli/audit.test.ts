import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../src/base/sha256';
import { invocationFields } from '../support/invocationFields';
import type { InvocationRecord } from '../../src/contracts/audit';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import type { AuditFinding } from '../../src/contracts/vocabulary/codes/auditFindings';
import { AgentBed } from './agentBed';
import { decision } from './cliBed';

/** `mission audit export|verify` on real missions of a program that speaks as Claude Code does. */
describe('the audit log of a mission', function () {
  this.timeout(180_000);
  let bed: AgentBed;
  beforeEach(() => (bed = new AgentBed(['d1'])));
  afterEach(() => bed.dispose());

  /** Denied once, then done: two invocations. */
  async function twoInvocations(): Promise<string> {
    bed.speaks(`
      const place = ${JSON.stringify(bed.place('d1'))};
      if (!added.includes(place)) { denied(path.join(place, 'note.txt')); end('blocked'); return; }
      fs.mkdirSync('docs/out', { recursive: true });
      fs.writeFileSync('docs/out/done.txt', 'x');
      end('done', 'docs/out/done.txt');`);
    const recovery = { allow: ['add_directory'], directories: ['../outside/d1'] };
    const run = await bed.withClaude('run', bed.agentPlan('twice', { recovery }));
    assert.equal(run.code, 0, run.stdout + run.stderr);
    return run.json.mission_id;
  }

  async function recordsOf(mission: string): Promise<readonly InvocationRecord[]> {
    const events = await bed.events(mission);
    return events.flatMap((event) => (event.type === 'InvocationRecorded' ? [event.record] : []));
  }

  it('has one record with 18 fields for each launch, counted; exported it holds alone, in another folder too', async () => {
    const mission = await twoInvocations();
    const records = await recordsOf(mission);
    for (const record of records) assert.deepEqual(Object.keys(record), [...invocationFields]);
    assert.deepEqual(
      records.map(({ call_index, result, role, intent, task_id }) => [call_index, result, role, intent, task_id]),
      [
        [1, 'retry', 'executor', 'code_generation', 'T1'],
        [2, 'success', 'executor', 'code_generation', 'T1'],
      ],
    );
    assert.match(records[0]?.failure_reason ?? '', /^SANDBOX_ERROR: /);
    const verified = await bed.mission('audit', 'verify', 'twice');
    assert.deepEqual([verified.code, verified.json.valid, verified.json.first_bad], [0, true, null], verified.stdout);
    const file = path.join(bed.scratch, 'log.jsonl');
    assert.equal((await bed.mission('audit', 'export', mission, '--out', file)).code, 0);
    assert.equal((await bed.mission('audit', 'export', mission, '--out', file)).json.code, 'FILE_UNWRITABLE');
    const printed = await bed.mission('audit', 'export', mission);
    assert.equal(`${printed.json.lines.join('\n')}\n`, readFileSync(file, 'utf8'));
    const elsewhere = bed.spawn(process.execPath, [path.resolve('dist/cli.js'), 'audit', 'verify', file, '--json'], {
      cwd: bed.scratch,
    });
    const alone = await elsewhere.ended;
    assert.deepEqual([alone.code, alone.json.valid], [0, true], alone.stdout + alone.stderr);
    assert.match(alone.stderr, /no journal here to compare it with.*closing_sha256/);
    const here = await bed.mission('audit', 'verify', file);
    assert.match(here.stderr, /journal of this workspace has the same/);
  });

  it('exported is held against the journal where that is: one that was made anew is found, an earlier one holds', async () => {
    bed.speaks(`fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a', 'x'); end('failed');`);
    const { mission_id } = (await bed.withClaude('run', bed.agentPlan('kept'))).json;
    const early = path.join(bed.scratch, 'early.jsonl');
    await bed.mission('audit', 'export', mission_id, '--out', early);
    bed.speaks(`fs.writeFileSync('docs/out/a', 'y'); end('done', 'docs/out/a');`);
    assert.equal((await bed.withClaude('retry', mission_id, 'T1', ...decision)).code, 0);
    assert.equal((await bed.mission('audit', 'verify', early)).code, 0);
    const [head = ''] = readFileSync(early, 'utf8').split('\n');
    // Without its attempts, and as if it had gone on from the closing of the first: both name the true hash.
    const closing = (await bed.events('kept')).find((event) => event.type === 'PhaseCompleted' && event.closing);
    assert.ok(closing?.type === 'PhaseCompleted' && closing.closing);
    for (const forged of [head, head.replace('0'.repeat(64), closing.closing.sha256), head.replace('"kept"', '"k"')]) {
      const text = `${forged}\n`;
      writeFileSync(early, `${text}${JSON.stringify({ kind: 'end', records: 0, sha256: sha256(text) })}\n`);
      const { code, json } = await bed.mission('audit', 'verify', early);
      assert.deepEqual([code, json.findings.map((found) => found.code)], [1, ['AUDIT_FILE_CHANGED']], forged);
    }
  });

  it('exported is read as the bytes that it is', async () => {
    const mission = await twoInvocations();
    const file = path.join(bed.scratch, 'log.jsonl');
    await bed.mission('audit', 'export', mission, '--out', file);
    const [from, cut] = ['\ufffd', Buffer.from([0xef, 0xbf])] as const;
    // Of three bytes that stand for a character that was none, two read as the same.
    const whole = Buffer.from(readFileSync(file, 'utf8').replace('"retry"', `"${from}"`));
    const at = whole.indexOf(from);
    writeFileSync(file, Buffer.concat([whole.subarray(0, at), cut, whole.subarray(at + 3)]));
    const { code, json } = await bed.mission('audit', 'verify', file);
    assert.deepEqual([code, json.code], [2, 'FILE_UNREADABLE']);
  });

  it('finds one flipped byte of an export and names its record', async () => {
    const mission = await twoInvocations();
    const file = path.join(bed.scratch, 'log.jsonl');
    await bed.mission('audit', 'export', mission, '--out', file);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"result":"success"', '"result":"succesr"'));
    const unreadable = await bed.mission('audit', 'verify', file);
    assert.equal(unreadable.code, 1);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"result":"succesr"', '"result":"retry"'));
    const changed = await bed.mission('audit', 'verify', file);
    const found = (changed.json.findings as unknown as readonly AuditFinding[]).find(
      ({ code }) => code === 'AUDIT_RECORD_CHANGED',
    );
    assert.deepEqual(
      [changed.code, found?.task_id, found?.attempt, found?.call_index],
      [1, 'T1', 1, 2],
      changed.stdout,
    );
    assert.equal(changed.json.first_bad, found?.place);
  });

  it('finds one flipped byte in the journal and names it; so does the evidence', async () => {
    const mission = await twoInvocations();
    const db = new DatabaseSync(bed.at('.mission-control/state.db'));
    const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
    db.exec(
      `UPDATE entries SET event = replace(event, '"call_index":2', '"call_index":3') WHERE event LIKE '%InvocationRecorded%'`,
    );
    const { seq } = db.prepare(`SELECT seq FROM entries WHERE event LIKE '%"call_index":3%'`).get() as { seq: number };
    for (const { sql } of triggers) db.exec(String(sql));
    db.close();
    const verified = await bed.mission('audit', 'verify', mission);
    const findings = verified.json.findings as unknown as readonly AuditFinding[];
    assert.deepEqual([verified.code, verified.json.first_bad], [1, seq], verified.stdout);
    assert.deepEqual(
      findings
        .filter(({ place }) => place === seq)
        .map(({ code }) => code)
        .sort(),
      ['AUDIT_CALLS_WRONG', 'AUDIT_CHAIN_BROKEN', 'AUDIT_RECORD_CHANGED'],
      verified.stdout,
    );
    const evidence = await bed.mission('evidence', 'verify', 'twice');
    const codes = evidence.json.findings.map(({ code }) => code);
    assert.ok(codes.includes('AUDIT_LOG_BROKEN') && codes.includes('JOURNAL_CHAIN_BROKEN'), evidence.stdout);
  });

  it('is sealed where nothing was started, and stands in the evidence of the task', async () => {
    const plan = bed.agentPlan('missing');
    const run = await bed.mission('run', plan, '--cli', `claude=${path.join(bed.scratch, 'nothing-there')}`);
    assert.equal(run.code, 4, run.stdout);
    bed.speaks(`fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a', 'x'); end('failed');`);
    const failed = await bed.withClaude('run', plan);
    assert.equal(failed.code, 3, failed.stdout + failed.stderr);
    bed.speaks(`fs.writeFileSync('docs/out/a', 'y'); end('done', 'docs/out/a');`);
    const retried = await bed.withClaude('retry', failed.json.mission_id, 'T1', ...decision);
    assert.equal(retried.code, 0, retried.stdout + retried.stderr);
    const records = await recordsOf(failed.json.mission_id);
    assert.deepEqual(
      records.map(({ call_index, result, failure_reason }) => [call_index, result, failure_reason]),
      [
        [1, 'halt', 'the worker claims failed'],
        [2, 'success', null],
      ],
    );
    const { attempts = [] } = JSON.parse(bed.read('docs/ops/executions/missing/TASK_T1.json')) as TaskEvidence;
    assert.ok(
      attempts.every(({ seal }) => seal && seal.records > 8),
      JSON.stringify(attempts.map(({ seal }) => seal)),
    );
    assert.equal((await bed.mission('evidence', 'verify', 'missing')).code, 0);
  });

  it('goes on where the mission goes on: calls are counted on, the first seal follows the last one there', async () => {
    bed.speaks(`fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a', 'x'); end('failed');`);
    const failed = await bed.withClaude('run', bed.agentPlan('moves'));
    assert.equal(failed.code, 3, failed.stdout + failed.stderr);
    const out = path.join(bed.scratch, 'moved');
    assert.equal((await bed.mission('handoff', 'export', 'moves', '--move', '--out', out, ...decision)).code, 0);
    bed.git('add', '-A');
    bed.git('commit', '-q', '-m', 'handed over');
    const there = path.join(bed.scratch, 'there');
    execFileSync('git', ['clone', '-q', bed.root, there]);
    bed.speaks(
      `fs.mkdirSync('docs/out', { recursive: true }); fs.writeFileSync('docs/out/a', 'y'); end('done', 'docs/out/a');`,
    );
    const inThere = (...args: string[]) =>
      bed.spawn(process.execPath, [path.resolve('dist/cli.js'), ...args, '--json'], { cwd: there }).ended;
    const resumed = await inThere('handoff', 'resume', out, ...decision, ...bed.claudeOptions);
    const id = resumed.json.mission.mission_id;
    const retried = await inThere('retry', id, 'T1', ...decision, ...bed.claudeOptions);
    assert.equal(retried.code, 0, `${resumed.stdout}${retried.stdout}${retried.stderr}`);
    const { json } = await inThere('audit', 'export', id);
    const [head = '', ...lines] = json.lines;
    const invocations = lines.filter((line) => line.includes('InvocationRecorded'));
    assert.deepEqual(
      invocations.map((line) => /"call_index":(\d)/.exec(line)?.[1]),
      ['2'],
    );
    const { attempts = [] } = JSON.parse(
      readFileSync(path.join(there, 'docs/ops/executions/moves/TASK_T1.json'), 'utf8'),
    ) as TaskEvidence;
    assert.equal(attempts.length, 2);
    assert.ok(attempts[0]?.seal && head.includes(attempts[0].seal.closing_sha256), head);
    for (const args of [
      ['audit', 'verify', id],
      ['evidence', 'verify', 'moves'],
      ['journal', 'verify', id],
    ])
      assert.equal((await inThere(...args)).code, 0, args.join(' '));
  });
});
