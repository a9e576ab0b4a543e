import assert from 'node:assert/strict';
import { utcText } from '../../../../src/base/text/amounts';
import { commandRefusal } from '../../../../src/core/mission/commands';
import {
  cameBackAs,
  cameBackRefusal,
  givenAway,
  givenAwayRefusal,
  notTakenSince,
  runsElsewhere,
} from '../../../../src/core/mission/handoff/movedRun';
import { movedReason } from '../../../../src/core/mission/handoff/handoffs';
import { knownMission, refuseStart } from '../../../../src/core/mission/start';
import type { Refused } from '../../../../src/core/mission/parts/commandDecision';
import type { Mission } from '../../../../src/core/model/state';
import { play } from '../../../scenarios/play';

const blocked = {
  tasks: [{ task_id: 'T1' }, { task_id: 'T2', depends_on: ['T1'] }],
  world: { 'T1#1': { end: { exit_code: 7 } } },
} as const;
const { mission: given } = play({
  ...blocked,
  script: [{ at: 'idle', command: { type: 'ExportHandoff', move: true }, reason: 'to the other machine' }],
});
const { mission: here } = play(blocked);
const [away] = runsElsewhere([given]);
assert.ok(away);
const { actor } = away.decision;

describe('a run that was given away', () => {
  it('is elsewhere until a mission of the same run is here that was not given away', () => {
    assert.equal(givenAway(here), null);
    assert.deepEqual(runsElsewhere([here]), []);
    const other = { ...here, mission_id: 'N', run_id: 'another' };
    assert.deepEqual(
      runsElsewhere([other, given]).map(({ mission_id, n }) => [mission_id, n]),
      [[given.mission_id, 2]],
    );
    const back = { ...here, mission_id: 'N', run_id: given.run_id };
    assert.deepEqual(runsElsewhere([back, given]), []);
    const again = { ...given, mission_id: 'N' };
    assert.equal(runsElsewhere([again, given]).length, 2);
  });

  it('comes back only with a handoff whose run went on from the bundle that gave it away', () => {
    const [mine, earlier] = [away.sha256, 'E'.repeat(64)];
    const cases: readonly (readonly [readonly string[], boolean])[] = [
      [[], false],
      [[earlier], false],
      [[mine], true],
      [[mine.toLowerCase()], true],
      [[earlier, mine, earlier], true],
    ];
    for (const [bundles, comes] of cases)
      assert.equal(notTakenSince(bundles, [away]) === null, comes, JSON.stringify(bundles));
  });

  it('comes back only with a handoff that follows every time it was given away', () => {
    const sha256 = 'B'.repeat(64);
    const all = runsElsewhere([{ ...given, mission_id: 'N', moved: { ...given.moved!, sha256 } }, given]);
    assert.equal(notTakenSince([away.sha256], all)?.mission_id, 'N');
    assert.equal(notTakenSince([sha256], all)?.mission_id, given.mission_id);
    assert.equal(notTakenSince([away.sha256, sha256], all), null);
    assert.equal(notTakenSince([], []), null);
  });

  it('is refused with who gave it away, when, with which handoff, and no command that can be followed here', () => {
    const { code, reason, next } = givenAwayRefusal(away);
    assert.equal(code, 'MISSION_CLOSED');
    for (const part of [
      away.decision.actor.name,
      utcText(away.decision.at),
      'handoff 2',
      away.mission_id,
      'to the other machine',
    ])
      assert.ok(reason.includes(part), reason);
    assert.ok(reason.includes(`plan ${away.plan_id} `), reason);
    assert.ok(reason.includes(`(bundle ${away.sha256.slice(0, 8)})`), reason);
    assert.doesNotMatch(reason, /[0-9A-F]{9}/);
    assert.equal(reason.indexOf(movedReason(given) ?? 'none'), 0, 'its tasks are canceled for the same reason');
    for (const step of next) assert.doesNotMatch(step, /^(?:Or: )?mission /);
    assert.ok(next.some((step) => step.includes('handoff/2')));
    assert.deepEqual(retryOf(given, null), givenAwayRefusal(away));
  });

  it('that came back is refused with the mission as which it goes on here', () => {
    const back = { ...here, mission_id: 'N', run_id: given.run_id };
    const again = { ...given, mission_id: 'N' };
    const cases: readonly (readonly [readonly Mission[], string | null])[] = [
      [[given], null],
      [[back, given], 'N'],
      [[again, given], null],
      [[{ ...back, mission_id: 'O' }, again, given], 'O'],
      [[{ ...back, run_id: 'another' }, given], null],
    ];
    for (const [missions, came] of cases) assert.equal(cameBackAs(given, missions), came);
    const { code, reason, next } = cameBackRefusal(given, 'N');
    assert.equal(code, 'MISSION_CLOSED');
    assert.match(reason, /The run came back as mission N\.$/);
    assert.deepEqual(next, ['mission status N']);
    assert.deepEqual(retryOf(given, 'N'), cameBackRefusal(given, 'N'));
  });

  it('is not started anew from its plan, nor as a revision of it, until either came back; other plans are', () => {
    const back = { ...given, mission_id: 'N', moved: null };
    const revised = { ...back, run_id: 'another', plan: { ...given.plan, plan_id: 'revised' } };
    const came = { ...revised, resumed_from: {} as NonNullable<Mission['resumed_from']> };
    const cases: readonly (readonly [readonly Mission[], string, string | null, boolean])[] = [
      [[given], given.plan.plan_id, null, true],
      [[given], 'revised', given.plan.plan_id, true],
      [[revised, given], 'revised', given.plan.plan_id, true],
      [[came, given], 'revised', given.plan.plan_id, false],
      [[came, given], 'revised-again', given.plan.plan_id, true],
      [[given], 'another', null, false],
      [[given], 'another', 'yet-another', false],
      [[back, given], given.plan.plan_id, null, false],
      [[back, given], 'revised', given.plan.plan_id, false],
    ];
    for (const [missions, plan_id, supersedes, refused] of cases)
      assert.deepEqual(startOf(missions, plan_id, supersedes), refused ? givenAwayRefusal(away) : null);
  });
});

function retryOf(mission: Mission, came_back_as: string | null): ReturnType<typeof commandRefusal> {
  const command = { type: 'RetryTask', task_id: 'T1' } as const;
  return commandRefusal(mission, actor, {
    ...{ type: 'Command', command_id: 'C', command, reason: 'why', expected_seq: null, from_worker: false },
    ...{ identified: true, owner_was_absent: true, active_elsewhere: null, came_back_as },
  });
}

function startOf(missions: readonly Mission[], plan_id: string, supersedes: string | null): Refused | null {
  return refuseStart({
    ...{ plan_id, supersedes, plan_sha256: given.plan_sha256, plan_path: `docs/plans/PLAN_${plan_id}.json` },
    ...{ evidence: { kind: 'none' }, executions: [] },
    missions: missions.map((mission) => knownMission(mission, false, [])),
    given_away: runsElsewhere(missions),
  });
}
