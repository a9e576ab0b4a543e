import assert from 'node:assert/strict';
import { skipWithReason } from '../../support/skip';
import { CampaignBed } from './bed';
import { runCampaign } from './campaign';
import { isGood } from './report';

/** A few missions of `npm run bench:fleet`, without namespaces. */
describe('a fleet whose hosts are killed', function () {
  this.timeout(600_000);

  it('loses no mission and does no task twice', async function () {
    if (process.platform !== 'linux') skipWithReason(this, 'who is alive is read from /proc');
    const bed = await CampaignBed.open(null);
    if (typeof bed === 'string') skipWithReason(this, bed);
    try {
      const campaign = await runCampaign(bed, null, { missions: 3, hosts: 2, say: () => undefined });
      assert(isGood(campaign), JSON.stringify(campaign, null, 2));
      assert.equal(campaign.happened.length, 4);
      assert(campaign.claims > 3 && campaign.blocked.length > 0, JSON.stringify(campaign, null, 2));
    } finally {
      await bed.close();
    }
  });
});
