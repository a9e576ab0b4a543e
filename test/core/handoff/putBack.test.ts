import assert from 'node:assert/strict';
import { observedChanges } from '../../../src/core/handoff/bundle';
import { evidenceProblem, handedOutputs } from '../../../src/core/handoff/import';
import { changeContradictions } from '../../../src/core/verify/consistency';
import { play } from '../../scenarios/play';
import { handedOver } from '../../scenarios/takenOver';

describe('a handoff of a mission in which a change was put back', () => {
  const { mission, entries } = play({
    tasks: [
      { task_id: 'T1', verify: [['a']] },
      { task_id: 'T2', depends_on: ['T1'] },
    ],
    world: {
      'T1#1': { verify_changes: ['README.md'], known: { 'README.md': 'tracked' } },
      'T1#2': { back: ['README.md'] },
      'T2#1': { end: { exit_code: 7 }, changes: ['src/b.ts'] },
    },
    script: [{ at: 'idle', command: { type: 'RetryTask', task_id: 'T1' } }],
  });
  const observed = observedChanges(mission.rows);
  const changes = observed.map(({ task_id, path, sha256 }) => ({
    task_id,
    path,
    before_sha256: null,
    sha256,
    in_diff: true,
    why: null,
  }));
  const { bundle, given, rows } = handedOver({ mission, entries }, { changes });

  it('names it neither as changed nor as an output, and its evidence agrees', () => {
    assert.deepEqual(
      mission.rows.map(({ status }) => status),
      ['done', 'blocked'],
    );
    assert.deepEqual(
      observed.map(({ path }) => path),
      ['src/a.ts', 'src/b.ts'],
    );
    assert.deepEqual(
      handedOutputs(rows, given).map(({ task_id, path }) => [task_id, path]),
      [['T1', 'src/a.ts']],
    );
    assert.equal(evidenceProblem(bundle, given, rows), null);
  });

  it('names nothing of what lies there as before the tasks, and is still taken', () => {
    const rest = changes.filter(({ path }) => path !== 'src/a.ts');
    const without = handedOver({ mission, entries }, { changes: rest });
    assert.deepEqual(handedOutputs(rows, without.given), []);
    assert.equal(evidenceProblem(without.bundle, without.given, rows), null);
  });

  it('does not hold that a change after it was put back is settled', () => {
    const evidence = rows[0]?.evidence;
    assert.ok(evidence);
    const last = evidence.attempts!.at(-1)!;
    const of = (before: string, after: string): readonly unknown[] =>
      changeContradictions({
        ...evidence,
        attempts: [
          {
            ...last,
            verify_changes: undefined,
            changes: [
              {
                ...{ path: 'README.md', kind: 'modified', resolved_path: null, attribution: 'unattributed' },
                ...{ before_sha256: before.repeat(64), after_sha256: after.repeat(64) },
                ...{ in_scope: false, violation: null, detail: null },
              },
            ],
          },
        ],
      });
    assert.deepEqual(of('3', '1'), [], 'it was put back during the attempt');
    assert.match(String(of('1', '2')[0]), /^SUCCESS although no record says that a person accepted README\.md/);
  });
});
