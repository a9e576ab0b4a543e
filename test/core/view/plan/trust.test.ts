import assert from 'node:assert/strict';
import { fold } from '../../../../src/core/mission/evolve';
import type { Mission } from '../../../../src/core/model/state';
import { trustLine } from '../../../../src/core/view/plan/trust';
import { play } from '../../../scenarios/play';
import type { Situation } from '../../../scenarios/scenario';
import { recordedJournal } from '../../../support/panelOf';

function missionOf(name: string): Mission {
  const mission = fold(recordedJournal(`0.1.0/${name}`));
  assert.ok(mission);
  return mission;
}

describe('the trust line', () => {
  const open = missionOf('blocked');
  const ended = missionOf('done');

  it('says who approved: recorded here, named by the plan alone, or no person', () => {
    const here = { by: 'Ada', at: '2026-02-01T10:00:00.000Z' } as Mission['approved_here'];
    assert.deepEqual(trustLine({ ...open, approved_here: here }, {}).approved, {
      ...{ standing: 'good', text: 'Approved by Ada', at: '2026-02-01T10:00:00.000Z' },
    });
    assert.deepEqual(trustLine({ ...open, approved_here: here }, { elsewhere: true }).approved, {
      ...{ standing: 'plain', text: 'Approved elsewhere by Ada', at: '2026-02-01T10:00:00.000Z' },
      whole: 'Approved elsewhere by Ada, as this journal says; nothing on this machine does',
    });
    assert.deepEqual(trustLine(open, {}).approved, {
      ...{ standing: 'plain', text: 'Approved by Ada, says its plan' },
      whole: 'Approved by Ada, says its plan; no record of it on this machine',
    });
    const plan = { ...open.plan, approved_by: null, approved_at: null };
    assert.equal(trustLine({ ...open, plan }, {}).approved.standing, 'unknown');
  });

  it('says whether the plan is what was locked: bad only while the mission goes on', () => {
    const fact = (mission: Mission, plan_now?: string | null): readonly unknown[] => {
      const { standing, text } = trustLine(mission, plan_now === undefined ? {} : { plan_now }).plan;
      return [standing, text.replace(/^Plan [0-9A-F]{8}/, '')];
    };
    assert.deepEqual(fact(open), ['unknown', ', not compared with its file']);
    assert.deepEqual(fact(open, open.plan_sha256.toLowerCase()), ['good', ' unchanged']);
    assert.deepEqual(fact(open, 'B'.repeat(64)), ['bad', ' changed: its file is not what was locked']);
    assert.deepEqual(fact(open, null), ['bad', ': its file is gone']);
    assert.deepEqual(fact(ended, 'B'.repeat(64)), ['plain', ' changed since']);
    assert.deepEqual(fact(ended, null), ['plain', ': its file is gone']);
  });

  it('says what held the workers: all, some, the sandboxes of their CLIs, nothing, or none was launched', () => {
    const fact = (situation: Situation): readonly unknown[] => {
      const { standing, text } = trustLine(play(situation).mission, {}).confinement;
      return [standing, text];
    };
    const tasks = [{ task_id: 'T1', verify: [['a']] }, { task_id: 'T2' }];
    const held = { confined: true };
    assert.deepEqual(fact({ tasks, world: { 'T1#1': held, 'T2#1': held } }), [
      'good',
      'Workers confined by bubblewrap, no network for verify',
    ]);
    assert.deepEqual(fact({ tasks, world: { 'T1#1': held } }), [
      'plain',
      '1 of 2 workers confined by bubblewrap, the others observed',
    ]);
    assert.deepEqual(fact({ tasks }), ['plain', 'Workers not confined, only observed']);
    assert.deepEqual(fact({ tasks, world: { 'T1#1': { cli_missing: true } } }), [
      'unknown',
      'No worker was launched yet',
    ]);
    const own = play({ tasks }).mission;
    const rows = JSON.parse(
      JSON.stringify(own.rows).replaceAll('"confinement":"none"', '"confinement":"os_sandbox"'),
    ) as Mission['rows'];
    assert.equal(
      trustLine({ ...own, rows }, {}).confinement.text,
      'Workers held by the sandboxes of their CLIs, and observed',
    );
  });

  it('says how the evidence stands, and takes over what verified it', () => {
    const text = (mission: Mission): string => trustLine(mission, {}).evidence.text;
    assert.deepEqual([{ ...open, header_written: false }, open, ended].map(text), [
      'No evidence yet',
      'Evidence in progress',
      'Evidence not verified yet',
    ]);
    const evidence = { standing: 'good', text: 'Evidence verified', dir: 'd', findings: [] } as const;
    assert.deepEqual(trustLine(ended, { evidence }).evidence, evidence);
  });
});
