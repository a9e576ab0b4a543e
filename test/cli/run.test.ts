import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TaskEvidence } from '../../src/contracts/taskEvidence';
import { CliBed, decision, start } from './cliBed';

/** Everything through `dist/cli.js`, as real processes. */
describe('mission run', () => {
  let bed: CliBed;
  beforeEach(() => (bed = new CliBed()));
  afterEach(() => bed.dispose());

  it('completes the sample plan; its evidence verifies with and without the journal', async () => {
    cpSync(path.resolve('examples'), bed.root, { recursive: true });
    const run = await bed.mission('run', 'docs/plans/PLAN_sample-001.json');
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(
      { ...run.json, mission_id: '' },
      {
        mission_id: '',
        plan_id: 'sample-001',
        state: 'REPORTED',
        status: 'completed',
        reason: 'All tasks are done and the success criteria hold.',
        tasks: ['inventory', 'summary', 'checksums'].map((task_id) => ({
          task_id,
          status: 'done',
          code: null,
          reason: 'verified',
          attempts: 1,
        })),
        evidence_dir: 'docs/ops/executions/sample-001',
        packets: [],
      },
    );
    assert.match(run.json.mission_id, /^sample-001-\d{8}T\d{6}Z-[0-9a-z]{6}$/);

    const verified = await bed.mission('evidence', 'verify', 'sample-001');
    assert.deepEqual([verified.code, verified.json], [0, { valid: true, findings: [] }]);
    const clone = path.join(bed.scratch, 'clone');
    mkdirSync(clone);
    cpSync(bed.at('docs'), path.join(clone, 'docs'), { recursive: true });
    cpSync(bed.at('reports'), path.join(clone, 'reports'), { recursive: true });
    const elsewhere = await bed.mission('evidence', 'verify', 'sample-001', '--workspace', clone);
    assert.equal(elsewhere.code, 0);
    assert.deepEqual(
      elsewhere.json.findings.map(({ code }) => code),
      ['JOURNAL_ABSENT'],
    );

    const header = 'docs/ops/executions/sample-001/EXECUTION_HEADER.json';
    const check = await bed.mission('check', 'header', header);
    assert.equal(check.code, 0, check.stdout);
    const tasks = ['inventory', 'summary', 'checksums'].map((id) => `docs/ops/executions/sample-001/TASK_${id}.json`);
    assert.equal((await bed.mission('check', 'task-evidence', ...tasks)).code, 0);
    bed.write(header, bed.read(header).replace('"completed"', '"cancelled"'));
    assert.equal((await bed.mission('evidence', 'verify', 'sample-001')).code, 1);
  });

  it('fails with SCOPE_VIOLATION when the worker plants a hook, and reverts nothing', async () => {
    const plan = bed.plan('scope', [
      {
        script: `${start}fs.writeFileSync('docs/out/a.txt', 'a'); fs.writeFileSync('.git/hooks/pre-push', 'hijacked\\n');`,
      },
      { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
    ]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 1);
    assert.equal(run.json.code, 'SCOPE_VIOLATION');
    assert.equal(run.json.status, 'failed');
    assert.match(
      run.json.reason,
      /^Task T1 failed: \.git\/hooks\/pre-push changed while task T1 ran\. Only time and place show who changed it\. It fails the mission, because git/,
    );
    assert.match(
      bed.read('docs/ops/executions/scope/EXECUTION_SUMMARY.md'),
      /\.git\/hooks\/pre-push` \| git \| worker, by its time \| changes a git hook.*; observed, not announced \|/,
    );
    const evidence = bed.json('docs/ops/executions/scope/TASK_T1.json');
    assert.equal(evidence.status, 'FAILED');
    assert.equal(evidence.code, 'SCOPE_VIOLATION');
    assert.equal(bed.json('docs/ops/executions/scope/TASK_T2.json').status, 'SKIPPED');
    assert.equal(bed.read('.git/hooks/pre-push'), 'hijacked\n');
    assert.equal((await bed.mission('evidence', 'verify', 'scope')).code, 0);
    const again = await bed.mission('retry', run.json.mission_id, 'T1', ...decision);
    assert.deepEqual([again.code, again.json.code], [2, 'MISSION_CLOSED']);
  });

  it('blocks where nothing shows that the worker wrote out of scope; accepted by name, the result is judged', async () => {
    const plan = bed.plan('doubt', [
      { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a'); fs.writeFileSync('notes.md', 'whose?\\n');` },
    ]);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.status, run.json.code], [3, 'blocked', 'CONCURRENCY_CONFLICT']);
    assert.match(
      run.json.reason,
      /notes\.md changed outside the approved paths while the worker ran\. Nothing shows who/,
    );
    const [packet] = run.json.packets;
    assert.equal((await bed.mission('check', 'recovery-packet', packet!.path)).code, 0);
    assert.match(bed.read(packet!.path), /notes\.md: lies outside the approved paths of the task/);
    assert.match(
      bed.read(packet!.path),
      /Put back what is listed as it was before attempt 1, or accept it by name: mission accept/,
    );
    const id = run.json.mission_id;
    const next = (await bed.mission('status', 'doubt')).stdout;
    for (const way of [/"mission accept [^"]*notes\.md/, /"mission rerun-validation /, /"mission plan revise /])
      assert.match(next, way);
    const early = await bed.mission('rerun-validation', id, 'T1', ...decision);
    assert.equal(early.json.mission.status, 'blocked', 'it has to be put back or accepted first');
    assert.equal((await bed.mission('accept', id, 'T1', 'notes.md', ...decision)).code, 0);
    const judged = await bed.mission('rerun-validation', id, 'T1', ...decision);
    assert.deepEqual([judged.code, judged.json.mission.status], [0, 'completed'], judged.stdout + judged.stderr);
    const { attempts, status } = bed.json('docs/ops/executions/doubt/TASK_T1.json') as unknown as TaskEvidence;
    const [first] = attempts ?? [];
    assert.deepEqual(
      [status, first?.changes.find(({ path: file }) => file === 'notes.md')?.doubt],
      ['SUCCESS', 'lies outside the approved paths of the task'],
    );
    assert.equal((await bed.mission('evidence', 'verify', 'doubt')).code, 0);
    assert.equal((await bed.mission('audit', 'verify', 'doubt')).code, 0);
  });

  it('accuses no worker of a commit in a repository inside the approved paths', async () => {
    bed.write('docs/out/lib/kept.txt', 'kept\n');
    const nested = ['-C', 'docs/out/lib', '-c', 'user.name=n', '-c', 'user.email=n@example.com'];
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '.'],
      ['commit', '-qm', 'first'],
    ])
      bed.git(...nested, ...args);
    const commit = JSON.stringify([...nested, 'commit', '-q', '--allow-empty', '-m', 'second']);
    const plan = bed.plan('nested', [
      {
        script: `${start}fs.writeFileSync('docs/out/a.txt', 'a'); (await import('node:child_process')).execFileSync('git', ${commit});`,
      },
    ]);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.status, run.json.code], [3, 'blocked', 'CONCURRENCY_CONFLICT'], run.stdout);
    assert.match(
      run.json.reason,
      /docs\/out\/lib\/\.git\/ changed in the approved paths while the worker ran\. Git may run what stands there,/,
    );
    assert.match(bed.read(run.json.packets[0]!.path), /docs\/out\/lib\/\.git\/refs\/heads\/main: moves a branch/);
  });

  it('blocks on a failing worker; the packet is valid; a person retries after fixing, and it completes', async () => {
    const plan = bed.plan('fails', [
      {
        script: `${start}if (!fs.existsSync('tools/fixed')) { console.error('nothing is fixed'); process.exit(7); } fs.writeFileSync('docs/out/a.txt', 'a');`,
      },
    ]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3);
    assert.deepEqual([run.json.state, run.json.status, run.json.code], ['EXECUTING', 'blocked', 'ACCEPTANCE_FAILED']);
    const [packet] = run.json.packets;
    assert.deepEqual([packet?.category, packet?.state], ['child_exit_nonzero', 'open']);
    assert.equal(bed.exists('docs/ops/executions/fails/TASK_T1.json'), false);
    const check = await bed.mission('check', 'recovery-packet', packet!.path);
    assert.equal(check.code, 0, check.stdout);
    assert.match(bed.read(packet!.path), /nothing is fixed|"exitCode": 7/);

    const id = run.json.mission_id;
    const resumed = await bed.mission('resume', id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.code], [2, 'PACKET_OPEN']);
    bed.write('tools/fixed', '');
    const retried = await bed.mission('retry', id, 'T1', ...decision);
    assert.equal(retried.code, 0, retried.stderr);
    assert.equal(retried.json.accepted, true);
    assert.equal(retried.json.mission.status, 'completed');
    const evidence = bed.json('docs/ops/executions/fails/TASK_T1.json');
    assert.equal(evidence.attempts.length, 2);
    assert.equal(evidence.attempts[1]!.decided_by.actor.name, 'Grace');
    assert.equal((await bed.mission('evidence', 'verify', 'fails')).code, 0);
  });

  it('blocks when verification fails', async () => {
    const plan = bed.plan('verify', [
      {
        script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');`,
        verify: [['node', '-e', 'console.log("not good"); process.exit(1)']],
      },
    ]);
    const run = await bed.mission('run', plan);
    assert.equal(run.code, 3);
    assert.equal(run.json.packets[0]!.category, 'verification_failed');
    assert.match(bed.read(run.json.packets[0]!.path), /not good/);
  });

  it('refuses to start without the worker CLI of the plan', async () => {
    const plan = bed.plan('missing', [{ worker: 'codex', command: undefined }]);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.code, run.json.status], [4, 'WORKER_MISSING', 'refused']);
    assert.equal(bed.exists('docs/ops'), false);
  });

  it('refuses to start with extra arguments that switch the safety of a worker off, and doctor says so', async () => {
    const agent = path.join(bed.scratch, 'agent');
    writeFileSync(agent, '#!/bin/sh\necho 2.1.0\n', { mode: 0o755 });
    const plan = bed.plan('unsafe', [{ worker: 'gemini', command: undefined }]);
    const settings = [`--cli=gemini=${agent}`, '--cli-arg=gemini=--yolo'];
    const run = await bed.mission('run', plan, ...settings);
    assert.deepEqual(
      [run.code, run.json.code, run.json.status, run.json.mission_id],
      [2, 'NON_COMPLIANT', 'refused', null],
    );
    assert.match(run.json.reason, /--yolo/);
    assert.equal(bed.exists('docs/ops'), false);
    assert.deepEqual((await bed.mission('list')).json.missions, []);
    const doctor = await bed.mission('doctor', ...settings);
    const check = doctor.json.checks.find(({ id }) => id === 'gemini');
    assert.match(JSON.stringify(check), /NON_COMPLIANT.*--yolo.*Take them out of --cli-arg/);
    assert.equal(check?.ok, false);
  });

  it('blocks when the program of a command does not exist', async () => {
    const run = await bed.mission('run', bed.plan('noprogram', [{ command: ['no-such-program-here'] }]));
    assert.deepEqual([run.code, run.json.code, run.json.packets[0]!.category], [3, 'LAUNCH_FAILED', 'launch_failed']);
    assert.match(run.json.reason, /^The worker could not be started: [^\n]*\.$/);
  });

  it('blocks a task, and a verify command, that takes more than its limits as RESOURCE_LIMIT', async () => {
    const many = ['sh', '-c', 'for i in 1 2 3 4 5 6 7 8; do sleep 1000 & done; wait'];
    for (const [name, task] of Object.entries({
      greedy: { command: many },
      checked: { command: ['true'], verify: [many] },
    })) {
      const limits = { processes: 4, memory_mb: 16_384, file_mb: 16_384 };
      const run = await bed.mission('run', bed.plan(name, [task], { limits }));
      assert.deepEqual(
        [run.code, run.json.code, run.json.packets[0]!.category],
        [3, 'RESOURCE_LIMIT', 'resource_limit'],
      );
      assert.match(run.json.reason, /was ended: Its \d+ processes were more than the 4 that execution\.limits allows/);
    }
  });

  it('pauses when the plan is edited while a task runs, and judges what it did once the plan is back', async () => {
    const plan = bed.plan('edited', [
      { script: `${start}${bed.waitAt('go')}`, verify: [['node', '-e', '']] },
      { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
    ]);
    const approved = bed.read(plan);
    const running = bed.start('run', plan);
    await bed.waitsAt('go');
    bed.write(plan, approved.replace('Task T1', 'Another task'));
    bed.open('go');
    const run = await running.ended;
    assert.deepEqual([run.code, run.json.status, run.json.code], [3, 'paused', 'PLAN_HASH_MISMATCH']);
    assert.match(run.json.reason, /`"description": "Another task",` is there now/);
    assert.equal(bed.exists('docs/ops/executions/edited/TASK_T1.json'), false);
    const other = await bed.mission('run', plan);
    assert.deepEqual([other.code, other.json.code], [2, 'MISSION_ACTIVE']);
    assert.match(other.json.reason, /task T1 waits for its approved plan/);
    bed.write(plan, approved);
    const resumed = await bed.mission('resume', run.json.mission_id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stdout);
    assert.equal(bed.json('docs/ops/executions/edited/TASK_T1.json').attempts.length, 1);
    assert.equal((await bed.mission('evidence', 'verify', 'edited')).code, 0);
  });

  it('pauses when the plan is edited while a task is verified, and judges it once the plan is back', async () => {
    const plan = bed.plan('between', [
      { script: `${start}fs.writeFileSync('docs/out/a.txt', 'a');`, verify: [['node', 'tools/edit.mjs']] },
      { script: `${start}fs.writeFileSync('docs/out/b.txt', 'b');` },
    ]);
    const approved = bed.read(plan);
    bed.write('tools/edit.mjs', `import fs from 'node:fs'; fs.appendFileSync(${JSON.stringify(plan)}, ' ');`);
    const run = await bed.mission('run', plan);
    assert.deepEqual([run.code, run.json.status, run.json.code], [3, 'paused', 'PLAN_HASH_MISMATCH']);
    assert.equal(bed.exists('docs/out/b.txt'), false);
    bed.write(plan, approved);
    const resumed = await bed.mission('resume', run.json.mission_id, ...decision);
    assert.deepEqual([resumed.code, resumed.json.mission.status], [0, 'completed'], resumed.stdout);
    assert.equal((await bed.mission('evidence', 'verify', 'between')).code, 0);
  });

  it('blocks on its deadline, and fails instead when the plan says so', async () => {
    const forever = `${start}setInterval(() => {}, 1000);`;
    const blocked = await bed.mission('run', bed.plan('deadline', [{ script: forever, max_runtime_seconds: 1 }]));
    assert.deepEqual(
      [blocked.code, blocked.json.code, blocked.json.packets[0]!.category],
      [3, 'TASK_TIMEOUT', 'task_timeout'],
    );
    const failed = await bed.mission(
      'run',
      bed.plan('strict', [{ script: forever, max_runtime_seconds: 1 }, { script: start }], { on_block: 'fail' }),
    );
    assert.deepEqual([failed.code, failed.json.status, failed.json.code], [1, 'failed', 'TASK_TIMEOUT']);
    assert.equal(bed.json('docs/ops/executions/strict/TASK_T2.json').status, 'SKIPPED');
  });

  it('archives earlier evidence when the same bytes run again, and refuses changed bytes under the same id', async () => {
    const plan = bed.plan('again', [{ script: `${start}fs.writeFileSync('docs/out/a.txt', String(process.pid));` }]);
    const first = await bed.mission('run', plan);
    const second = await bed.mission('run', plan);
    assert.deepEqual([first.code, second.code], [0, 0], second.stderr);
    assert.deepEqual(readdirSync(bed.at('docs/ops/executions/again/archive')), [first.json.mission_id]);
    const held = await bed.mission('evidence', 'verify', 'again');
    assert.deepEqual([held.code, held.json.findings], [0, []]);
    const archived = `docs/ops/executions/again/archive/${first.json.mission_id}/TASK_T1.json`;
    const { archived: named } = bed.json('docs/ops/executions/again/EXECUTION_HEADER.json') as unknown as {
      readonly archived: unknown;
    };
    const before = bed.read(archived.replace('TASK_T1', 'EXECUTION_HEADER'));
    const header_sha256 = createHash('sha256').update(before).digest('hex').toUpperCase();
    assert.deepEqual(named, { mission_id: first.json.mission_id, header_sha256 });
    const kept = bed.read(archived);
    bed.write(archived, `${kept} `);
    const tampered = await bed.mission('evidence', 'verify', 'again', '--no-journal');
    assert.equal(tampered.code, 1);
    assert.match(tampered.stdout, new RegExp(`archive/${first.json.mission_id}/TASK_T1.json`));
    bed.write(archived, kept);
    assert.equal((await bed.mission('evidence', 'verify', 'again')).code, 0);
    const ran = bed.read(plan);
    bed.write(plan, ran.replace('Task T1', 'Another task'));
    const changed = await bed.mission('run', plan);
    assert.deepEqual([changed.code, changed.json.code], [2, 'PLAN_ID_REUSED']);
    const locked = `.mission-control/missions/${second.json.mission_id}/PLAN.locked.json`;
    assert.deepEqual(changed.json.next, [
      `mission plan revise ${second.json.mission_id}`,
      `Or put the bytes back that ran: ${locked} holds them.`,
      'Or give the changed plan a new plan_id and approve it.',
    ]);
    assert.equal(bed.read(locked), ran);
    // The evidence of before in the place of the last one: by itself it holds, the journal knows better.
    const folder = bed.at('docs/ops/executions/again');
    renameSync(folder, path.join(bed.scratch, 'again'));
    renameSync(path.join(bed.scratch, 'again/archive', first.json.mission_id), folder);
    const rolledBack = await bed.mission('evidence', 'verify', 'again');
    assert.equal(rolledBack.code, 1, rolledBack.stdout);
    assert.match(rolledBack.stdout, new RegExp(`JOURNAL_DISAGREES[^}]*${second.json.mission_id}`));
    assert.equal((await bed.mission('evidence', 'verify', 'again', '--no-journal')).code, 0);
  });

  it('refuses what is not a valid plan of this workspace before anything starts', async () => {
    const draft = bed.plan('draft', [{ script: start }], {}, { status: 'DRAFT' });
    const invalid = await bed.mission('run', draft);
    assert.deepEqual(
      [invalid.code, invalid.json.code, invalid.json.findings[0]!.code],
      [1, 'PLAN_INVALID', 'STATUS_NOT_APPROVED'],
    );
    const missing = await bed.mission('run', 'docs/plans/PLAN_none.json');
    assert.deepEqual(
      [missing.code, missing.json.code, missing.json.findings[0]!.code],
      [2, 'FILE_NOT_FOUND', 'FILE_NOT_FOUND'],
    );
    const plan = bed.plan('here', [{ script: start }]);
    bed.write('elsewhere.json', bed.read(plan));
    const misplaced = await bed.mission('run', 'elsewhere.json');
    assert.deepEqual([misplaced.code, misplaced.json.code], [2, 'PLAN_MISPLACED']);
    assert.match(misplaced.json.next[0] ?? '', /If another plan is there, compare the two/);
    const unrecorded = await bed.mission('run', plan, '--require-approval-record');
    assert.deepEqual([unrecorded.code, unrecorded.json.code], [2, 'APPROVAL_RECORD_REQUIRED']);
    assert.equal(bed.exists('docs/ops'), false);
    const refusals = await bed.mission('journal', 'export', 'refusals');
    // A file that is not there is refused before anything is opened.
    assert.equal(refusals.json.lines.length, 3);
  });

  it('runs a plan that was approved here, and says so in the header', async () => {
    const plan = bed.plan(
      'approved',
      [{ script: start, type: 'automation', verify: [['node', '-e', '0']] }],
      {},
      { status: 'DRAFT', approval: { required: true } },
    );
    const before = bed.read(plan);
    const approved = await bed.mission('plan', 'approve', plan, '--by', 'Ada', '--note', 'looked at it', '--yes');
    assert.equal(approved.code, 0, approved.stdout + approved.stderr);
    assert.deepEqual(
      [approved.json.plan_id, approved.json.approved_by, approved.json.recorded],
      ['approved', 'Ada', true],
    );
    assert.equal(bed.read(plan).split('\n')[1], before.split('\n')[1]);
    const run = await bed.mission('run', plan, '--require-approval-record', '--by', 'Ada');
    assert.equal(run.code, 0, run.stderr);
    const header = bed.json('docs/ops/executions/approved/EXECUTION_HEADER.json');
    assert.deepEqual(
      [header.approval_source, header.approved_by, header.plan_sha256],
      ['journal', 'Ada', approved.json.plan_sha256],
    );
  });
});
