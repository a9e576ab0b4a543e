import assert from 'node:assert/strict';
import { withoutMission } from '../../../src/engine/views/panelOfFolder';

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
