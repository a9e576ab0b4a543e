import assert from 'node:assert/strict';
import { mattersOf } from '../../../src/extension/views/attentionItems';
import type { MissionView } from '../../../src/contracts/page/missionView';
import { attention, blockView, completed, failed, liveWorker, missionView } from '../sampleViews';

const question = {
  ...{ text: 'Which one?', choices: [], asked: 1 },
  asked_by: { kind: 'worker', name: 'codex' },
} as const;
const asking = liveWorker({ intervention: { path: 'x.json', missing: ['criteria'] } });
const remembers = {
  ...{ name: 'ARCH/one', decision: 'd', rationale: 'r' },
  ...{ conflict: false, current: null },
};
const goes_on_at = '2026-01-01T14:05:00Z';
const blocked = (changes: Partial<MissionView>): MissionView => missionView({ status: 'blocked', ...changes });

const unmet = { outcome: 'FAILED', code: 'ACCEPTANCE_FAILED', reason: 'Not met: x.', cancelled: false } as const;

describe('what needs a person', () => {
  const cases: readonly (readonly [string, MissionView, readonly string[]])[] = [
    ['nothing while it runs', missionView(), []],
    ['nothing of a pause of a person', missionView({ status: 'paused' }), []],
    ['nothing of an interruption', missionView({ interrupted: true }), []],
    ['nothing of a mission that completed', completed(), []],
    ['a block', blocked({ blocks: [blockView()] }), ['T2 blocked resolveBlocker']],
    [
      'each of two blocks',
      blocked({ blocks: [blockView(), blockView({ packet_id: 'p2', task_id: 'T3', code: 'TASK_TIMEOUT' })] }),
      ['T2 blocked resolveBlocker', 'T3 deadline passed resolveBlocker'],
    ],
    ['nothing of a task that goes on by itself', missionView({ blocks: [blockView({ goes_on_at })] }), []],
    [
      'a block beside a task that goes on by itself',
      blocked({ blocks: [blockView({ packet_id: 'p2', task_id: 'T3', goes_on_at }), blockView()] }),
      ['T2 blocked resolveBlocker'],
    ],
    ['a question', blocked({ blocks: [blockView({ question })] }), ['T2 asks you answerQuestion']],
    [
      'changes to be accepted',
      blocked({ blocks: [blockView({ code: 'NON_COMPLIANT', acceptable: [{ name: 'a', why: 'b' }] })] }),
      ['T2 blocked acceptChange'],
    ],
    [
      'a block that was left, where nothing else is open',
      blocked({ blocks: [blockView({ state: 'left_blocked' })] }),
      ['T2 left blocked resolveBlocker'],
    ],
    [
      'a task that a person stopped',
      blocked({ blocks: [blockView({ stopped: true })] }),
      ['T2 stopped resolveBlocker'],
    ],
    [
      'an incomplete result, once',
      missionView({ status: 'paused', attention: attention('INTERVENTION_REQUIRED'), lanes: [asking] }),
      ['T2 incomplete result completeIntervention'],
    ],
    [
      'what is remembered, once',
      missionView({ attention: attention('ASK_USER'), lanes: [liveWorker({ memory: [remembers] })] }),
      ['T2 what is remembered confirmMemory'],
    ],
    [
      'a mission that the runner stopped, and its block',
      missionView({ status: 'paused', attention: attention('LEDGER_INCONSISTENT'), blocks: [blockView()] }),
      ['p records contradict each other showMissionControl', 'T2 blocked resolveBlocker'],
    ],
    [
      'a halt whose code has no other words',
      missionView({ status: 'paused', attention: attention('PLAN_HASH_MISMATCH') }),
      ['p plan hash mismatch showMissionControl'],
    ],
    [
      'processes that are left',
      missionView({ status: 'paused', attention: attention(null) }),
      ['p processes not proven gone showMissionControl'],
    ],
    ['a block without a packet yet', blocked({}), ['p blocked showMissionControl']],
    ['a failure', failed(), ['p failed: changes outside its paths showMissionControl']],
    ['a failure whose code says no more than its reason', failed({ ending: unmet }), ['p failed showMissionControl']],
    ['no failure that was acknowledged', failed({ acknowledged: true }), []],
  ];
  for (const [what, mission, expected] of cases)
    it(`is ${what}`, () => {
      const matters = mattersOf([mission]);
      const told = matters.map((matter) => `${matter.taskId ?? matter.mission.plan_id} ${matter.what} ${matter.helps}`);
      assert.deepEqual(told, expected);
      assert.equal(matters.length > 0, mission.needs !== null);
      assert.equal(new Set(matters.map(({ key }) => key)).size, matters.length);
    });

  it('lists what stands still before what has ended', () => {
    const matters = mattersOf([failed({ plan_id: 'ended' }), blocked({ plan_id: 'open', blocks: [blockView()] })]);
    assert.deepEqual(
      matters.map(({ mission }) => mission.plan_id),
      ['open', 'ended'],
    );
  });
});
