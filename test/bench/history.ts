import { plainlyReceived } from '../support/receivedPlan';
import { decide } from '../../src/core/mission/decide';
import { pendingEffects } from '../../src/core/mission/effects';
import { evolve } from '../../src/core/mission/evolve';
import type { MissionEvent } from '../../src/core/model/events';
import type { InputBody } from '../../src/core/model/inputs';
import { laneOf, laneOfLaunch } from '../../src/core/model/lanes';
import type { Mission } from '../../src/core/model/state';
import { approvedPlanOf } from '../../src/core/plan/normalize';
import type { Actor } from '../../src/contracts/vocabulary/actors';
import type { Plan } from '../../src/contracts/plan';
import { openJournalStore } from '../../src/adapters/journal/open';
import { answer, planSha256 } from '../scenarios/world';
import { commandPlan } from './plans';

const runner: Actor = { kind: 'runner', name: 'mission-control' };
/** Appends that share a transaction: what is measured is reading. */
const together = 2000;

/** A journal of one mission of `command` tasks with at least so many events, decided by the core, in a world that is healthy. */
export function writeHistory(file: string, stream: string, events: number): { readonly events: number } {
  const opened = openJournalStore(file, 'write');
  if (!opened.ok) throw new Error(opened.refusal.reason);
  const store = opened.value;
  const began = Date.UTC(2026, 0, 1);
  let ticks = 0;
  const clock = (): string => new Date(began + ticks++ * 50).toISOString();
  const raised = store.raiseFence({ at: clock(), pid: process.pid, actor: runner });
  if (!raised.ok) throw new Error(raised.refusal.reason);
  const { fence } = raised.value;
  let written = 0;
  let waiting: { run_id: string; at: string; actor: Actor; event: string }[] = [];
  const flush = (): void => {
    const [receipt] = store.append([{ stream, expectedSeq: written, fence, entries: waiting }]);
    if (receipt?.ok !== true) throw new Error(receipt?.reason);
    written += waiting.length;
    waiting = [];
  };
  let mission: Mission | null = null;
  const take = (body: InputBody): void => {
    const at = clock();
    const serial = ticks.toString(16).padStart(12, '0');
    const launch_id = `00000000-0000-4000-8000-${serial}`;
    const fresh = { launch_id, session_id: `00000000-0000-4000-9000-${serial}`, nonce: serial.padStart(32, '0') };
    for (const event of decide(mission, { at, actor: runner, fresh, body })) {
      waiting.push({ run_id: runId, at, actor: runner, event: JSON.stringify(event) });
      mission = evolve(mission, entryOf(stream, written + waiting.length, at, fence, event));
    }
    if (waiting.length >= together) flush();
  };
  const plan = commandPlan(Math.ceil(events / eventsOfTask), 'src/') as unknown as Plan;
  take({
    type: 'PlanReceived',
    mission_id: stream,
    plan: approvedPlanOf(plan, { defaultWorker: 'codex' }),
    plan_path: 'docs/plans/PLAN_BENCH.json',
    plan_sha256: planSha256,
    ...plainlyReceived,
    tool_version: '0.0.0-bench',
  });
  const answered = new Set<string>();
  for (;;) {
    const state = mission as Mission | null;
    if (!state) throw new Error('The mission was not received.');
    const effect = pendingEffects(state).find(({ key }) => !answered.has(key));
    if (!effect) break;
    answered.add(effect.key);
    const lane =
      'launch_id' in effect
        ? laneOfLaunch(state, effect.launch_id)?.lane
        : 'task_id' in effect
          ? laneOf(state, effect.task_id)
          : undefined;
    const report = answer(effect, state, lane, {}, clock);
    if (report) take(report);
  }
  if (waiting.length > 0) flush();
  store.close();
  return { events: written };
}

const eventsOfTask = 24;
const runId = '00000000-0000-4000-a000-000000000000';

function entryOf(stream: string, seq: number, at: string, fence: number, event: MissionEvent) {
  return { stream, seq, run_id: runId, at, actor: runner, fence, event, prev_hash: '', hash: hashPlace };
}
/** A hash as long as a real one: the store makes those. */
const hashPlace = '0'.repeat(64);
