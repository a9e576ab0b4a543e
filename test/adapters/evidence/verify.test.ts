import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createEvidenceFiles } from '../../../src/adapters/evidence/files';
import type { EvidenceFinding } from '../../../src/contracts/vocabulary/codes/evidenceFindings';
import type { JournalFacts } from '../../../src/core/verify/facts';
import { verifyEvidence } from '../../../src/engine/evidence/verify';
import { evidenceReader } from '../../../src/adapters/evidence/reader';
import type { EvidenceFindingCode } from '../../../src/contracts/vocabulary/codes/evidenceFindings';
import type { MissionEvent } from '../../../src/core/model/events';
import {
  evidenceFolder,
  evidenceSample,
  history,
  journalOf,
  missionId,
  must,
  planId,
  put,
  type EvidenceSample,
  type SampleChanges,
} from './sample';
import { removeScratch, scratch } from '../scratch';

const codes = (findings: readonly EvidenceFinding[]): EvidenceFindingCode[] => findings.map((finding) => finding.code);
const errors = (findings: readonly EvidenceFinding[]): EvidenceFindingCode[] =>
  codes(findings.filter((finding) => finding.severity === 'error'));

async function assertFound(
  sample: EvidenceSample,
  code: EvidenceFindingCode,
  journal: JournalFacts | null = null,
): Promise<void> {
  const { valid, findings } = await verifyEvidence(evidenceReader(sample.root, planId), journal);
  const found = findings.find((finding) => finding.code === code);
  assert.ok(found, JSON.stringify(findings, null, 1));
  assert.equal(valid, !findings.some((finding) => finding.severity === 'error'));
  assert.match(found.message, /^.{10,}\.$/s);
  for (const finding of findings) if (finding.code === 'JOURNAL_DISAGREES') assertNamesBoth(finding.message);
}

/** A person reads once what the one says, and what the other. */
function assertNamesBoth(message: string): void {
  assert.match(message, /\bjournal\b/);
  assert.match(message, /\b(?:header|file|summary|evidence)\b/);
  for (const sentence of message.split(/(?<=\.)\s/)) assert.ok(sentence.split(' ').length <= 20, sentence);
}

describe('evidence verify', () => {
  afterEach(removeScratch);

  it('finds nothing in good evidence with its journal, and only the journal missing without', async () => {
    const sample = await evidenceSample();
    assert.deepEqual(await verifyEvidence(evidenceReader(sample.root, planId), sample.journal), {
      valid: true,
      findings: [],
    });
    const alone = await verifyEvidence(evidenceReader(sample.root, planId), null);
    assert.deepEqual([alone.valid, codes(alone.findings)], [true, ['JOURNAL_ABSENT']]);
  });

  it('finds a changed byte anywhere in any file', async () => {
    const sample = await evidenceSample();
    const names = await readdir(path.join(sample.root, evidenceFolder));
    assert.deepEqual(names.sort(), [
      'EXECUTION_HEADER.json',
      'EXECUTION_SUMMARY.md',
      'PLAN.locked.json',
      'TASK_T1.json',
      'TASK_T2.json',
    ]);
    for (const name of names) {
      const good = await readFile(sample.file(name));
      // Every byte of the seal's own line, and a spread over the rest.
      const sealed = good.indexOf('"header_sha256"');
      for (let at = 0; at < good.length; at += sealed >= 0 && at >= sealed - 10 ? 1 : 13) {
        const bad = Buffer.from(good);
        bad[at] = (bad[at] ?? 0) ^ 0x20;
        await writeFile(sample.file(name), bad);
        const { valid } = await verifyEvidence(evidenceReader(sample.root, planId), null);
        assert.equal(
          valid,
          false,
          `${name} byte ${String(at)} (${JSON.stringify(String.fromCharCode(good[at] ?? 0))})`,
        );
      }
      await writeFile(sample.file(name), good);
    }
    assert.equal((await verifyEvidence(evidenceReader(sample.root, planId), null)).valid, true);
  });

  for (const name of ['EXECUTION_HEADER.json', 'EXECUTION_SUMMARY.md', 'PLAN.locked.json', 'TASK_T1.json']) {
    it(`finds ${name} gone, appended to, cut short, and made a link`, async () => {
      const sample = await evidenceSample();
      const good = await readFile(sample.file(name));
      for (const content of [null, Buffer.concat([good, Buffer.from('\n')]), good.subarray(0, -1), Buffer.alloc(0)]) {
        if (content === null) await rm(sample.file(name));
        else await writeFile(sample.file(name), content);
        assert.equal((await verifyEvidence(evidenceReader(sample.root, planId), null)).valid, false);
      }
      await writeFile(path.join(sample.root, 'elsewhere'), good);
      await rm(sample.file(name));
      await symlink(path.join(sample.root, 'elsewhere'), sample.file(name));
      await assertFound(sample, 'EVIDENCE_LINKED');
    });
  }

  it('finds a task file that the plan does not have, and only warns of unrelated files', async () => {
    const sample = await evidenceSample();
    await put(sample.root, `${evidenceFolder}/notes.txt`, 'mine');
    const warned = await verifyEvidence(evidenceReader(sample.root, planId), null);
    assert.deepEqual([warned.valid, codes(warned.findings)], [true, ['FILE_UNEXPECTED', 'JOURNAL_ABSENT']]);
    await writeFile(sample.file('TASK_T3.json'), await readFile(sample.file('TASK_T1.json')));
    await assertFound(sample, 'TASK_FILE_UNEXPECTED');
  });

  it('reports as information what changed legitimately since', async () => {
    const sample = await evidenceSample();
    const plan = path.join(sample.root, 'docs/plans/PLAN_P1.json');
    await put(sample.root, 'src/T1.txt', 'edited later\n');
    await rm(path.join(sample.root, 'src/T2.txt'));
    await writeFile(plan, `\uFEFF${(await readFile(plan, 'utf8')).replaceAll('\n', '\r\n')}`);
    const first = await verifyEvidence(evidenceReader(sample.root, planId), sample.journal);
    assert.deepEqual(
      [first.valid, codes(first.findings)],
      [true, ['PLAN_CHANGED_SINCE', 'OUTPUT_CHANGED_SINCE', 'OUTPUT_CHANGED_SINCE']],
    );
    assert.match(first.findings[0]?.message ?? '', /only line ends/);
    await writeFile(plan, '{}');
    assert.match(
      (await verifyEvidence(evidenceReader(sample.root, planId), null)).findings[0]?.message ?? '',
      /its content changed/,
    );
    await rm(plan);
    await assertFound(sample, 'PLAN_FILE_MISSING');
  });

  it('does not follow paths in the evidence out of the workspace', async () => {
    const sample = await evidenceSample({
      header: (facts) => ({ ...facts, plan_path: '../../etc/passwd' }),
      task: (facts) => ({
        ...facts,
        attempts: facts.attempts.map((attempt) => ({
          ...attempt,
          changes: attempt.changes.map((change) => ({ ...change, path: '../secret' })),
        })),
      }),
    });
    const { findings } = await verifyEvidence(evidenceReader(sample.root, planId), null);
    assert.deepEqual(codes(findings), ['PLAN_FILE_MISSING', 'OUTPUT_CHANGED_SINCE', 'JOURNAL_ABSENT']);
  });

  const inconsistent: readonly [string, EvidenceFindingCode, SampleChanges][] = [
    ['COMPLETED with a failed task', 'STATE_INCONSISTENT', { task: (facts) => ({ ...facts, status: 'FAILED' }) }],
    [
      'COMPLETED with an unmet criterion',
      'CRITERIA_INCONSISTENT',
      { header: (facts) => ({ ...facts, success_criteria: [{ criterion: 'c', result: 'unmet', detail: 'd' }] }) },
    ],
    ['COMPLETED and cancelled', 'STATE_INCONSISTENT', { header: (facts) => ({ ...facts, cancelled: true }) }],
    [
      'COMPLETED with a changed plan',
      'STATE_INCONSISTENT',
      { header: (facts) => ({ ...facts, plan_sha256_observed: 'A'.repeat(64) }) },
    ],
    [
      'an outcome before the end',
      'STATE_INCONSISTENT',
      {
        header: (facts) => ({
          ...facts,
          state: 'EXECUTING',
          state_history: history('RECEIVED', 'VALIDATED', 'LOCKED', 'EXECUTING'),
        }),
      },
    ],
    ['an end without an outcome', 'STATE_INCONSISTENT', { header: (facts) => ({ ...facts, outcome: null }) }],
    [
      'EXECUTING without LOCKED',
      'STATE_INCONSISTENT',
      {
        header: (facts) => ({
          ...facts,
          state_history: history('RECEIVED', 'VALIDATED', 'EXECUTING', 'EVIDENCED', 'COMPLETED', 'REPORTED'),
        }),
      },
    ],
    [
      'an end without EXECUTING',
      'STATE_INCONSISTENT',
      {
        header: (facts) => ({
          ...facts,
          state_history: history('RECEIVED', 'VALIDATED', 'LOCKED', 'EVIDENCED', 'COMPLETED', 'REPORTED'),
        }),
      },
    ],
    [
      'COMPLETED not through EVIDENCED',
      'STATE_INCONSISTENT',
      {
        header: (facts) => ({
          ...facts,
          state_history: history('RECEIVED', 'VALIDATED', 'LOCKED', 'EXECUTING', 'COMPLETED', 'REPORTED'),
        }),
      },
    ],
    [
      'a status that contradicts the outcome',
      'STATE_INCONSISTENT',
      { header: (facts) => ({ ...facts, status: 'running' }) },
    ],
    [
      'FAILED without a reason',
      'STATE_INCONSISTENT',
      {
        header: (facts) => ({
          ...facts,
          outcome: 'FAILED',
          status: 'failed',
          state_history: history('RECEIVED', 'VALIDATED', 'LOCKED', 'EXECUTING', 'EVIDENCED', 'FAILED', 'REPORTED'),
        }),
      },
    ],
    [
      'a task missing in the header',
      'STATE_INCONSISTENT',
      { header: (facts) => ({ ...facts, tasks: facts.tasks.slice(1) }) },
    ],
    [
      'a task without a digest',
      'TASK_DIGEST_MISSING',
      { header: (facts) => ({ ...facts, tasks: facts.tasks.map((task) => ({ ...task, evidence_sha256: null })) }) },
    ],
    [
      'another status in the header',
      'TASK_STATUS_MISMATCH',
      { header: (facts) => ({ ...facts, tasks: facts.tasks.map((task) => ({ ...task, status: 'SKIPPED' })) }) },
    ],
    [
      'SUCCESS after a HALT',
      'TASK_STATUS_MISMATCH',
      { task: (facts) => ({ ...facts, attempts: facts.attempts.map((attempt) => ({ ...attempt, outcome: 'HALT' })) }) },
    ],
    [
      'SUCCESS with a failed verify',
      'TASK_STATUS_MISMATCH',
      {
        task: (facts) => ({
          ...facts,
          attempts: facts.attempts.map((attempt) => ({
            ...attempt,
            verify: attempt.verify.map((check) => ({ ...check, passed: false })),
          })),
        }),
      },
    ],
    [
      'SUCCESS with a scope violation',
      'TASK_STATUS_MISMATCH',
      {
        task: (facts) => ({
          ...facts,
          attempts: facts.attempts.map((attempt) => ({
            ...attempt,
            changes: attempt.changes.map((change) => ({ ...change, violation: 'out of scope' })),
          })),
        }),
      },
    ],
    [
      'a second attempt nobody ordered',
      'TASK_STATUS_MISMATCH',
      {
        task: (facts) => ({
          ...facts,
          attempts: facts.attempts.flatMap((attempt) => [attempt, { ...attempt, attempt: 2 }]),
        }),
      },
    ],
    ['evidence of another mission', 'TASK_STATUS_MISMATCH', { task: (facts) => ({ ...facts, mission_id: 'other' }) }],
    [
      'a locked plan of another hash',
      'PLAN_HASH_MISMATCH',
      { header: (facts) => ({ ...facts, plan_sha256: 'B'.repeat(64) }) },
    ],
    ['a header of another plan', 'HEADER_INVALID', { header: (facts) => ({ ...facts, plan_id: 'P1-r2' }) }],
  ];
  for (const [name, code, changes] of inconsistent) {
    it(`finds ${name}, although every digest fits: ${code}`, async () => {
      const sample = await evidenceSample(changes);
      await assertFound(sample, code);
      assert.equal((await verifyEvidence(evidenceReader(sample.root, planId), null)).valid, false);
    });
  }

  it('accepts failed, cancelled and open missions as what they are', async () => {
    const failed = history('RECEIVED', 'VALIDATED', 'LOCKED', 'EXECUTING', 'EVIDENCED', 'FAILED', 'REPORTED');
    const task: SampleChanges['task'] = (facts) => ({ ...facts, status: 'FAILED', code: 'SCOPE_VIOLATION' });
    for (const header of [
      { outcome: 'FAILED', status: 'failed', code: 'SCOPE_VIOLATION', reason: 'outside', state_history: failed },
      { outcome: 'FAILED', status: 'cancelled', cancelled: true, reason: 'Ada cancelled', state_history: failed },
      { outcome: null, status: 'blocked', ended_at: null, state: 'EXECUTING', state_history: failed.slice(0, 4) },
    ] as const) {
      const sample = await evidenceSample({ task, header: (facts) => ({ ...facts, ...header }) });
      const { findings } = await verifyEvidence(evidenceReader(sample.root, planId), null);
      assert.deepEqual(errors(findings), [], JSON.stringify(findings));
      assert.equal(codes(findings).includes('MISSION_OPEN'), header.outcome === null);
    }
  });

  const stories: readonly [string, (events: MissionEvent[]) => void][] = [
    ['another mission', (events) => (events[0] = { ...(events[0] as never as object), mission_id: 'other' } as never)],
    ['another plan hash', (events) => (events[1] = { type: 'PlanLocked', plan_sha256: 'C'.repeat(64) })],
    [
      'another task digest',
      (events) => (events[2] = { ...(events[2] as never as object), sha256: 'C'.repeat(64) } as never),
    ],
    ['another task status', (events) => (events[2] = { ...(events[2] as never as object), status: 'FAILED' } as never)],
    ['a task it never recorded', (events) => events.splice(3, 1, { type: 'ExecutionStarted' })],
    ['another outcome', (events) => (events[4] = { type: 'MissionFailed', code: 'X', reason: 'y', cancelled: true })],
    [
      'another header',
      (events) =>
        (events[5] = { type: 'MissionReported', header_sha256: 'C'.repeat(64), summary_sha256: 'C'.repeat(64) }),
    ],
    ['nothing of it', (events) => events.splice(0)],
    ['an earlier end', (events) => events.splice(4)],
  ];
  for (const [name, change] of stories) {
    it(`finds a journal that records ${name}`, async () => {
      const sample = await evidenceSample();
      const events = sample.journal.entries.map((entry) => entry.event);
      change(events);
      await assertFound(sample, 'JOURNAL_DISAGREES', journalOf(events));
    });
  }

  it('finds files rewritten together with all their digests, by the journal', async () => {
    const sample = await evidenceSample();
    const forged = await evidenceSample({ task: (facts) => ({ ...facts, description: 'Something else was asked' }) });
    assert.equal((await verifyEvidence(evidenceReader(forged.root, planId), null)).valid, true);
    await assertFound(forged, 'JOURNAL_DISAGREES', sample.journal);
  });

  it('finds a broken hash chain and a journal that was cut and regrown', async () => {
    const sample = await evidenceSample();
    await assertFound(sample, 'JOURNAL_CHAIN_BROKEN', { ...sample.journal, chain: { valid: false, first_bad: 3 } });
    const entries = sample.journal.entries.map((entry) => ({ ...entry, hash: 'D'.repeat(64) }));
    await assertFound(sample, 'JOURNAL_DISAGREES', { ...sample.journal, entries });
  });

  it('finds a removed seal, and knows original evidence without one', async () => {
    const sample = await evidenceSample();
    const header = JSON.parse(await readFile(sample.file('EXECUTION_HEADER.json'), 'utf8')) as Record<string, unknown>;
    delete header['header_sha256'];
    await writeFile(sample.file('EXECUTION_HEADER.json'), JSON.stringify(header, null, 2));
    await assertFound(sample, 'HEADER_SEAL_MISSING');

    const original = {
      contract_version: 'S2-B-06.v1',
      plan_id: planId,
      goal_id: 'G',
      plan_path: 'docs/plans/PLAN_P1.json',
      plan_sha256: header['plan_sha256'],
      started_at_utc: '2025-12-21T15:23:08Z',
      state: 'LOCKED',
      host: 'H',
      user: 'U',
    };
    await rm(sample.file('PLAN.locked.json'));
    await writeFile(sample.file('EXECUTION_HEADER.json'), JSON.stringify(original));
    const { valid, findings } = await verifyEvidence(evidenceReader(sample.root, planId), null);
    assert.deepEqual([valid, codes(findings)], [true, ['EVIDENCE_UNSEALED', 'JOURNAL_ABSENT']]);
    await put(sample.root, 'docs/plans/PLAN_P1.json', '{}');
    await assertFound(sample, 'PLAN_HASH_MISMATCH');
  });

  it('answers with a finding for anything that is not evidence', async () => {
    const root = await scratch();
    for (const id of ['none', '../../etc', '', 'a/b', 'x..y', '\0', 'a'.repeat(500)]) {
      const { valid, findings } = await verifyEvidence(evidenceReader(root, id), null);
      assert.equal(valid, false);
      assert.ok(['PLAN_ID_INVALID', 'EVIDENCE_NONE'].includes(findings[0]?.code ?? ''), id);
    }
    for (const content of ['', '[]', 'null', '{"plan_id":1}', '{'.repeat(100_000), '\xff\xfe']) {
      await put(root, `${evidenceFolder}/EXECUTION_HEADER.json`, content);
      assert.equal((await verifyEvidence(evidenceReader(root, planId), null)).valid, false);
    }
    await rm(path.join(root, evidenceFolder), { recursive: true });
    await mkdir(path.join(root, `${evidenceFolder}/EXECUTION_HEADER.json`), { recursive: true });
    assert.equal((await verifyEvidence(evidenceReader(root, planId), null)).valid, false);
  });

  it('reads nothing through a linked evidence folder', async () => {
    const sample = await evidenceSample();
    await rename(path.join(sample.root, evidenceFolder), path.join(sample.root, 'moved'));
    await symlink(path.join(sample.root, 'moved'), path.join(sample.root, evidenceFolder));
    await assertFound(sample, 'EVIDENCE_LINKED');
  });

  it('finds nothing after evidence is archived and written again', async () => {
    const sample = await evidenceSample();
    must(await createEvidenceFiles({ workspaceRoot: sample.root }).archive(planId, missionId));
    await assertFound(sample, 'EVIDENCE_MISSING');
  });
});
