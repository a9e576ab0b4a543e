import assert from 'node:assert/strict';
import { evolve } from '../../../../src/core/mission/evolve';
import type { MissionEvent } from '../../../../src/core/model/events';
import type { Mission } from '../../../../src/core/model/state';
import { missionView } from '../../../../src/core/view/mission/missionView';
import { cases } from '../../../scenarios/cases';
import { play } from '../../../scenarios/play';

const tasks = [{ task_id: 'T1' }];

function view(mission: Mission): ReturnType<typeof missionView> {
  return missionView(mission, [], new Map(), true);
}

function with_(mission: Mission, event: MissionEvent): Mission {
  const [seq, at] = [mission.last_seq + 1, '2026-01-02T00:00:00.000Z'];
  return evolve(mission, { seq, run_id: 'r', at, event, hash: '' });
}

/** T1 has not begun. */
function begun(): Mission {
  const { entries } = play({ tasks });
  const first = entries.findIndex(({ event }) => event.type === 'AttemptStarted');
  return entries.slice(0, first).reduce<Mission | null>((mission, entry) => evolve(mission, entry), null) as Mission;
}

describe('what a person has to look at', () => {
  it('is nothing while a mission goes on or a person paused it', () => {
    assert.equal(view(begun()).attention, null);
    const paused = with_(begun(), { type: 'MissionPaused', reason: 'Paused by ada: lunch' });
    assert.equal(view(paused).status, 'paused');
    assert.equal(view(paused).attention, null);
  });

  it('is a ledger that contradicts itself, until a person resumes it', () => {
    const pause = {
      type: 'MissionPaused',
      code: 'LEDGER_INCONSISTENT',
      reason: 'LEDGER_INCONSISTENT: no row.',
    } as const;
    const found = view(with_(begun(), pause));
    assert.deepEqual(found.attention, {
      code: 'LEDGER_INCONSISTENT',
      reason: 'LEDGER_INCONSISTENT: no row.',
      key: 'LEDGER_INCONSISTENT 2026-01-02T00:00:00.000Z',
      next: [
        { command: 'journal verify', args: { mission: 'M' } },
        { command: 'cancel', args: { mission: 'M' } },
      ],
    });
    const decision = {
      actor: { kind: 'human', name: 'ada' },
      reason: 'mended',
      at: '2026-01-03T00:00:00.000Z',
    } as const;
    assert.equal(view(with_(with_(begun(), pause), { type: 'MissionResumed', decision })).attention, null);
  });

  it('names no step that is refused: a stopped agent has a packet, a used-up budget is resumed', () => {
    const of = (title: string): Mission => {
      const found = cases().flatMap(([, scenarios]) =>
        scenarios.filter((scenario) => scenario.title.startsWith(title)),
      );
      return play(found[0] ?? assert.fail(title)).mission;
    };
    const stopped = of('a budget that stops ends every agent that runs');
    assert.deepEqual([view(stopped).attention, view(stopped).blocks.length], [null, 2]);
    const paused = of('a budget of tokens that is used up');
    assert.equal(view(paused).attention?.next?.[0]?.command, 'resume');
  });

  it('is a process tree that is not proven gone, with and without a packet', () => {
    for (const on_block of ['recover', 'fail'] as const) {
      const world = { 'T1#1': { end: { exit_code: 1, tree_gone: false, survivors: [7] } } };
      const { mission } = play({ on_block, tasks, world });
      const { attention, status } = view(mission);
      assert.equal(status, 'paused', on_block);
      assert.ok(attention);
      assert.equal(attention.code, null);
      assert.match(attention.reason, /^Processes of task T1 could not be proven gone/);
    }
  });
});
