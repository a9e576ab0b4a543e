import assert from 'node:assert/strict';
import { longest, wordsOf } from '../../scripts/short-sentences.mjs';
import { fold } from '../../src/core/mission/evolve';
import { cases } from './cases';
import { check } from './check';
import { play } from './play';
import { played } from './played';

/**
 * The quick run kills the owner after each seventh append alone. Where it begins differs from scenario to scenario, so
 * that together they are killed everywhere.
 */
const stride = process.env['MISSION_TESTS_TIER'] === 'quick' ? 7 : 1;

for (const [file, scenarios] of cases()) {
  describe(`scenarios: ${file}`, () => {
    it('have titles that a reader takes in at once', () => {
      const titles = scenarios.map(({ title }) => title);
      assert.deepEqual(
        titles.filter((title) => wordsOf(title).length > longest),
        [],
      );
    });

    for (const [index, scenario] of scenarios.entries()) {
      it(scenario.title, () => {
        const left = played(scenario);
        check(scenario, left);
        assert.deepEqual(fold(left.entries), left.mission, 'the state is the fold of the journal');
        assert.deepEqual(play(scenario).entries, left.entries, 'the same inputs give the same journal');
      });

      it(`${scenario.title} (owner killed after every append)`, () => {
        const { entries } = played(scenario);
        const appends = new Set(entries.map((entry) => entry.at)).size;
        for (let crash = 1 + (index % Math.min(stride, appends)); crash <= appends; crash += stride)
          check(scenario, play(scenario, crash), `killed after append ${crash}`);
      });
    }
  });
}
