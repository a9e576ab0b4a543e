import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvidenceFiles } from '../../../src/adapters/evidence/files';
import { sha256Of } from '../../../src/adapters/files/bytes/sha256';
import { verifyEvidence } from '../../../src/engine/evidence/verify';
import { evidenceReader } from '../../../src/adapters/evidence/reader';
import { planFiles } from '../../../src/adapters/documents/planFiles';
import { headerDocument } from '../../../src/engine/effects/write/writeDocuments';
import { headerPath } from '../../../src/core/evidence/places';
import { orchStart, type OrchPorts } from '../../../src/engine/external/start';
import { orchTask, type OrchTaskRequest } from '../../../src/engine/external/task';
import type { Outcome } from '../../../src/base/outcome';
import { sampleHeader } from '../../core/evidence/sampleFacts';
import { must, put } from './sample';
import { removeScratch, scratch } from '../scratch';

const planId = 'RGPT-S2-B-04-001';
const planPath = `docs/plans/PLAN_${planId}.json`;
const folder = `docs/ops/executions/${planId}`;

interface World {
  readonly root: string;
  readonly ports: OrchPorts;
  readonly start: () => ReturnType<typeof orchStart>;
  readonly task: (task_id: string, phase: string, values?: Partial<OrchTaskRequest>) => ReturnType<typeof orchTask>;
  readonly json: (name: string) => Promise<Record<string, unknown>>;
}

/** A plan of the contract's own shape, in the byte form its author had: byte-order mark and CRLF. */
async function world(fixture = 'bom-crlf.json', edit: (plan: string) => string = (plan) => plan): Promise<World> {
  const root = await scratch();
  const plan = await readFile(path.join(process.cwd(), `test/fixtures/plans/PLAN_${planId}.${fixture}`), 'utf8');
  await put(root, planPath, edit(plan));
  let seconds = 0;
  const ports: OrchPorts = {
    evidence: createEvidenceFiles({ workspaceRoot: root }),
    plans: planFiles,
    clock: { now: () => new Date(Date.UTC(2026, 0, 2, 3, 4, seconds++)).toISOString(), after: (time) => time },
    head: () => Promise.resolve('0123456789abcdef'),
    missions: () => Promise.resolve([]),
    approvedOtherwise: () => Promise.resolve(null),
  };
  const where = { plan_path: planPath, plan_file: path.join(root, planPath), workspace_dir: root };
  return {
    root,
    ports,
    start: () => orchStart(ports, { ...where, tool: { name: 'mission-control', version: '0.1.0' } }),
    task: (task_id, phase, values = {}) =>
      orchTask(ports, {
        ...where,
        task_id,
        phase,
        status: phase === 'END' ? 'SUCCESS' : null,
        notes: null,
        commit: null,
        ...values,
      }),
    json: async (name) => JSON.parse(await readFile(path.join(root, folder, name), 'utf8')) as Record<string, unknown>,
  };
}

const codeOf = (outcome: Outcome<unknown>): string => (outcome.ok ? 'OK' : outcome.refusal.code);
async function assertValid(root: string): Promise<void> {
  const verdict = await verifyEvidence(evidenceReader(root, planId), null);
  assert.equal(verdict.valid, true, JSON.stringify(verdict.findings, null, 1));
}

describe('orch start and orch task', () => {
  afterEach(removeScratch);

  it("lock a plan in the contract's own form and record it to the end; the evidence verifies at every step", async () => {
    const { root, start, task, json } = await world();
    const header = must(await start()).document;
    const bytes = await readFile(path.join(root, planPath));
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assert.equal(header.plan_sha256, sha256Of(bytes));
    assert.deepEqual(await readFile(path.join(root, folder, 'PLAN.locked.json')), bytes);
    assert.deepEqual([header.state, header.executor, header.host], ['LOCKED', 'external', undefined]);
    await assertValid(root);
    must(await task('T1', 'START', { notes: 'begin' }));
    await assertValid(root);
    assert.equal((await json('EXECUTION_HEADER.json'))['state'], 'EXECUTING');
    const ended = must(await task('T1', 'END', { notes: 'finished', commit: 'abcdef1' })).document;
    assert.deepEqual(
      [
        ended.status,
        ended.started_at_utc === null,
        ended.start_notes,
        ended.end_notes,
        ended.commit_sha,
        (ended.description ?? '') !== '',
      ],
      ['SUCCESS', false, 'begin', 'finished', 'abcdef1', true],
    );
    await assertValid(root);
    must(await task('T2', 'START'));
    const last = must(await task('T2', 'END'));
    assert.equal(last.document.commit_sha, '0123456789abcdef');
    assert.deepEqual(
      [last.header.document.state, last.header.document.outcome, last.header.document.status],
      ['REPORTED', 'COMPLETED', 'completed'],
    );
    assert.equal(last.header.sha256, sha256Of(await readFile(path.join(root, last.header.path))));
    assert.equal(
      last.header.document.success_criteria?.filter((entry) => entry.result === 'not_machine_checked').length,
      2,
    );
    await assertValid(root);
  });

  it('a failed task fails the execution: the rest is SKIPPED and nothing starts', async () => {
    const { root, start, task, json } = await world();
    must(await start());
    must(await task('T1', 'START'));
    const failed = must(await task('T1', 'END', { status: 'FAILED', notes: 'broke' }));
    assert.deepEqual(
      [failed.header.document.state, failed.header.document.outcome, failed.header.document.code],
      ['REPORTED', 'FAILED', 'TASK_FAILED'],
    );
    assert.equal((await json('TASK_T2.json'))['status'], 'SKIPPED');
    assert.equal(codeOf(await task('T2', 'START')), 'TASK_FINISHED');
    assert.equal(codeOf(await start()), 'MISSION_CLOSED');
    await assertValid(root);
  });

  it('a skipped task does not complete the execution', async () => {
    const { root, start, task } = await world();
    must(await start());
    must(await task('T1', 'START'));
    must(await task('T1', 'END', { status: 'SKIPPED', notes: 'not needed' }));
    must(await task('T2', 'START'));
    assert.equal(must(await task('T2', 'END')).header.document.outcome, 'FAILED');
    await assertValid(root);
  });

  it('refuse what the original tools accept: an end without a start, repeats, a wrong order', async () => {
    const { start, task, json } = await world();
    assert.equal(codeOf(await task('T1', 'START')), 'EVIDENCE_MISSING');
    must(await start());
    assert.equal(codeOf(await start()), 'MISSION_OPEN');
    assert.equal(codeOf(await task('T1', 'END')), 'TASK_NOT_RUNNING');
    assert.equal(codeOf(await task('T2', 'START')), 'TASK_OUT_OF_ORDER');
    must(await task('T1', 'START', { notes: 'first' }));
    const before = await json('TASK_T1.json');
    assert.equal(codeOf(await task('T1', 'START', { notes: 'second' })), 'TASK_OUT_OF_ORDER');
    assert.equal(codeOf(await task('T2', 'START')), 'TASK_OUT_OF_ORDER');
    assert.deepEqual(await json('TASK_T1.json'), before);
    must(await task('T1', 'END'));
    assert.equal(codeOf(await task('T1', 'END', { status: 'FAILED' })), 'TASK_FINISHED');
    assert.equal(codeOf(await task('T1', 'START')), 'TASK_FINISHED');
    assert.equal((await json('TASK_T1.json'))['status'], 'SUCCESS');
    assert.equal(codeOf(await task('T9', 'START')), 'TASK_UNKNOWN');
  });

  it('refuse malformed requests', async () => {
    const { start, task } = await world();
    must(await start());
    for (const [id, phase, values] of [
      ['../T1', 'START', {}],
      ['T1', 'BEGIN', {}],
      ['T1', 'START', { status: 'SUCCESS' }],
      ['T1', 'END', { status: null }],
      ['T1', 'END', { status: 'DONE' }],
      ['T1', 'END', { commit: 'HEAD; rm' }],
      ['T1', 'START', { notes: 'x'.repeat(20_001) }],
    ] as const) {
      assert.equal(codeOf(await task(id, phase, values)), 'COMMAND_INVALID');
    }
    for (const plan_path of ['PLAN_x.json', 'docs/plans/PLAN_../x.json', 'docs/plans/../PLAN_x.json']) {
      assert.equal(codeOf(await task('T1', 'START', { plan_path })), 'PLAN_MISPLACED');
    }
  });

  it('check the hash at each call: a changed plan starts nothing, ends nothing well, and its failure is recorded', async () => {
    const { root, start, task } = await world();
    must(await start());
    must(await task('T1', 'START'));
    const file = path.join(root, planPath);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('\r\n', '\n'));
    assert.equal(codeOf(await start()), 'PLAN_ID_REUSED');
    assert.equal(codeOf(await task('T1', 'END')), 'PLAN_HASH_MISMATCH');
    const failed = must(await task('T1', 'END', { status: 'FAILED' }));
    assert.equal(failed.document.plan_sha256_observed, sha256Of(await readFile(file)));
    assert.deepEqual(
      [failed.header.document.code, failed.header.document.plan_sha256_observed],
      ['PLAN_HASH_MISMATCH', sha256Of(await readFile(file))],
    );
    await assertValid(root);
  });

  it('a changed plan does not start the next task', async () => {
    const { root, start, task } = await world();
    must(await start());
    await rm(path.join(root, planPath));
    assert.equal(codeOf(await task('T1', 'START')), 'PLAN_HASH_MISMATCH');
  });

  it('refuse an invalid or misplaced plan before anything is written', async () => {
    const invalid = await world('json', (plan) => plan.replace('"APPROVED"', '"DRAFT"'));
    assert.equal(codeOf(await invalid.start()), 'PLAN_INVALID');
    const misplaced = await world('json', (plan) => plan.replaceAll(planId, 'OTHER-1'));
    assert.equal(codeOf(await misplaced.start()), 'PLAN_MISPLACED');
    for (const { ports } of [invalid, misplaced]) {
      assert.deepEqual(
        [await ports.evidence.existing(planId), await ports.evidence.existing('OTHER-1')],
        [{ kind: 'none' }, { kind: 'none' }],
      );
    }
  });

  it('change no evidence of a mission that the runner made', async () => {
    const { root, ports, start, task } = await world();
    const where = { plan_path: planPath, plan_file: path.join(root, planPath), workspace_dir: root };
    const owned: OrchPorts = { ...ports, missions: () => Promise.resolve([{ mission_id: 'M1', plan_id: planId }]) };
    const tool = { name: 'mission-control', version: '0.1.0' };
    assert.equal(codeOf(await orchStart(owned, { ...where, tool })), 'MISSION_ACTIVE');
    assert.deepEqual(await ports.evidence.existing(planId), { kind: 'none' });
    must(await ports.evidence.write(headerPath(planId), headerDocument(sampleHeader({ plan_id: planId }))));
    assert.equal(codeOf(await start()), 'MISSION_ACTIVE');
    assert.equal(codeOf(await task('T1', 'START')), 'MISSION_ACTIVE');
  });

  it('overwrite no file that differs from what was recorded', async () => {
    for (const [name, spoil] of [
      ['EXECUTION_HEADER.json', (text: string) => text.replace('EXECUTING', 'LOCKED')],
      ['PLAN.locked.json', (text: string) => `${text} `],
      ['TASK_T1.json', (text: string) => text.replace('SUCCESS', 'SKIPPED')],
    ] as const) {
      const { root, start, task } = await world();
      must(await start());
      must(await task('T1', 'START'));
      must(await task('T1', 'END'));
      const file = path.join(root, folder, name);
      await writeFile(file, spoil(await readFile(file, 'utf8')));
      assert.equal(codeOf(await task('T2', 'START')), 'EVIDENCE_INVALID', name);
    }
  });

  for (const phase of ['START', 'END'] as const) {
    it(`complete a ${phase} that a crash cut between the task file and the header`, async () => {
      const { root, start, task, json } = await world();
      must(await start());
      if (phase === 'END') must(await task('T1', 'START'));
      const file = path.join(root, folder, 'EXECUTION_HEADER.json');
      const before = await readFile(file);
      must(await task('T1', phase, { notes: 'kept' }));
      const recorded = await json('TASK_T1.json');
      await writeFile(file, before);
      must(await task('T1', phase, { notes: 'not taken' }));
      assert.deepEqual(await json('TASK_T1.json'), recorded);
      await assertValid(root);
      if (phase === 'START') must(await task('T1', 'END'));
      must(await task('T2', 'START'));
      must(await task('T2', 'END'));
      await assertValid(root);
    });
  }
});
