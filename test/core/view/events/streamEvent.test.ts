import assert from 'node:assert/strict';
import { streamEventSchema, type StreamEvent } from '../../../../src/contracts/record/streamEvent';
import { recoveryEvents } from '../../../../src/core/mission/evidence/recoveryDocuments';
import type { MissionEvent } from '../../../../src/core/model/events';
import { fold } from '../../../../src/core/mission/evolve';
import {
  placeOfEventId,
  streamEvent,
  streamEventId,
  unreadableEvent,
} from '../../../../src/core/view/events/streamEvent';
import { cases } from '../../../scenarios/cases';
import { played } from '../../../scenarios/played';

/** Every event of every played mission, once as the journal grew and once as it is read afterwards. */
describe('events of the stream', () => {
  const missions = cases().flatMap(([file, all]) =>
    all.map((one, index) => ({ name: `${file} ${index}`, entries: played(one).entries })),
  );

  it('have the shape of the contract, whatever happened', () => {
    const types = new Set<string>();
    for (const { name, entries } of missions) {
      const mission = fold(entries);
      assert.ok(mission, name);
      for (const entry of entries) {
        const event = streamEvent(entry, mission);
        streamEventSchema.parse(JSON.parse(JSON.stringify(event)));
        types.add(event.type);
      }
    }
    assert.deepEqual(
      [...types].sort(),
      ['blocker', 'error', 'finding', 'milestone', 'progress', 'recovery', 'review', 'status', 'task'].sort(),
    );
  });

  it('tell each recovery once, as the contract words it, and each block as a blocker', () => {
    let recoveries = 0;
    for (const { name, entries } of missions) {
      const mission = fold(entries);
      assert.ok(mission, name);
      const told = entries.map((entry) => streamEvent(entry, mission));
      const of = (type: StreamEvent['type']): readonly StreamEvent[] => told.filter((event) => event.type === type);
      const expected = recoveryEvents(mission).flatMap((event) =>
        event.type === 'recovery' ? [{ ...event, payload: { ...event.payload, run_id: mission.run_id } }] : [],
      );
      recoveries += expected.length;
      assert.deepEqual(byId(of('recovery')), byId(expected), name);
      const packets = entries.filter(({ event }) => event.type === 'PacketIssued').length;
      assert.ok(of('blocker').length <= packets, name);
      // The fields of seed 002, with these names.
      for (const event of of('recovery'))
        for (const field of ['worker', 'issue_detected', 'action_taken', 'status', 'retry_count'])
          assert.ok(field in event.payload, `${name} ${field}`);
      for (const { payload } of of('blocker'))
        assert.ok(typeof payload['text'] === 'string' && typeof payload['details'] === 'string', name);
    }
    assert.ok(recoveries > 0);
  });

  it('name the run that a new owner resumes, and no other event does', () => {
    const [{ entries } = { entries: [] }] = missions;
    const mission = fold(entries);
    const [first] = entries;
    assert.ok(mission && first);
    const runOf = (event: MissionEvent): unknown => {
      const { type, payload } = streamEvent({ ...first, event }, mission);
      return type === 'status' && 'data' in payload ? (payload.data as { run_id?: string }).run_id : type;
    };
    const { file_system } = mission;
    const found = { found: 'y', ledger: { code: 'OK' as const, issues: [] }, tasks: [], file_system };
    assert.equal(runOf({ type: 'OwnerResumed', resumed_run_id: 'x', ...found }), mission.run_id);
    assert.equal(runOf({ type: 'ExecutionStarted' }), undefined);
  });

  it('have ids that name a place, and nothing else is one', () => {
    assert.deepEqual(placeOfEventId(streamEventId('PLAN-20260101T000000Z-abc', 12)), {
      mission_id: 'PLAN-20260101T000000Z-abc',
      seq: 12,
    });
    for (const id of [
      '',
      ':',
      'M',
      'M:',
      ':1',
      'M:0',
      'M:01',
      'M:-1',
      'M:1.5',
      'M:1 ',
      'M:1\n',
      'a b:1',
      `${'M'.repeat(201)}:1`,
    ])
      assert.equal(placeOfEventId(id), null, JSON.stringify(id));
  });

  it('say of an entry that cannot be read which one it is', () => {
    const event = unreadableEvent({ stream: 'M', seq: 3, at: '2026-01-02T03:04:05.678Z' }, 'it is torn.');
    streamEventSchema.parse(event);
    assert.deepEqual([event.type, event.id], ['error', 'M:3']);
  });
});

function byId(events: readonly { readonly id: string }[]): readonly unknown[] {
  return [...events].sort((left, right) => (left.id < right.id ? -1 : 1));
}
