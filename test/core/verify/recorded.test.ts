import assert from 'node:assert/strict';
import { executionHeaderSchema } from '../../../src/contracts/record/header';
import { taskEvidenceSchema } from '../../../src/contracts/taskEvidence';
import { checkExecution } from '../../../src/core/verify/execution';
import { differences, recordedFacts } from '../../../src/core/verify/journal';
import { evidenceOf } from '../../scenarios/evidence';
import { play } from '../../scenarios/play';

/** What the digest of its file alone holds together: words, what the world showed, and what other members say as well. */
const byDigest = {
  header: [
    ...['contract_version', 'plan_id', 'goal_id', 'plan_path', 'started_at_utc', 'state', 'host', 'user', 'executor'],
    ...['run_id', 'ended_at_utc', 'status', 'code', 'reason', 'plan_sha256_observed', 'resumed_from', 'supersedes'],
    ...['superseded_by', 'archived', 'moved_aside', 'approved_by', 'approved_at', 'confinement', 'state_history'],
    ...['locked_plan', 'summary', 'tasks', 'milestones', 'success_criteria', 'journal', 'tool', 'not_observed'],
    'header_sha256',
  ],
  task: [
    ...['contract_version', 'plan_id', 'task_id', 'description', 'started_at_utc', 'notes', 'ended_at_utc', 'status'],
    ...['commit_sha', 'start_notes', 'end_notes', 'executor', 'mission_id', 'run_id', 'code', 'reason', 'plan_sha256'],
    ...['plan_sha256_observed', 'worker', 'paths', 'forbidden_paths', 'attempts', 'outstanding', 'metadata_revised'],
    'recovery',
  ],
  attempt: [
    ...[
      'attempt',
      'code',
      'reason',
      'validation',
      'answers',
      'not_landed',
      'merged',
      'launches',
      'changes',
      'not_observed',
      'earlier_work',
    ],
    ...['clock_ahead_ms', 'claim', 'timeout', 'late_result', 'comparison', 'verify', 'acceptance', 'denials'],
    ...['intervention', 'verification', 'checks'],
  ],
};

describe('a fact of the evidence', () => {
  const { mission, entries } = play({ tasks: [{ task_id: 'T1', verify: [['true']] }], script: [] });
  const facts = recordedFacts(entries) ?? assert.fail('no mission');
  const evidence = evidenceOf({ mission, entries }) ?? assert.fail('no evidence');
  const compared = { header: facts.header, task: facts.task('T1'), attempt: facts.attempt('T1', 1) };

  it('follows from the journal, or stands in the list of those that the digest of the file alone holds', () => {
    const { shape } = taskEvidenceSchema;
    const members = {
      header: Object.keys(executionHeaderSchema.shape),
      task: Object.keys(shape),
      attempt: Object.keys(shape.attempts.unwrap().element.shape),
    };
    for (const of of ['header', 'task', 'attempt'] as const)
      assert.deepEqual(
        members[of].filter((name) => !(name in compared[of])),
        byDigest[of],
        of,
      );
  });

  it('is found where the file says another thing, although every digest fits', () => {
    const journal = { entries, chain: { valid: true, first_bad: null } };
    const found = (forged: typeof evidence): readonly string[] =>
      checkExecution(forged, journal).flatMap(({ code, pointer }) => (code === 'JOURNAL_DISAGREES' ? [pointer] : []));
    assert.deepEqual(found(evidence), []);
    const [id, task] = [...evidence.tasks][0] ?? assert.fail('no task');
    const [first] = task.evidence?.attempts ?? [];
    const forgedTask = (members: object): typeof evidence => ({
      ...evidence,
      tasks: new Map([[id, { ...task, evidence: { ...task.evidence, ...members } as typeof task.evidence }]]),
    });
    for (const name of Object.keys(compared.header))
      assert.ok(
        found({ ...evidence, header: { ...evidence.header, [name]: 'forged' } }).includes(`/${name}`),
        `header ${name}`,
      );
    for (const name of Object.keys(compared.task))
      assert.ok(found(forgedTask({ [name]: 'forged' })).includes(`/${name}`), `task ${name}`);
    for (const name of Object.keys(compared.attempt))
      assert.ok(
        found(forgedTask({ attempts: [{ ...first, [name]: 'forged' }] })).includes(`/attempts/0/${name}`),
        `attempt ${name}`,
      );
  });

  it('is compared to its end, member by member, without regard to the case of a digest', () => {
    const long = 'a'.repeat(100);
    const journal = { text: `${long}b`, list: [{ one: 'AB' }], nothing: null };
    assert.deepEqual(differences({ text: `${long}c`, list: [{ one: 'ab', two: 2 }] }, journal, ''), [
      ['/text', `The file says "${'a'.repeat(75)}..."; the journal says "${'a'.repeat(75)}...".`],
    ]);
    assert.deepEqual(
      differences({ text: journal.text, list: [], nothing: {} }, journal, '').map(([pointer]) => pointer),
      ['/list', '/nothing'],
    );
  });

  it('is a decision that the journal has, wherever it stands', () => {
    const journal = { entries, chain: { valid: true, first_bad: null } };
    const decision = { actor: { kind: 'human', name: 'Ada' }, reason: 'mine', at: '2026-01-02T03:04:05.000Z' } as const;
    const header = { ...evidence.header, superseded_by: { plan_id: 'P', plan_sha256: 'A'.repeat(64), decision } };
    assert.deepEqual(
      checkExecution({ ...evidence, header }, journal).map(({ code, pointer }) => [code, pointer]),
      [['JOURNAL_DISAGREES', '/superseded_by/decision']],
    );
  });
});
