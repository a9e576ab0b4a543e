import assert from 'node:assert/strict';
import { News, transitionOf } from '../../src/extension/views/transitions';
import { blockView, completed, failed, missionView } from './views';

const blocked = missionView({ status: 'blocked', blocks: [blockView()] });

describe('news of a mission', () => {
  it('is nothing while it goes on', () => {
    assert.equal(transitionOf(missionView()), null);
    assert.equal(transitionOf(missionView({ status: 'paused' })), null);
  });

  it('is a block once its packet is written', () => {
    assert.equal(transitionOf(missionView({ status: 'blocked', blocks: [blockView({ packet_path: null })] })), null);
    assert.deepEqual(transitionOf(blocked), {
      missionId: blocked.mission_id,
      key: `block ${blockView().packet_id}`,
      kind: 'blocked',
      text: 'Mission p: task T2 is blocked (ACCEPTANCE_FAILED). The worker exited with 3.',
    });
  });

  it('is a pause when the worker was stopped', () => {
    assert.equal(transitionOf(missionView({ status: 'paused', blocks: [blockView()] }))?.kind, 'paused');
  });

  it('is an end once the evidence is reported', () => {
    assert.equal(transitionOf(completed({ execution: 'COMPLETED' })), null);
    assert.equal(transitionOf(completed())?.kind, 'completed');
    assert.equal(transitionOf(failed())?.text, 'Mission p failed (SCOPE_VIOLATION): a.txt lies outside.');
    assert.equal(
      transitionOf(failed({ ending: { outcome: 'FAILED', code: null, reason: 'x', cancelled: true } }))?.kind,
      'cancelled',
    );
  });

  it('is told once, also over a reload', () => {
    const told = new Map<string, string>();
    const before = new News(told);
    assert.deepEqual(before.of([missionView()]), []);
    assert.equal(before.of([blocked]).length, 1);
    assert.deepEqual(before.of([blocked]), []);
    assert.deepEqual(new News(told).of([blocked]), []);
    assert.equal(new News(told).of([completed()]).length, 1);
  });

  it('is told again for another block of the same task', () => {
    const news = new News(new Map());
    news.of([missionView()]);
    assert.equal(news.of([blocked]).length, 1);
    assert.deepEqual(news.of([missionView()]), []);
    assert.equal(news.of([missionView({ status: 'blocked', blocks: [blockView({ packet_id: 'p2' })] })]).length, 1);
  });

  it('is not what was there at the first look', () => {
    const news = new News(new Map());
    assert.deepEqual(news.of([completed({ mission_id: 'ended' }), blocked]), []);
  });

  it('is a mission that began and ended between two looks', () => {
    const news = new News(new Map());
    news.of([]);
    assert.equal(news.of([completed()]).length, 1);
  });
});
