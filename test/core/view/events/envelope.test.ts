import assert from 'node:assert/strict';
import { pendingEffects } from '../../../../src/core/mission/effects';
import { fold } from '../../../../src/core/mission/evolve';
import type { MissionEvent } from '../../../../src/core/model/events';
import { envelopeSteps } from '../../../../src/core/view/events/envelope';
import { isInterrupted } from '../../../../src/core/view/mission/interrupted';
import { recordedJournal, scenarioJournal, type Entries } from '../../../support/panelOf';

/** `STATE standing: note` of the steps that are not plain. */
function steps(
  entries: Entries,
  { owned = true, until }: { owned?: boolean; until?: MissionEvent['type'] } = {},
): readonly string[] {
  const end = until === undefined ? undefined : entries.findIndex(({ event }) => event.type === until) + 1;
  const mission = fold(entries.slice(0, end));
  assert.ok(mission);
  const all = envelopeSteps(mission, isInterrupted(mission, owned));
  assert.equal(all.length, 7);
  return all.map(({ state, standing, note }) => `${state} ${standing}${note === '' ? '' : `: ${note}`}`);
}

describe('the seven states of the envelope', () => {
  const completed = scenarioJournal('outcomes', 'PASS of every task completes the mission through EVIDENCED');
  const locked = ['RECEIVED done', 'VALIDATED done', 'LOCKED done'];
  const ahead = ['EVIDENCED todo', 'COMPLETED todo', 'REPORTED todo'];

  it('of a mission that was received, is locked, runs, is evidenced, and completed', () => {
    assert.deepEqual(steps(completed, { until: 'MissionReceived' }), [
      ...['RECEIVED now', 'VALIDATED todo', 'LOCKED todo', 'EXECUTING todo'],
      ...ahead,
    ]);
    assert.deepEqual(steps(completed, { until: 'ExecutionStarted' }), [...locked, 'EXECUTING now', ...ahead]);
    const behind = [...locked, 'EXECUTING done', 'EVIDENCED done', 'COMPLETED done'];
    assert.deepEqual(steps(completed, { until: 'MissionEvidenced' }), [
      ...[...locked, 'EXECUTING done', 'EVIDENCED now', 'COMPLETED todo', 'REPORTED todo'],
    ]);
    assert.deepEqual(steps(completed, { until: 'MissionCompleted' }), [...behind, 'REPORTED now']);
    assert.deepEqual(steps(completed), [...behind, 'REPORTED done']);
    assert.deepEqual(steps(completed, { until: 'MissionCompleted', owned: false }), [
      ...behind,
      'REPORTED todo: not reported',
    ]);
  });

  it('of lanes says how many, and of one that no owner runs that it is interrupted', () => {
    const lanes = scenarioJournal('checks', 'after execution: another lane failed the mission');
    const second = lanes.findIndex(({ event }) => event.type === 'AttemptStarted' && event.task_id === 'T2') + 1;
    assert.equal(steps(lanes.slice(0, second))[3], 'EXECUTING now: 2 lanes');
    assert.equal(steps(lanes.slice(0, second), { owned: false })[3], 'EXECUTING now: interrupted');
  });

  it('break where the mission is blocked and where it failed, and end where a person canceled it', () => {
    assert.deepEqual(steps(recordedJournal('0.1.0/blocked')), [...locked, 'EXECUTING broken: blocked', ...ahead]);
    assert.deepEqual(steps(recordedJournal('0.1.0/scope')), [
      ...[...locked, 'EXECUTING broken: T1 failed', 'EVIDENCED done', 'FAILED broken', 'REPORTED done'],
    ]);
    assert.deepEqual(steps(recordedJournal('0.1.0/cancelled')), [
      ...[...locked, 'EXECUTING done', 'EVIDENCED done', 'FAILED ended: canceled', 'REPORTED done'],
    ]);
  });

  it('say that a mission is paused, and break while the runner is stopped', () => {
    const stop = 'stop ends the tree, blocks the task and pauses the mission until a person acts';
    assert.equal(steps(scenarioJournal('people', stop))[3], 'EXECUTING now: paused');
    const [last] = completed.slice(-1);
    assert.ok(last);
    const running = completed.slice(0, completed.findIndex(({ event }) => event.type === 'AttemptStarted') + 1);
    const mission = fold(running);
    const [due] = mission ? pendingEffects(mission) : [];
    assert.ok(due);
    const failed: MissionEvent = {
      ...{ type: 'EffectFailed', effect: due.key, code: 'STATE_STORE_UNWRITABLE', reason: 'full', next: [] },
    };
    assert.equal(steps([...running, { ...last, event: failed }])[3], 'EXECUTING broken: the runner stopped');
  });
});
