import assert from 'node:assert/strict';
import { EvidenceChecks } from '../../../src/engine/views/evidenceChecks';
import { missionView } from '../../../src/core/view/mission/missionView';
import { shownInFull, withoutMission } from '../../../src/engine/views/panelOfFolder';
import { panelItems, type PanelFolder } from '../../../src/engine/views/panelView';
import { cases } from '../../scenarios/cases';
import { played } from '../../scenarios/played';

type ShownParts = Parameters<typeof shownInFull>[1];

describe('evidence whose mission is not known', () => {
  const missions = ['own', 'other'].map((plan_id) => ({ mission: { plan: { plan_id } } }));

  it('is what stands alone: of 250 own ones and one of a colleague, that one', () => {
    const own = Array.from({ length: 250 }, () => ({ plan_id: 'own' }));
    assert.deepEqual(withoutMission([...own, { plan_id: 'foreign' }], missions), [{ plan_id: 'foreign' }]);
  });

  it('is all of it in a fresh clone', () => {
    assert.deepEqual(withoutMission([{ plan_id: 'own' }], []), [{ plan_id: 'own' }]);
  });
});

describe('the plan file of a mission, for the page', () => {
  const { mission, entries } = played(cases()[0]![1][0]!);
  const folder: PanelFolder = {
    ...{ key: '/w', workspace: 'w', owner: 'none', missions: [{ mission, entries }] },
    ...{ drafts: [], evidence: [], unreadable: [] },
    views: [missionView(mission, [], new Map(), false)],
  };
  const [item] = panelItems([folder]);
  const plan = (sha256: string | null): ShownParts['plans'][number] => ({
    sha256,
    draft: { path: mission.plan_path } as ShownParts['plans'][number]['draft'],
  });
  async function now(plans: ShownParts['plans'], hasAllPlans: boolean): Promise<string | undefined> {
    const checks = new EvidenceChecks(
      () => Promise.resolve('{}'),
      () => undefined,
    );
    const live: ShownParts['live'] = () => Promise.resolve(new Map());
    const shown = await shownInFull(item!, { plans, hasAllPlans, checks, live, documents: () => Promise.resolve([]) });
    return shown.kind === 'mission' ? shown.mission.trust.plan.text.replace(/^Plan \S*?(?=[:, ])/, 'Plan') : undefined;
  }

  it('is gone only where every plan was listed, and is compared only where it was read', async () => {
    assert.equal(await now([plan(mission.plan_sha256)], true), 'Plan unchanged');
    assert.equal(await now([], true), 'Plan: its file is gone');
    const notCompared = 'Plan, not compared with its file';
    assert.equal(await now([], false), notCompared, 'the plans of the folder are not read yet, or are too many');
    assert.equal(await now([plan(null)], true), notCompared, 'the file is too large to be read');
  });
});
