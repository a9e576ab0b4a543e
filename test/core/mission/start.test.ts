import assert from 'node:assert/strict';
import { runsElsewhere } from '../../../src/core/mission/handoff/movedRun';
import { knownMission, refuseStart } from '../../../src/core/mission/start';
import { motionOf } from '../../../src/core/mission/effects';
import type { Refused } from '../../../src/core/mission/parts/commandDecision';
import { liveSession } from '../../../src/core/model/session';
import { waitsForIntervention, waitsForMemory, waitsInAttempt } from '../../../src/core/model/lanes';
import { rowOf, type Mission } from '../../../src/core/model/state';
import { cases } from '../../scenarios/cases';
import { leftBehind, refusedAs } from '../../scenarios/leftBehind';
import { played } from '../../scenarios/played';
import { assertFollowable } from '../../scenarios/steps';

const scenarios = cases().flatMap(([, list]) => list);

describe('a plan whose mission is open is not started', () => {
  it('wherever its owner died, the next owner takes every decision that is offered', () => {
    const told = new Map<string, number>();
    for (const scenario of scenarios)
      for (const mission of leftBehind(scenario)) {
        const { code, reason, next } = startOf(mission, false);
        assert.equal(code, mission.lanes.length > 0 || liveSession(mission) ? 'MISSION_ACTIVE' : 'MISSION_OPEN');
        const verbs = next.map((step) => step.split(' ')[1]).join(' ');
        const kind = `${code}${ends(mission) ? ' ends' : ''}: ${verbs}`;
        told.set(kind, (told.get(kind) ?? 0) + 1);
        assertFollowable(next, mission, (command) => refusedAs(mission, command, scenario));
        assert.doesNotMatch(reason, /is running/);
        assert.equal(reason.endsWith('has not ended.'), code === 'MISSION_OPEN' && !ends(mission), reason);
      }
    assert.deepEqual([...told.keys()].sort(), [
      'MISSION_ACTIVE: resume cancel status',
      'MISSION_ACTIVE: resume status',
      'MISSION_ACTIVE: status cancel',
      'MISSION_ACTIVE: status intervene stop',
      'MISSION_ACTIVE: status stop',
      'MISSION_OPEN ends: status resume',
      'MISSION_OPEN: status cancel',
      'MISSION_OPEN: status resume',
      'MISSION_OPEN: status resume cancel',
    ]);
  });

  it('a mission with an owner has no running worker between two tasks, and no refusal says that it has', () => {
    const between = scenarios.flatMap(leftBehind).find(({ lanes }) => lanes.length === 0);
    assert.ok(between);
    assert.equal(startOf(between, true).reason, 'Mission M is running in this workspace.');
  });

  it('a mission whose owner died while a worker ran was interrupted, and the first step resumes it', () => {
    const working = scenarios.flatMap(leftBehind).find(({ lanes: [lane] }) => lane?.stage.at === 'running');
    assert.ok(working);
    const { reason, next } = startOf(working, false);
    assert.match(
      reason,
      /^Mission M was interrupted in this workspace: no process goes on with it, and its attempt is open\./,
    );
    assert.deepEqual(next, [
      'mission resume M --by NAME --reason TEXT',
      'mission cancel M --by NAME --reason TEXT',
      'mission status M',
    ]);
    const canceled = startOf({ ...working, cancel: { by: 'Ada', reason: 'x' } } as unknown as Mission, false);
    assert.deepEqual(canceled.next, ['mission resume M --by NAME --reason TEXT', 'mission status M']);
  });
});

describe('a plan beside a mission that only waits for a person in its attempt', () => {
  const waits = scenarios
    .flatMap(leftBehind)
    .filter(
      (mission) => mission.lanes.length > 0 && mission.lanes.every(waitsInAttempt) && motionOf(mission) === 'rests',
    );

  it('is started where it writes elsewhere, wherever the owner died', () => {
    for (const ask of [waitsForIntervention, waitsForMemory]) assert.ok(waits.some(({ lanes }) => lanes.some(ask)));
    for (const mission of waits) assert.equal(refusalBeside([mission]), null);
  });

  it('is refused where it writes what the attempt has locked, or a folder around it', () => {
    for (const mission of waits)
      for (const { task_id } of mission.lanes) {
        const path = rowOf(mission, task_id).task.paths[0] ?? assert.fail();
        for (const wanted of [`${path}/deeper`, '.'])
          assert.equal(refusalBeside([mission], ['another', wanted])?.code, 'MISSION_ACTIVE', `${path} ${wanted}`);
      }
  });

  it('is refused while a worker or an owner of it does something', () => {
    for (const mission of waits) assert.notEqual(knownMission(mission, true, ['another']).active, null);
    const works = scenarios.flatMap(leftBehind).filter(({ lanes }) => lanes.some((lane) => !waitsInAttempt(lane)));
    for (const mission of works) assert.equal(refusalBeside([mission])?.code, 'MISSION_ACTIVE');
  });
});

describe('a plan in a workspace where missions have ended', () => {
  const ended = scenarios.map((scenario) => played(scenario).mission);

  it('is started unless the last of them failed and no person has acknowledged that', () => {
    const told = new Map<string, number>();
    for (const mission of ended) {
      if (mission.execution !== 'REPORTED') continue;
      const { ending, acknowledged } = mission;
      const kind = ending?.cancelled ? 'cancelled' : (ending?.outcome ?? '');
      const seen = kind === 'FAILED' && acknowledged ? 'FAILED and seen' : kind;
      const refusal = refusalBeside([mission]);
      const next = refusal?.next.map((step) => step.split(' ')[1]).join(' ') ?? 'started';
      told.set(`${seen}: ${refusal?.code ?? ''} ${next}`, 1);
    }
    assert.deepEqual([...told.keys()].sort(), [
      'COMPLETED:  started',
      'FAILED and seen:  started',
      'FAILED: FAILURE_UNACKNOWLEDGED status acknowledge',
      'cancelled:  started',
    ]);
  });

  it('is started after the failure was acknowledged, or another mission completed since; what was canceled since changes nothing', () => {
    const find = (fits: (mission: Mission) => boolean): Mission => {
      const found = ended.find((mission) => mission.execution === 'REPORTED' && fits(mission));
      assert.ok(found);
      return found;
    };
    const at = (mission: Mission, hour: number): Mission => {
      assert.ok(mission.ending);
      return { ...mission, ending: { ...mission.ending, at: `2026-01-01T0${hour}:00:00.000Z` } };
    };
    const failed = find(({ ending }) => ending?.outcome === 'FAILED' && !ending.cancelled);
    const completed = find(({ ending }) => ending?.outcome === 'COMPLETED');
    const cancelled = find(({ ending, moved }) => ending?.cancelled === true && moved === null);
    const decision = { actor: { kind: 'human', name: 'Ada' }, reason: 'seen', at: failed.received_at } as const;
    const cases: readonly [readonly Mission[], boolean][] = [
      [[at(failed, 1), at(completed, 2)], true],
      [[at(completed, 1), at(failed, 2)], false],
      [[at(failed, 1), at(cancelled, 2)], false],
      [[{ ...at(failed, 1), acknowledged: decision }], true],
      [[at(failed, 1), { ...at(failed, 2), acknowledged: decision }], true],
      [[{ ...at(failed, 1), moved: { n: 1, sha256: 'A'.repeat(64), path: 'handoff/1', decision } }], true],
    ];
    for (const [missions, starts] of cases) assert.equal(refusalBeside(missions) === null, starts);
  });
});

/** Judges the start of a plan of its own beside these missions. */
function refusalBeside(missions: readonly Mission[], wanted: readonly string[] = ['another']): Refused | null {
  return refuseStart({
    plan_id: 'another',
    plan_sha256: 'A'.repeat(64),
    supersedes: null,
    plan_path: 'docs/plans/PLAN_another.json',
    evidence: { kind: 'none' },
    executions: [],
    missions: missions.map((mission) => knownMission(mission, false, wanted)),
    given_away: runsElsewhere(missions),
  });
}

function startOf(mission: Mission, busy: boolean): Refused {
  const { plan_id } = mission.plan;
  const refusal = refuseStart({
    plan_id,
    plan_sha256: mission.plan_sha256,
    supersedes: null,
    plan_path: `docs/plans/PLAN_${plan_id}.json`,
    evidence: { kind: 'none' },
    executions: [],
    missions: [knownMission(mission, busy, pathsOf(mission))],
    given_away: runsElsewhere([mission]),
  });
  assert.ok(refusal);
  return refusal;
}

function pathsOf({ rows }: Mission): readonly string[] {
  return rows.flatMap(({ task }) => task.paths);
}

function ends(mission: Mission): boolean {
  return (mission.ending ?? mission.criteria ?? mission.moved) !== null;
}
