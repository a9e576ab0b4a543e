import assert from 'node:assert/strict';
import type { Launch } from '../../../src/core/model/attempt';
import { impossibleIn, usable } from '../../../src/engine/effects/launch/launchEnvironment';

describe('a launch that was impossible', () => {
  it('is reported with how its CLI is found, because each step of the packet starts that CLI again', () => {
    const report = impossibleIn(usable, { launch_id: 'L1' } as Launch, {
      code: 'WORKER_MISSING',
      reason: 'claude is not on PATH.',
      next: ['Install the claude CLI, or name its executable with --cli claude=/path/of/claude.'],
    });
    assert.ok(report.type === 'LaunchWasImpossible');
    assert.equal(
      report.reason,
      'claude is not on PATH. Install the claude CLI, or name its executable with --cli claude=/path/of/claude.',
    );
  });
});
