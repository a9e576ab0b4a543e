import assert from 'node:assert/strict';
import { statusOf } from '../../../src/extension/views/statusText';
import type { MissionView } from '../../../src/contracts/page/missionView';
import { attention, blockView, completed, failed, liveWorker, missionView } from '../sampleViews';

const now = '2026-01-01T00:01:05.000Z';
/** The status as it is shown, icon and all. */
function statusAt(missions: readonly MissionView[]) {
  const status = statusOf(missions, now);
  if (!status) return null;
  const { icon, text, tooltip, label, needs } = status;
  return {
    text: `$(${icon}) ${text.toString()}`,
    tooltip: tooltip.map(String),
    label: label.toString(),
    needsPerson: needs !== null,
  };
}

describe('status bar text', () => {
  it('says nothing without missions', () => {
    assert.equal(statusAt([]), null);
  });

  it('needs a person only for blocks and failures that are not acknowledged', () => {
    const cases = [
      [missionView(), false],
      [missionView({ status: 'blocked', blocks: [blockView()] }), true],
      [missionView({ status: 'paused', blocks: [blockView()] }), true],
      [missionView({ status: 'paused' }), false],
      [missionView({ status: 'paused', attention: attention('LEDGER_INCONSISTENT') }), true],
      [missionView({ status: 'paused', attention: attention(null) }), true],
      // It was found while a worker of an earlier owner was still running.
      [missionView({ status: 'running', attention: attention('LEDGER_INCONSISTENT') }), true],
      [missionView({ interrupted: true }), false],
      [failed(), true],
      [failed({ acknowledged: true }), false],
      [completed(), false],
    ] as const;
    for (const [mission, needsPerson] of cases)
      assert.equal(statusAt([mission])?.needsPerson, needsPerson, `${mission.status} ${mission.acknowledged}`);
  });

  it('counts several missions, what needs a person before what runs, and names them where it is pointed at', () => {
    const running = missionView({ plan_id: 'first' });
    const blocked = missionView({ plan_id: 'third', status: 'blocked', blocks: [blockView()], headline: 'It waits.' });
    const status = statusAt([running, failed({ plan_id: 'other' }), blocked]);
    assert.equal(status?.text, '$(error) 2 need you · 1 running');
    assert.deepEqual([status.needsPerson, status.tooltip[0]], [true, 'third: It waits.']);
    assert.match(status.label, /2 need you, 1 running\. third: It waits\. other: /);
    assert.equal(statusAt([running, missionView(), blocked])?.text, '$(error) 1 needs you · 2 running');
    const calm = statusAt([running, missionView(), completed()]);
    assert.deepEqual([calm?.text, calm?.needsPerson], ['$(pulse) 2 running', false]);
    // What a single mission says of itself is more than a count.
    assert.equal(statusAt([blocked, completed()])?.text, '$(error) Mission third blocked');
  });

  it('counts each block and each matter over all missions, and its tooltip names the other missions', () => {
    const status = statusAt([
      missionView({ status: 'blocked', blocks: [blockView(), blockView({ packet_id: 'p2', task_id: 'T2' })] }),
      missionView({ plan_id: 'other', status: 'paused', attention: attention('LEDGER_INCONSISTENT') }),
      failed({ plan_id: 'third', headline: 'It failed.' }),
      failed({ plan_id: 'seen', acknowledged: true }),
      completed({ plan_id: 'done' }),
    ]);
    assert.equal(status?.text, '$(error) 4 need you');
    assert.ok(status.tooltip.includes('third: It failed.'), status.tooltip.join());
    assert.match(status.label, /: 4 need you\./);
    const [first] = [missionView({ status: 'blocked', blocks: [blockView(), blockView({ packet_id: 'p2' })] })];
    assert.equal(statusAt([first])?.text, '$(error) Mission p blocked · 2 need you');
    assert.match(statusAt([first])?.label ?? '', /In all 2 matters need a person\./);
  });

  it('says that a stuck worker timed out', () => {
    const stuck = missionView({
      status: 'blocked',
      blocks: [blockView({ code: 'TASK_TIMEOUT', category: 'task_timeout' })],
    });
    const status = statusAt([stuck]);
    assert.equal(status?.text, '$(error) Mission p blocked: deadline passed');
    assert.equal(status.needsPerson, true);
    assert.match(status.label, /blocked: deadline passed and needs a person/);
  });

  it('says what paused a mission that needs a person', () => {
    const inconsistent = statusAt([missionView({ status: 'paused', attention: attention('LEDGER_INCONSISTENT') })]);
    assert.equal(inconsistent?.text, '$(error) Mission p paused: records contradict each other');
    assert.equal(inconsistent.tooltip[0], 'Why it stands still.');
    assert.match(inconsistent.label, /needs a person. Why it stands still\./);
    const changed = statusAt([missionView({ status: 'paused', attention: attention('PLAN_HASH_MISMATCH') })]);
    assert.equal(changed?.text, '$(error) Mission p paused: plan hash mismatch');
    const left = statusAt([missionView({ status: 'paused', attention: attention(null), blocks: [blockView()] })]);
    assert.equal(left?.text, '$(error) Mission p paused: processes not proven gone');
    const stopped = missionView({ status: 'paused', blocks: [blockView({ stopped: true })] });
    assert.equal(statusAt([stopped])?.text, '$(error) Mission p paused: needs you');
    assert.match(statusAt([stopped])?.label ?? '', /mission p is paused and needs a person\./);
    assert.equal(statusAt([{ ...stopped, pausing: true }])?.text, '$(error) Mission p pausing: needs you');
  });

  it('shows progress while a mission runs, and an interruption when no process runs it', () => {
    assert.equal(statusAt([missionView()])?.text, '$(pulse) Mission p 1/2 · 1 min');
    assert.match(statusAt([missionView({ interrupted: true })])?.text ?? '', /p interrupted$/);
  });

  it('keeps what is said of a mission in sight, however long its name', () => {
    const plan_id = 'a-name-that-is-as-long-as-an-id-may-be'.padEnd(80, '-x');
    const blocked = missionView({ plan_id, status: 'blocked', blocks: [blockView()] });
    for (const [mission, end] of [
      [missionView({ plan_id }), / 1\/2 · 1 min$/],
      [blocked, / blocked$/],
      [missionView({ plan_id, status: 'paused' }), / paused$/],
      [completed({ plan_id }), / completed$/],
    ] as const) {
      const text = statusAt([mission])?.text ?? '';
      assert.match(text, end);
      assert.ok(text.length < 70, text);
    }
    assert.ok(statusAt([blocked])?.label.includes(plan_id));
  });

  it('counts lanes, and lists as many as a tooltip holds', () => {
    const lanes = (count: number): Partial<MissionView> => ({
      lane_limit: 16,
      lanes: Array.from({ length: count }, (_, n) => liveWorker({ task_id: `T${n + 1}` })),
    });
    const three = statusAt([missionView(lanes(3))]);
    assert.equal(three?.text, '$(pulse) Mission p 1/2 · 3 lanes · 1 min');
    assert.deepEqual(three.tooltip, [
      'p: 1 of 2 tasks done, 3 lanes',
      ...['T1', 'T2', 'T3'].map((task) => `${task}: command, running 1 min 5 s, last progress 1 min 4 s ago, 10 bytes`),
      'For 1 min 5 s.',
    ]);
    assert.match(three.label, /1\/2 tasks done, 3 lanes$/);
    assert.deepEqual(statusAt([missionView(lanes(16))])?.tooltip.slice(-3), [
      'T8: command, running 1 min 5 s, last progress 1 min 4 s ago, 10 bytes',
      'and 8 more',
      'For 1 min 5 s.',
    ]);
    // One worker is the ordinary case and no lane of its own.
    assert.equal(statusAt([missionView(lanes(1))])?.text, '$(pulse) Mission p 1/2 · 1 min');
    const blocked = statusAt([missionView({ status: 'blocked', blocks: [blockView()], ...lanes(1) })]);
    assert.equal(blocked?.text, '$(error) Mission p blocked · 1 lane');
  });

  it('says that a mission pauses for as long as something of it runs', () => {
    const lanes = ['T1', 'T2'].map((task_id) => liveWorker({ task_id }));
    const pausing = statusAt([missionView({ status: 'paused', pausing: true, lanes })]);
    assert.deepEqual(
      [pausing?.text, pausing?.label],
      ['$(debug-pause) Mission p pausing · 2 lanes', 'Mission Control: p pausing'],
    );
    const asked = missionView({ status: 'running', pausing: true, lanes });
    assert.equal(statusAt([asked])?.text, '$(debug-pause) Mission p pausing · 2 lanes');
    assert.equal(statusAt([missionView({ status: 'paused' })])?.text, '$(debug-pause) Mission p paused');
    assert.match(
      statusAt([missionView({ status: 'paused', interrupted: true, lanes })])?.text ?? '',
      /p interrupted · 2/,
    );
  });

  it('distinguishes a mission that asks from one that is blocked', () => {
    const question = { text: 'Which?', choices: [], asked_by: { kind: 'worker', name: 'claude' } as const, asked: 1 };
    const asking = blockView({ question });
    const asks = statusAt([missionView({ status: 'blocked', blocks: [asking], headline: 'It asks.' })]);
    assert.equal(asks?.text, '$(question) Mission p asks you');
    assert.equal(asks.label, 'Mission Control: mission p asks you. It asks.');
    const both = missionView({ status: 'blocked', blocks: [asking, blockView({ packet_id: 'p2', task_id: 'T1' })] });
    assert.equal(statusAt([both])?.text, '$(error) Mission p blocked · 2 need you');
  });

  it('says for how long, without seconds where it is hours', () => {
    const at = (started_at: string): string =>
      statusAt([missionView({ started_at })])
        ?.text.split(' · ')
        .at(-1) ?? '';
    assert.equal(at('2026-01-01T00:01:00.000Z'), '5 s');
    assert.equal(at('2025-12-31T22:00:00.000Z'), '2 h 1 min');
    const live = liveWorker({ last_output_at: '2026-01-01T00:01:04.000Z', output_bytes: 4215, output_lines: 64 });
    assert.deepEqual(statusAt([missionView({ live })])?.tooltip, [
      'Task T2 runs.',
      'T2: command, running 1 min 5 s, last output 1 s ago, 64 lines, 4.2 kB',
      'For 1 min 5 s.',
    ]);
  });

  it('says in words what the icon says', () => {
    assert.match(statusAt([failed()])?.label ?? '', /mission p is failed and needs a person/);
  });
});
