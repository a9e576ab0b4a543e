import assert from 'node:assert/strict';
import { evidenceReader } from '../../../src/adapters/evidence/reader';
import type { Actor } from '../../../src/contracts/vocabulary/actors';
import type { EvidenceFindingCode } from '../../../src/contracts/vocabulary/codes/evidenceFindings';
import type { Skipped, TaskEvidence } from '../../../src/contracts/taskEvidence';
import type { MissionEvent } from '../../../src/core/model/events';
import type { JournalFacts } from '../../../src/core/verify/facts';
import { verifyEvidence } from '../../../src/engine/evidence/verify';
import { evidenceSample, missionId, planId, type EvidenceSample, type SampleChanges } from './sample';
import { removeScratch } from '../scratch';

async function assertForged(
  sample: EvidenceSample,
  code: EvidenceFindingCode,
  journal: JournalFacts | null = null,
): Promise<void> {
  const { valid, findings } = await verifyEvidence(evidenceReader(sample.root, planId), journal);
  assert.ok(
    findings.some((finding) => finding.code === code),
    JSON.stringify(findings, null, 1),
  );
  assert.equal(valid, false);
}

describe('evidence of a skipped task', () => {
  afterEach(removeScratch);

  const ada = { kind: 'human', name: 'Ada' } as const;
  const decision = { actor: ada, reason: 'not needed', at: '2026-01-02T03:04:05.000Z' };
  const by: Skipped = { decision, chosen: 'T2' };
  const byOther = (actor: Partial<Actor>): Skipped => ({
    ...by,
    decision: { ...decision, actor: { ...ada, ...actor } },
  });
  const skippedTask =
    (skipped: Skipped | undefined, tasks: readonly string[] = ['T2']): NonNullable<SampleChanges['task']> =>
    (facts) =>
      tasks.includes(facts.task_id) ? { ...facts, status: 'SKIPPED', attempts: [], skipped } : facts;
  const skip: MissionEvent = { type: 'TasksSkipped', task_id: 'T2', task_ids: ['T2'], decision };
  /** The journal of the sample with this decision in it, as sent by this actor. */
  const withSkip = (sample: EvidenceSample, event: MissionEvent, actor: Actor = ada): JournalFacts => ({
    ...sample.journal,
    entries: [
      ...sample.journal.entries,
      ...sample.journal.entries.slice(-1).map((last) => ({ ...last, seq: last.seq + 1, actor, event })),
    ],
  });

  /** Evidence names what skipped tasks leave unchecked. */
  const unchecked: SampleChanges['header'] = (facts) => ({
    ...facts,
    success_criteria: [
      { criterion: 'validator_passes', result: 'met', detail: 'The plan is valid.' },
      { criterion: 'no_scope_violation', result: 'not_machine_checked', detail: 'Not checked for T2.' },
    ],
  });

  it('accepts that a person skipped a task of a completed mission, with the journal and without', async () => {
    const sample = await evidenceSample({ task: skippedTask(by), header: unchecked });
    assert.equal((await verifyEvidence(evidenceReader(sample.root, planId), null)).valid, true);
    const { findings } = await verifyEvidence(evidenceReader(sample.root, planId), withSkip(sample, skip));
    assert.deepEqual(findings, []);
  });

  it('accepts a decision that came with a handoff, and finds another one', async () => {
    const sample = await evidenceSample({ task: skippedTask(by), header: unchecked });
    const imported = (reason: string): MissionEvent => {
      const evidence: TaskEvidence = {
        ...{ contract_version: 'S2-B-06.v1', plan_id: planId, task_id: 'T2', started_at_utc: null },
        skipped: { decision: { ...decision, reason }, chosen: 'T2' },
      };
      const source = {
        ...{ run_id: 'R', mission_id: missionId, handoff: 1, bundle_sha256: 'A'.repeat(64), moved: true },
        ...{ base_commit: null, kept_in: 'handoff/0', decision, bundles: [] },
      };
      const rows = [{ task_id: 'T2', category: null, sha256: null, retry: null, evidence }];
      return { type: 'HandoffImported', source, rows, launches: 0 };
    };
    const runner = { kind: 'runner', name: 'mission-control' } as const;
    const journal = withSkip(sample, imported(decision.reason), runner);
    assert.deepEqual((await verifyEvidence(evidenceReader(sample.root, planId), journal)).findings, []);
    await assertForged(sample, 'JOURNAL_DISAGREES', withSkip(sample, imported('something else'), runner));
  });

  const forgedSkips: readonly [string, NonNullable<SampleChanges['task']>][] = [
    ['by nobody', skippedTask(undefined)],
    ['by an agent', skippedTask(byOther({ kind: 'orchestrator' }))],
    ['by a worker', skippedTask(byOther({ kind: 'worker' }))],
    ['by somebody without a name', skippedTask(byOther({ name: 'none' }))],
    ['with all others', skippedTask(by, ['T1', 'T2'])],
  ];
  for (const [name, task] of forgedSkips) {
    it(`finds a task of a completed mission that was skipped ${name}`, async () => {
      const sample = await evidenceSample({ task, header: unchecked });
      await assertForged(sample, 'STATE_INCONSISTENT');
    });
  }

  it('finds a criterion over all tasks that is recorded as met although one was skipped', async () => {
    await assertForged(await evidenceSample({ task: skippedTask(by) }), 'CRITERIA_INCONSISTENT');
  });

  it('finds a task that succeeded and names who skipped it', async () => {
    await assertForged(await evidenceSample({ task: (facts) => ({ ...facts, skipped: by }) }), 'TASK_STATUS_MISMATCH');
  });

  const untold: readonly [string, MissionEvent, Actor?][] = [
    ['nobody made', { type: 'ExecutionStarted' }],
    ['somebody else made', { ...skip, decision: { ...decision, actor: { ...ada, name: 'Bob' } } }],
    ['was about another task', { ...skip, task_ids: ['T1'] }],
    ['was made at another time', { ...skip, decision: { ...decision, at: '2026-01-02T03:04:06.000Z' } }],
    ['went with another task', { ...skip, task_id: 'T1' }],
    ['no person sent', skip, { kind: 'orchestrator', name: 'Ada' }],
  ];
  for (const [name, event, actor] of untold) {
    it(`finds by the journal that the decision to skip ${name}`, async () => {
      const sample = await evidenceSample({ task: skippedTask(by), header: unchecked });
      await assertForged(sample, 'JOURNAL_DISAGREES', withSkip(sample, event, actor));
    });
  }
});
