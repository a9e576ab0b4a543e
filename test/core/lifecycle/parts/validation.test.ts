import assert from 'node:assert/strict';
import { nothingToValidate } from '../../../../src/core/lifecycle/parts/validation';
import type { MissionCommand } from '../../../../src/contracts/commands/missionCommand';
import { cannotRetry } from '../../../../src/core/mission/resolve/packetCommands';
import { play } from '../../../scenarios/play';
import type { Situation } from '../../../scenarios/scenario';

describe('why a result cannot be validated again', () => {
  function whyNot(situation: Situation): string | null {
    const last = play(situation).mission.rows[0]?.attempts.at(-1);
    assert.ok(last);
    return nothingToValidate(last);
  }

  const unended = 'its worker did not end well, so there is no result to judge';

  it('is that its worker did not end well, where it exited with another code or a person stopped it', () => {
    const T1 = { task_id: 'T1', worker: 'command' } as const;
    assert.equal(whyNot({ tasks: [T1], world: { 'T1#1': { end: { exit_code: 3 } } } }), unended);
    const end = { reason: 'stop_requested', exit_code: null, signal: 'SIGTERM' } as const;
    const stop = { at: { effect: 'awaitWorker' }, command: { type: 'StopTask', task_id: 'T1' } } as const;
    assert.equal(whyNot({ tasks: [T1], world: { 'T1#1': { end } }, script: [stop] }), unended);
  });

  it('is that its result was judged, where its worker ended well', () => {
    const T1 = { task_id: 'T1', worker: 'claude' } as const;
    const judged = 'its result was judged and did not pass';
    assert.equal(whyNot({ tasks: [T1], world: { 'T1#1': { claim: 'invalid' } } }), judged);
  });

  it('is that its own write was not kept, because another program changed the file meanwhile', () => {
    const stray = (path: string): Situation => {
      const change = { path, kind: 'modified', what: 'file', sha256: 'A'.repeat(64), lines: 1 } as const;
      const strays = { changes: [change], more: 0, ignored: [], more_ignored: 0, trouble: null };
      return {
        tasks: [{ task_id: 'T1', paths: ['package.json'] }],
        world: { 'T1#1': { changes: ['package.json'], end: { strays } } },
      };
    };
    const lost = 'another program changed package.json meanwhile, and what its worker wrote there was not kept';
    assert.equal(whyNot(stray('package.json')), lost);
    assert.equal(whyNot(stray('other/x')), null);
  });

  it('is that a person undid what its attempt changed, until the undo is taken back', () => {
    const undo = { type: 'UndoAttempt', task_id: 'T1', attempt: 1, leaves: [] } as const;
    const whyRefused = (...commands: readonly MissionCommand[]): string | null => {
      const { mission } = play({
        tasks: [{ task_id: 'T1', verify: [['a']] }],
        world: { 'T1#1': { verify: [1], changes: ['src/a.ts', 'src/b.ts'] } },
        script: commands.map((command) => ({ at: 'idle' as const, command })),
      });
      return cannotRetry(mission, 'T1', 'rerun-validation')?.reason ?? null;
    };
    const undone = 'There is nothing to validate again, because what its attempt changed was undone.';
    assert.equal(whyRefused(), null);
    assert.equal(whyRefused(undo), undone);
    assert.equal(whyRefused({ ...undo, leaves: ['src/b.ts'] }), null);
    assert.equal(whyRefused(undo, { ...undo, redo: true }), null);
  });
});
