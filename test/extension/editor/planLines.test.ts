import assert from 'node:assert/strict';
import { planPlaces } from '../../../src/adapters/documents/planPlaces';
import { newestMission, planLines, taskFacts } from '../../../src/extension/editor/planLines';
import { missionView } from '../sampleViews';

const sample = missionView();
const [first] = sample.tasks;
assert.ok(first);
const places = planPlaces(JSON.stringify({ plan_id: 'p', tasks: sample.tasks.map(({ task_id }) => ({ task_id })) }));

function lines(state: string, mission: typeof sample | null = null): readonly string[] {
  return planLines(places, state, mission).map(({ text, does }) => `${text.toString()} > ${does ?? 'nothing'}`);
}

describe('the lines above a plan', () => {
  it('offer what its state allows: a draft is approved, an approved plan run, errors are looked at', () => {
    assert.deepEqual(lines('draft'), ['Draft > validatePlan', 'Approve > approvePlan']);
    assert.deepEqual(lines('approved'), ['Approved > validatePlan', 'Run > runPlan']);
    assert.deepEqual(lines('2 errors'), ['2 errors: see the Problems panel > validatePlan']);
  });

  it('tell the newest mission and the state of each task, and offer no second run meanwhile', () => {
    const told = lines('approved', sample);
    assert.ok(!told.some((line) => line.startsWith('Run')), told.join('\n'));
    assert.deepEqual(told.slice(0, 2), [
      'Approved > validatePlan',
      'Mission running, 1 of 2 done > showMissionControl',
    ]);
    assert.equal(told.length, 2 + sample.tasks.length);
    const ended = missionView({ ending: { outcome: 'FAILED', code: 'X', reason: 'no', cancelled: false } });
    assert.ok(lines('approved', ended).includes('Run > runPlan'));
  });

  it('call no bytes approved that differ from those of the mission, and offer no run, which would be refused', () => {
    const ended = missionView({ ending: { outcome: 'COMPLETED', code: null, reason: 'ok', cancelled: false } });
    const told = planLines(places, 'approved', ended, true).map(({ text }) => text.toString());
    assert.equal(told[0], 'Changed since its mission');
    assert.ok(!told.includes('Run') && told.includes('Compare with what it locked'), told.join('\n'));
    assert.equal(planLines(places, 'draft', ended, true)[0]?.text.toString(), 'Draft');
  });

  it('show the code of a block, and text of workers as text', () => {
    const blocked = { ...first, status: 'blocked', code: 'TASK_TIMEOUT', reason: 'was silent\u202e' } as const;
    const mission = missionView({ tasks: [blocked] });
    assert.ok(lines('approved', mission).includes('blocked: deadline passed > nothing'));
    const facts = taskFacts(mission, blocked).map(String).join('\n');
    assert.match(facts, /blocked \(TASK_TIMEOUT\)\nwas silent\\u202e/);
  });
});

describe('the lines above a task', () => {
  const at = (changes: object): readonly string[] => {
    const task = {
      ...first,
      status: 'blocked',
      code: 'ACCEPTANCE_FAILED',
      reason: 'It exited with 3.',
      ...changes,
    } as const;
    const mission = missionView({ tasks: [task] });
    return [lines('approved', mission).at(-1) ?? '', String(taskFacts(mission, task)[0])];
  };

  it('leave out the code of a failed command, and of a task that a person stopped', () => {
    assert.deepEqual(at({}), ['blocked > nothing', `Task ${first.task_id}: blocked`]);
    assert.deepEqual(at({ stopped: true, code: 'MISSING_REQUIRED_INPUT' }), [
      'stopped > nothing',
      `Task ${first.task_id}: stopped`,
    ]);
  });
});

describe('the mission of a plan', () => {
  it('is the newest that ran it', () => {
    const at = (started_at: string, plan_path: string): typeof sample => missionView({ started_at, plan_path });
    const old = at('2026-01-01T00:00:00.000Z', 'a');
    const recent = at('2026-01-02T00:00:00.000Z', 'a');
    assert.equal(newestMission([old, recent, at('2026-01-03T00:00:00.000Z', 'b')], 'a'), recent);
    assert.equal(newestMission([old], 'c'), null);
  });
});
