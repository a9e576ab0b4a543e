import assert from 'node:assert/strict';
import { leftWord } from '../../src/base/nameMark';
import type { LaunchLayers } from '../../src/contracts/launch';
import { waitsInLayer } from '../../src/core/confinement/boundary';
import { dueMerges } from '../../src/core/lifecycle/parts/merges';
import type { Effect } from '../../src/core/mission/effects';
import type { Attempt } from '../../src/core/model/attempt';
import type { Report } from '../../src/core/model/inputs';
import { rowOf, type Mission } from '../../src/core/model/state';
import { laneOf } from '../../src/core/model/lanes';
import { waitingWork } from '../../src/core/model/waitingWork';
import { overlaps } from '../../src/core/paths/compare';
import type { EventOf, MissionEvent } from '../../src/core/model/events';
import type { AttemptScript } from './scenario';

const tree = { at: '/ws', up: '/l/up', seen_by: [], seen_at: '/l/at' };

/** The layers of a launch whose script has some. */
export function layersOf({
  layered,
  landing,
  held,
}: AttemptScript): Pick<AttemptScript, 'held'> & { readonly layers?: LaunchLayers } {
  const links = held && { held };
  if (!layered && !landing) return { ...links };
  const waits = landing && ({ waits: true } as const);
  return { ...links, layers: { folder: '/l', kept: '/k', home: null, caches: [], tree: { ...tree, ...waits } } };
}

/** Says that the layer is not there in which work waited. */
export function lost(
  { task_id, attempt }: Pick<Attempt, 'task_id' | 'attempt'>,
  { launch_id }: { readonly launch_id: string },
): Report {
  const unit = { task_id, attempt, launch_id };
  return { type: 'WorkCouldNotLand', ...unit, changed: [], gone: true, reason: 'The layer that held it is not there.' };
}

/** Says what becomes of the work that waits. */
export function landed(
  { task_id, attempt }: Extract<Effect, { readonly kind: 'landWork' }>,
  lane: Attempt | undefined,
  script: AttemptScript,
  mission: Mission,
): Report {
  const { landing } = script;
  if (lane?.stage.at === 'landing' && lane.stage.merges) return merged(mission, lane, script);
  const launch_id = lane?.stage.at === 'landing' ? lane.stage.launch_id : '';
  const unit = { task_id, attempt, launch_id };
  if (landing === 'lands') return { type: 'WorkHasLanded', ...unit };
  if (landing === 'gone') return lost(unit, unit);
  const changed = landing === 'changed' ? ['src/a.ts'] : [];
  return { type: 'WorkCouldNotLand', ...unit, changed, reason: 'It cannot be put there.' };
}

/** Says what becomes of what other tasks put into the workspace meanwhile. */
function merged(mission: Mission, lane: Attempt, { clashes }: AttemptScript): Report {
  const row = rowOf(mission, lane.task_id);
  const due = dueMerges(mission, row, lane);
  const launch_id = lane.stage.at === 'landing' ? lane.stage.launch_id : '';
  const unit = { type: 'WorkCouldNotLand', task_id: lane.task_id, attempt: lane.attempt, launch_id } as const;
  const others = due.map(({ path, task_id }) => ({ path, task_id }));
  if (clashes) return { ...unit, changed: due.map(({ path }) => path), conflicts: others, reason: 'Both changed it.' };
  const taken = due.map((one) => ({
    ...{ name: one.path, was: { kind: 'nothing' } as const, task_id: one.task_id },
    ...{ left: leftWord(one), since: undefined },
  }));
  return { ...unit, changed: [], merged: taken, reason: 'It is verified once more.' };
}

/** Returns whether the work of both waits in layers, so that they may write in the same paths. */
export function shareLayers(mission: Mission | null, holder: string, task: string): boolean {
  const [one, other] = [holder, task].map((id) => mission && rowOf(mission, id));
  return Boolean(mission && one && other && waitsInLayer(mission, one) && waitsInLayer(mission, other, false));
}

/** Returns how invariants 22 and 23 are broken. */
export function landedWrongly(
  entries: readonly { readonly event: MissionEvent }[],
  mission: Mission,
): readonly string[] {
  return [
    ...landedUnaccepted(entries, mission).map((task) => `work of ${task} lands that no person accepted`),
    ...landedUnverified(entries, mission).map((task) => `work of ${task} lands that was not verified`),
    ...doneUnlanded(mission).map((task) => `${task} is done, and its work waits`),
  ];
}

/** Invariant 22: with `landing` accepted, a person accepted what lands. Returns the tasks of which that is not so. */
function landedUnaccepted(
  entries: readonly { readonly event: MissionEvent }[],
  { plan }: Pick<Mission, 'plan'>,
): readonly string[] {
  const accepted = new Set<string>();
  const worked = new Map<string, string>();
  return entries.flatMap(({ event }) => {
    if (event.type === 'LaunchRequested' && event.purpose.kind === 'worker') worked.set(event.task_id, event.launch_id);
    if (event.type === 'QuestionAnswered' && event.choice === 'accept' && event.decision.actor.kind === 'human')
      accepted.add(worked.get(event.task_id) ?? '');
    const isUnasked =
      event.type === 'LandingRequested' &&
      !event.merges &&
      plan.landing === 'accepted' &&
      !accepted.has(event.launch_id);
    return isUnasked ? [event.task_id] : [];
  });
}

/** Invariant 23: returns tasks whose work lands although not all of their verify commands passed since it last changed. */
function landedUnverified(
  entries: readonly { readonly event: MissionEvent }[],
  { plan }: Pick<Mission, 'plan'>,
): readonly string[] {
  const asked = new Map<string, readonly string[]>();
  const passed = new Set<string>();
  return entries.flatMap(({ event }) => {
    if (event.type === 'AttemptStarted' || (event.type === 'WorkNotLanded' && event.merged))
      asked.set(event.task_id, []);
    if (event.type === 'LaunchRequested' && event.purpose.kind === 'verify')
      asked.set(event.task_id, [...(asked.get(event.task_id) ?? []), event.launch_id]);
    if (event.type === 'VerifyEnded' && event.result.end.exit_code === 0) passed.add(event.launch_id);
    if (event.type !== 'LandingRequested' || event.merges) return [];
    const { verify = [] } = plan.tasks.find(({ task_id }) => task_id === event.task_id) ?? {};
    const count = (asked.get(event.task_id) ?? []).filter((id) => passed.has(id)).length;
    return count < verify.length ? [event.task_id] : [];
  });
}

/** Invariant 23: looks at what must be true before work is put into the workspace, or merged. */
export function assertMayLand(mission: Mission, { task_id, merges }: EventOf<'LandingRequested'>): void {
  const row = rowOf(mission, task_id);
  const lane = laneOf(mission, task_id);
  assert.ok(lane && waitingWork(row, lane), `${task_id} has no work that waits`);
  for (const other of mission.lanes)
    if (other !== lane && other.stage.at === 'landing')
      for (const path of rowOf(mission, other.task_id).scope.paths)
        assert.ok(!row.scope.paths.some((own) => overlaps(own, path)), `${task_id} lands beside ${other.task_id}`);
  assert.equal(dueMerges(mission, row, lane).length > 0, merges === true, `what ${task_id} lands is not merged`);
}

/** Invariant 23: returns tasks that are done while their work still waits in a layer. */
function doneUnlanded({ rows }: Mission): readonly string[] {
  return rows.flatMap((row) => {
    const last = row.attempts.at(-1);
    return row.status === 'done' && last && waitingWork(row, last) ? [row.task.task_id] : [];
  });
}
