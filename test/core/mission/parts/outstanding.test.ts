import assert from 'node:assert/strict';
import { taskEvidenceSchema, type TaskEvidence } from '../../../../src/contracts/taskEvidence';
import { documentText } from '../../../../src/base/json';
import { observedChanges } from '../../../../src/core/handoff/bundle';
import { taskEvidence } from '../../../../src/core/mission/evidence/taskEvidence';
import { completedReason, successCriteria } from '../../../../src/core/mission/evidence/successCriteria';
import { refusedIfAsked } from '../../../../src/core/mission/commands';
import type { Mission } from '../../../../src/core/model/state';
import { missionView } from '../../../../src/core/view/mission/missionView';
import { nameOfChange } from '../../../../src/core/observation/outstanding';
import { linesOf } from '../../../scenarios/steps';
import { play } from '../../../scenarios/play';
import type { Scenario } from '../../../scenarios/scenario';
import { handedOver, takenOver } from '../../../scenarios/takenOver';

const task = { task_id: 'T1', verify: [['a']] };
const tracked = { known: { 'README.md': 'tracked' } } as const;

function played(world: Scenario['world'], script: Scenario['script'] = []): ReturnType<typeof play> {
  return play({ tasks: [task], world: world ?? {}, script });
}

function evidenceOf(mission: Mission): TaskEvidence {
  const [row] = mission.rows;
  assert.ok(row);
  return taskEvidenceSchema.parse(JSON.parse(documentText(taskEvidence(mission, row, []))));
}

describe('what blocked an attempt', () => {
  it('stands in the evidence with what became of it, and who accepted it why', () => {
    const { mission } = played(
      { 'T1#1': { ...tracked, verify_changes: ['README.md', 'a.cache'], known: tracked.known } },
      [{ at: 'idle', command: { type: 'AcceptChanges', task_id: 'T1', names: ['README.md'] }, reason: 'generated' }],
    );
    const { outstanding = [], attempts = [] } = evidenceOf(mission);
    assert.deepEqual(
      outstanding.map(({ path, settled }) => [
        path,
        settled?.how === 'accepted' ? `${settled.decision.actor.name}: ${settled.decision.reason}` : settled,
      ]),
      [
        ['README.md', 'ada: generated'],
        ['a.cache', null],
      ],
    );
    assert.equal(attempts[0]?.verify_changes?.changes.length, 2);
  });

  it('is accepted as a whole by the names of its folders where it is too much to name', () => {
    const strays = ['README.md', ...Array.from({ length: 65 }, (_, n) => `docs/deep/${n}.md`), '.git/HEAD'];
    const world = { 'T1#1': { changes: ['src/a.ts', ...strays] } };
    const first = played(world).mission;
    const [block] = missionView(first, [], new Map(), true).blocks;
    const step = linesOf(block).find((one) => one.startsWith('mission accept')) ?? '';
    assert.match(step, /^mission accept M T1 \.git\/ README\.md docs\/ --by NAME --reason TEXT$/);
    assert.match(
      block?.details.at(-1) ?? '',
      /^Put back what is listed as it was before attempt 1, or accept all 67 by their folders: mission accept M T1 /,
    );
    const names = step.split(' ').slice(4, 7);
    const { mission } = played({ ...world, 'T1#2': { changes: ['src/a.ts', ...strays] } }, [
      { at: 'idle', command: { type: 'AcceptChanges', task_id: 'T1', names: ['else/'] }, answer: 'CHANGE_UNKNOWN' },
      { at: 'idle', command: { type: 'AcceptChanges', task_id: 'T1', names: ['docs/deep'] }, answer: 'CHANGE_UNKNOWN' },
      { at: 'idle', command: { type: 'AcceptChanges', task_id: 'T1', names }, reason: 'mine' },
      { at: 'idle', command: { type: 'RerunValidation', task_id: 'T1' } },
    ]);
    assert.equal(mission.rows[0]?.status, 'done');
    const accepted = evidenceOf(mission).outstanding?.filter(({ settled }) => settled?.how === 'accepted') ?? [];
    assert.deepEqual(accepted.map(({ path }) => path).sort(), [...strays].sort());
    assert.match(completedReason(mission), / Accepted by ada: \.git\/HEAD, README\.md and 65 more, mine\.$/);
    const [, , , last] = successCriteria(mission);
    assert.match(last?.detail ?? JSON.stringify(successCriteria(mission)), /docs\/deep\/64\.md/);
  });

  it('is refused by what a name is: accepted before, or a folder without its slash', () => {
    const tree = played(
      { 'T1#1': { verify_changes: ['README.md', 'docs/a.md'], known: { ...tracked.known, 'docs/a.md': 'tracked' } } },
      [{ at: 'idle', command: { type: 'AcceptChanges', task_id: 'T1', names: ['README.md'] }, reason: 'generated' }],
    ).mission;
    const reason = (name: string): string | undefined =>
      refusedIfAsked(tree, { type: 'AcceptChanges', task_id: 'T1', names: [name] }, false)?.reason;
    assert.equal(
      reason('README.md'),
      'Not on the list of T1: README.md. On it: docs/a.md. Accepted before: README.md.',
    );
    assert.equal(
      reason('docs'),
      'Not on the list of T1: docs. On it: docs/a.md. A folder is named with its slash: docs/.',
    );
    assert.equal(reason('none'), 'Not on the list of T1: none. On it: docs/a.md.');
  });

  it('leaves no digest in the evidence that the bytes do not have', () => {
    const { mission } = played({ 'T1#1': { verify_changes: ['src/a.ts'] } });
    const changes = evidenceOf(mission).attempts?.[0]?.changes ?? [];
    assert.deepEqual(
      changes.map(({ path, after_sha256, attribution }) => [path, after_sha256, attribution]),
      [['src/a.ts', '3'.repeat(64), 'verify']],
    );
  });

  it('blocks in another clone as well', () => {
    const at = played({ 'T1#1': { ...tracked, verify_changes: ['README.md'] } });
    const { mission: there } = takenOver(handedOver(at), at.mission);
    assert.deepEqual(
      there.rows[0]?.outstanding.map((entry) => [nameOfChange(entry), entry.settled, entry.before_sha256]),
      [['README.md', null, '1'.repeat(64)]],
    );
  });

  it('holds no files that verify commands merely left behind', () => {
    const { mission } = played({ 'T1#1': { verify_changes: ['src/coverage'] } });
    assert.equal(mission.ending?.outcome, 'COMPLETED');
    assert.deepEqual(
      observedChanges(mission.rows).map(({ path }) => path),
      ['src/a.ts'],
    );
  });
});
