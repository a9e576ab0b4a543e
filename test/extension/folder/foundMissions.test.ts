import assert from 'node:assert/strict';
import { markFound, toContinue } from '../../../src/extension/folder/continuations';
import { blockView, completed, controlView, liveWorker, missionView } from '../sampleViews';

const claimed = missionView({ interrupted: true, live: liveWorker() });
const interrupted = { ...claimed, offers: { ...claimed.offers, ResumeMission: true } };
const known = (): boolean => true;
const unknown = (): boolean => false;

describe('missions that no process runs', () => {
  it('are marked as found when this machine does not know them, without any process', () => {
    const [found] = markFound(controlView([interrupted]), unknown).missions;
    assert.match(
      found?.headline ?? '',
      /^Found, not started here\. It continues where it stopped when you resume it\.$/,
    );
    assert.deepEqual([found?.live, found?.lanes], [null, []]);
    const [held] = markFound(controlView([claimed]), unknown).missions;
    assert.equal(held?.headline, `Found, not started here. ${claimed.headline}`, 'a resume would be refused');
  });

  it('stay as they are when they are known, ended, or owned by a process', () => {
    for (const view of [
      markFound(controlView([interrupted]), known),
      markFound(controlView([completed()]), unknown),
      markFound(controlView([missionView()], 'another'), unknown),
      markFound(controlView([{ ...interrupted, foreign: true }]), unknown),
    ]) {
      assert.doesNotMatch(view.missions[0]?.headline ?? '', /Found/);
    }
  });

  it('of a foreign journal never go on unasked', () => {
    assert.deepEqual(toContinue(controlView([{ ...interrupted, foreign: true }]), known), []);
  });

  it('go on unasked only when they are known and were interrupted', () => {
    const ids = (missions: readonly { readonly mission_id: string }[]): readonly string[] =>
      missions.map(({ mission_id }) => mission_id);
    assert.deepEqual(ids(toContinue(controlView([interrupted]), known)), [interrupted.mission_id]);
    assert.deepEqual(toContinue(controlView([interrupted]), unknown), []);
    assert.deepEqual(toContinue(controlView([interrupted], 'another'), known), []);
    assert.deepEqual(
      toContinue(
        controlView([
          missionView({ status: 'paused' }),
          missionView({ status: 'blocked', blocks: [blockView()] }),
          completed(),
        ]),
        known,
      ),
      [],
    );
  });

  it('go on unasked when only the report of their end is missing', () => {
    assert.equal(toContinue(controlView([completed({ execution: 'COMPLETED' })]), known).length, 1);
  });
});
