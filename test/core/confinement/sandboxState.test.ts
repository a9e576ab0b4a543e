import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sandboxState } from '../../../src/core/confinement/sandboxState';
import { evolve } from '../../../src/core/mission/evolve';
import type { Mission } from '../../../src/core/model/state';
import { play } from '../../scenarios/play';
import type { Scenario } from '../../scenarios/scenario';

const file = path.join(process.cwd(), 'test/scenarios/cases/outcomes.json');
const scenarios = JSON.parse(readFileSync(file, 'utf8')) as readonly Scenario[];

describe('the state of the sandbox', () => {
  it('at every launch is what the intent of the task allows; at no other time may anything be launched', () => {
    const seen = new Set<string>();
    for (const scenario of scenarios) {
      let mission: Mission | null = null;
      for (const entry of play(scenario).entries) {
        mission = evolve(mission, entry);
        for (const lane of mission.lanes) {
          const early = lane.phases.length < 4;
          if (early)
            assert.throws(() => sandboxState(mission!, lane), /^Error: Broken invariant: task \S+ is about to run/);
          if (lane.stage.at === 'preparing') seen.add(sandboxState(mission, lane));
        }
      }
    }
    assert.deepEqual([...seen].sort(), ['approved_paths', 'read_only']);
  });
});
