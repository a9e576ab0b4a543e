import assert from 'node:assert/strict';
import { attemptEvents } from '../../src/core/mission/events/attempt';
import { launchEvents } from '../../src/core/mission/events/launch';
import { missionEvents } from '../../src/core/mission/events/mission';
import { orchestratorEvents } from '../../src/core/mission/events/orchestrator';
import { fold } from '../../src/core/mission/evolve';
import { taskEvents } from '../../src/core/mission/events/task';
import { cases } from './cases';
import { played } from './played';

/** Events that no scenario plays. Tests with real processes and files make them: an owner that ends, a handoff, a file in the way. */
const elsewhere: readonly string[] = [
  ...['ArchiveBegun', 'EffectFailed', 'ObstacleMoved', 'OwnerResumed', 'HandoffRefused', 'MissionMoved'],
  ...['HandoffImported', 'WorkerSessionSeen', 'OrchestratorUsageSeen'],
];

describe('every event of the journal', () => {
  it('is played by a scenario, or stands in the list of those that other tests make', function () {
    this.timeout(300_000);
    const tables = { ...missionEvents, ...taskEvents, ...attemptEvents, ...launchEvents, ...orchestratorEvents };
    const happened = new Set(
      cases().flatMap(([, scenarios]) =>
        scenarios.flatMap((scenario) => played(scenario).entries.map(({ event }) => event.type as string)),
      ),
    );
    assert.deepEqual(
      Object.keys(tables).filter((name) => !happened.has(name)),
      elsewhere,
    );
  });

  it('that dispatches a session is folded only with the row of its task and its packet', () => {
    const entries = cases()
      .flatMap(([, scenarios]) => scenarios)
      .map((scenario) => played(scenario).entries)
      .find((all) => all.some(({ event }) => event.type === 'OrchestratorDispatched'));
    assert.ok(entries);
    const changed = (other: object): typeof entries =>
      entries.map((entry) =>
        entry.event.type === 'OrchestratorDispatched' ? { ...entry, event: { ...entry.event, ...other } } : entry,
      );
    fold(changed({}));
    assert.throws(() => fold(changed({ packet_id: 'M.p99' })), /M\.p99/);
    assert.throws(() => fold(changed({ task_id: 'T99' })), /T99/);
  });
});
