import assert from 'node:assert/strict';
import { missionView } from '../../../../src/core/view/mission/missionView';
import { restsOpen, withPlanFile } from '../../../../src/core/view/plan/planFile';
import { stepLines } from '../../../../src/base/text/steps';
import { possibleSteps } from '../../../../src/contracts/page/blockView';
import { shownMission } from '../../../../src/core/view/evidence/shownMission';
import { cases } from '../../../scenarios/cases';
import { played } from '../../../scenarios/played';

describe('a plan file that is not the approved one', () => {
  const resting = cases()
    .flatMap(([, list]) => list)
    .map((scenario) => ({ scenario, mission: played(scenario).mission }))
    .filter(({ mission }) => restsOpen(mission));
  const gone = { observed: null, explanation: 'The file is gone.' } as const;

  it('is named wherever nothing of an open mission runs, with the way back once, and a revision once', () => {
    const said = new Set<string>();
    for (const { scenario, mission } of resting) {
      const {
        plan_differs,
        attention,
        blocks,
        next = [],
      } = withPlanFile(missionView(mission, [], new Map(), true), mission, gone);
      const steps = stepLines([...(attention?.next ?? []), ...blocks.flatMap(possibleSteps), ...next]);
      assert.equal(steps.filter((step) => step.startsWith('Bring the approved bytes back')).length, 1, scenario.title);
      const revisions = next.filter(({ command }) => command === 'plan revise');
      assert.equal(revisions.length, blocks.length === 0 ? 1 : 0, scenario.title);
      said.add(/The file is gone\. (.*)$/.exec(plan_differs ?? '')?.[1] ?? 'Nothing.');
    }
    assert.deepEqual([...said].sort(), [
      'A resume is refused before the approved bytes are back.',
      'Nothing is launched before the approved bytes are back.',
    ]);
  });

  it('is said once where the mission paused because of it', () => {
    const paused = cases()
      .flatMap(([, list]) => list)
      .map((scenario) => played(scenario).mission)
      .filter((mission) => missionView(mission, [], new Map(), true).attention?.code === 'PLAN_HASH_MISMATCH');
    assert.ok(paused.length > 0);
    for (const mission of paused) {
      const view = missionView(mission, [], new Map(), true);
      assert.equal(withPlanFile(view, mission, gone), view);
    }
  });

  it('is said by the page as by mission status', () => {
    for (const { scenario, mission } of resting) {
      const view = missionView(mission, [], new Map(), true);
      const panel = { workspace: 'w', owner: 'this', mission, view, entries: [], live: new Map() } as const;
      const { plan_differs, next } = withPlanFile(view, mission, { observed: null, explanation: null });
      const { view: shown } = shownMission({ ...panel, plan_now: null });
      assert.deepEqual([shown.plan_differs, shown.next], [plan_differs, next], scenario.title);
      assert.equal(shownMission({ ...panel, plan_now: mission.plan_sha256 }).view.plan_differs, undefined);
      assert.equal(shownMission(panel).view.plan_differs, undefined);
    }
  });

  it('is said only while it differs', () => {
    for (const { mission } of resting) {
      const view = missionView(mission, [], new Map(), true);
      assert.equal(withPlanFile(view, mission, { observed: mission.plan_sha256, explanation: null }), view);
    }
  });
});
