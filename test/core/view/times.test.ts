import assert from 'node:assert/strict';
import { eventLine } from '../../../src/core/view/events/eventLine';
import { missionView } from '../../../src/core/view/mission/missionView';
import { cases } from '../../scenarios/cases';
import { statusText } from '../../scenarios/digests';
import { played } from '../../scenarios/played';

describe('times in sentences for people', () => {
  it('are never those of a document, in no status, headline or event of any scenario', () => {
    for (const scenario of cases().flatMap(([, list]) => list)) {
      const { mission, entries } = played(scenario);
      const view = missionView(mission, entries, new Map(), true);
      const texts = [statusText(view), view.headline, ...entries.map((entry) => eventLine(entry, mission).text)];
      for (const text of texts) assert.doesNotMatch(text, /T\d\d:\d\d:\d\d(?:\.\d+)?Z/, scenario.title + text);
    }
  });
});
