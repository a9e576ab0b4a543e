import assert from 'node:assert/strict';
import type { BlockView } from '../../../src/contracts/page/blockView';
import type { MissionView } from '../../../src/contracts/page/missionView';
import { News, transitionsOf, type Notified, type Transition } from '../../../src/extension/views/transitions';
import { attention, blockView, completed, failed, here, missionView } from '../sampleViews';

const blocked = missionView({ status: 'blocked', blocks: [blockView()] });

function transitionOf(mission: MissionView): Transition | null {
  return transitionsOf(here(mission))[0] ?? null;
}

/** Blocks of lanes, in the order in which they were issued. */
function blocksOf(...packets: readonly string[]): readonly BlockView[] {
  return packets.map((packet_id, index) =>
    blockView({ packet_id, task_id: `of ${packet_id}`, issued_at: `2026-01-01T00:00:0${index}.000Z` }),
  );
}

function newsOf(news: News, ...missions: readonly MissionView[]): readonly Transition[] {
  return news.of(missions.map((mission) => here(mission)));
}

function shown(mission: MissionView) {
  const transition = transitionOf(mission);
  return transition && { ...transition, text: transition.text.toString() };
}

describe('news of a mission', () => {
  it('is nothing while it goes on', () => {
    assert.equal(transitionOf(missionView()), null);
    assert.equal(transitionOf(missionView({ status: 'paused' })), null);
  });

  it('is a block once its packet is written', () => {
    assert.equal(transitionOf(missionView({ status: 'blocked', blocks: [blockView({ packet_path: null })] })), null);
    const away = blockView({ packet_path: null, packet_away: true });
    assert.equal(transitionOf(missionView({ status: 'blocked', blocks: [away] }))?.kind, 'blocked', 'on a host');
    assert.deepEqual(shown(blocked), {
      missionId: blocked.mission_id,
      key: `block ${blockView().packet_id}`,
      kind: 'blocked',
      text: 'Mission p: task T2 is blocked: The worker exited with 3.',
    });
  });

  it('says when a task goes on by itself', () => {
    const block = blockView({ code: 'RATE_LIMITED', reason: 'Used up.', goes_on_at: '2026-01-01T14:05:00Z' });
    const news = shown(missionView({ blocks: [block] }));
    assert.equal(news?.kind, 'blocked');
    assert.ok(news.text.endsWith('Used up. It goes on by itself at 2026-01-01 14:05 UTC, as the approved plan says.'));
  });

  it('waits while an orchestrator looks at the block, and says then what it made of it', () => {
    const session = { task_id: 'T2', launch_id: 'l', run_dir: 'runs/2-orchestrator', pid: 7 };
    const orchestrator = { worker: 'claude', session } as const;
    assert.equal(transitionOf(missionView({ ...blocked, orchestrator })), null);
    const told = 'The orchestrator decided nothing (TASK_TIMEOUT): It did not decide in time.';
    const after = missionView({
      ...blocked,
      blocks: [blockView({ orchestrator: told })],
      orchestrator: { worker: 'claude' },
    });
    const news = shown(after);
    assert.notEqual(news?.key, shown(blocked)?.key, 'a person who saw the block is told once more');
    assert.ok(news?.text.endsWith(told), news?.text);
  });

  it('asks for an acceptance where a retry would only block again', () => {
    const block = blockView({ acceptable: [{ name: 'README.md', why: 'is tracked by git' }] });
    assert.equal(transitionOf(missionView({ status: 'blocked', blocks: [block] }))?.kind, 'unaccepted');
  });

  it('is a pause when the worker was stopped', () => {
    const reason = 'Stopped by Ada: wrong folder';
    const block = blockView({ stopped: true, code: 'MISSING_REQUIRED_INPUT', category: 'awaiting_user', reason });
    const news = shown(missionView({ status: 'paused', blocks: [block] }));
    assert.equal(news?.kind, 'paused');
    assert.equal(news.text, 'Mission p is paused: task T2 was stopped by Ada: wrong folder');
  });

  it('is a pause that no packet explains, and comes before a block that cannot be retried', () => {
    const halted = { status: 'paused', attention: attention('LEDGER_INCONSISTENT'), blocks: [blockView()] } as const;
    assert.deepEqual(shown(missionView(halted)), {
      missionId: missionView().mission_id,
      key: 'attention LEDGER_INCONSISTENT 1',
      kind: 'halted',
      text: 'Mission p is paused and needs a person (LEDGER_INCONSISTENT). Why it stands still.',
    });
    assert.equal(transitionOf(missionView({ ...halted, attention: attention(null) }))?.kind, 'paused');
    assert.equal(transitionOf(missionView({ status: 'paused', attention: attention(null) }))?.kind, 'halted');
  });

  it('is an end once the evidence is reported', () => {
    assert.equal(transitionOf(completed({ execution: 'COMPLETED' })), null);
    assert.equal(transitionOf(completed())?.kind, 'completed');
    assert.equal(shown(failed())?.text, 'Mission p failed (SCOPE_VIOLATION): a.txt lies outside.');
    const unmet = { outcome: 'FAILED', code: 'ACCEPTANCE_FAILED', reason: 'Not met: x.', cancelled: false } as const;
    assert.equal(shown(failed({ ending: unmet }))?.text, 'Mission p failed: Not met: x.');
    assert.equal(
      shown(failed({ status: 'cancelled', ending: { outcome: 'FAILED', code: null, reason: 'x', cancelled: true } }))
        ?.text,
      'Mission p canceled.',
    );
    assert.equal(
      transitionOf(failed({ ending: { outcome: 'FAILED', code: null, reason: 'x', cancelled: true } }))?.kind,
      'cancelled',
    );
  });

  it('names the folder where the window has another one', () => {
    const copied = { folder: 'file:///copy/w', workspace: 'copy/w' };
    const halted = missionView({ attention: attention('LEDGER_INCONSISTENT') });
    const question = { text: 'Which?', choices: [], asked_by: { kind: 'human', name: 'Ada' } as const, asked: 1 };
    const asking = missionView({ blocks: [blockView({ question })] });
    const paused = missionView({ ...blocked, status: 'paused' });
    for (const mission of [blocked, paused, asking, halted, completed(), failed()]) {
      const [alone] = transitionsOf(here(mission));
      const [beside] = transitionsOf(here(mission, copied));
      assert.ok(alone && beside);
      assert.equal(beside.text.toString(), alone.text.toString().replace('Mission p', 'Mission p in copy/w'));
      assert.equal(beside.key, alone.key);
    }
  });

  it('is shown once, also over a reload', () => {
    const told: Notified = new Map();
    const before = new News(told);
    assert.deepEqual(newsOf(before, missionView()), []);
    assert.equal(newsOf(before, blocked).length, 1);
    assert.deepEqual(newsOf(before, blocked), []);
    assert.deepEqual(newsOf(new News(told), blocked), []);
    assert.equal(newsOf(new News(told), completed()).length, 1);
  });

  it('is shown again for another block of the same task', () => {
    const news = new News(new Map());
    newsOf(news, missionView());
    assert.equal(newsOf(news, blocked).length, 1);
    assert.deepEqual(newsOf(news, missionView()), []);
    assert.equal(newsOf(news, missionView({ status: 'blocked', blocks: [blockView({ packet_id: 'p2' })] })).length, 1);
  });

  it('is one for all lanes that block, in whatever order a window sees them', () => {
    for (const looks of [[['a', 'b', 'c']], [['a'], ['a', 'b'], ['a', 'b', 'c']]]) {
      const news = new News(new Map());
      newsOf(news, missionView());
      const told = looks.flatMap((packets) =>
        newsOf(news, missionView({ status: 'blocked', blocks: blocksOf(...packets) })),
      );
      assert.deepEqual(
        told.map(({ key }) => key),
        ['block a'],
      );
    }
    // A window that comes to look later finds the same one claimed.
    const [first] = transitionsOf(here(missionView({ blocks: blocksOf('a', 'b').toReversed() })));
    assert.equal(first?.key, 'block a');
  });

  it('is the next block once the one before is decided, also over a reload', () => {
    const told: Notified = new Map();
    const of = (...packets: readonly string[]): MissionView =>
      missionView({
        status: 'blocked',
        blocks: blocksOf('a', 'b', 'c').filter((one) => packets.includes(one.packet_id)),
      });
    newsOf(new News(told), missionView());
    const keys = (news: News, mission: MissionView): readonly string[] => newsOf(news, mission).map(({ key }) => key);
    assert.deepEqual(keys(new News(told), of('a', 'b')), ['block a']);
    assert.deepEqual(keys(new News(told), of('b', 'c')), ['block b']);
    assert.deepEqual(keys(new News(told), of('b', 'c')), []);
    assert.deepEqual(keys(new News(told), of('c')), ['block c']);
  });

  it('is another one where a lane needs something else, such as an answer', () => {
    const news = new News(new Map());
    const [block, asking] = blocksOf('a', 'b');
    assert.ok(block && asking);
    const question = { text: 'Which?', choices: [], asked_by: { kind: 'human', name: 'Ada' } as const, asked: 1 };
    newsOf(news, missionView());
    assert.equal(newsOf(news, missionView({ status: 'blocked', blocks: [block] })).length, 1);
    const both = missionView({ status: 'blocked', blocks: [block, { ...asking, question }] });
    assert.deepEqual(
      newsOf(news, both).map(({ key }) => key),
      ['question b 1'],
    );
    assert.deepEqual(newsOf(news, both), []);
  });

  it('is not a state that the window found when it opened', () => {
    const news = new News(new Map());
    assert.deepEqual(newsOf(news, completed({ mission_id: 'ended' }), blocked), []);
  });

  it('includes a mission that began and ended between two looks', () => {
    const news = new News(new Map());
    newsOf(news);
    assert.equal(newsOf(news, completed()).length, 1);
  });
});
