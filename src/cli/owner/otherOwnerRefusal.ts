import { offeredSteps, stepLines } from '../../base/text/steps';
import { fewNamed } from '../../base/text/firstNamed';
import type { Refusal } from '../../base/outcome';
import type { MissionView } from '../../contracts/page/missionView';
import type { Invocation } from '../shell/command';
import { looking, snapshotOf } from './session';

/**
 * The refusal of a command that has to own the missions, while another process does: with what runs there, and what a
 * person can do about it.
 */
export async function besideOwner(call: Invocation, refusal: Refusal): Promise<Refusal> {
  if (refusal.code !== 'LEASE_HELD') return refusal;
  const running = await runningIn(call);
  if (running.length === 0) return refusal;
  const ids = running.map(({ mission_id }) => mission_id);
  return {
    ...refusal,
    reason: `${refusal.reason} That process runs ${running.length === 1 ? 'mission' : 'the missions'} ${fewNamed(ids)} now.`,
    next: [
      ...running.slice(0, shownAtMost).flatMap(stepsFor),
      'Then repeat the command, or wait until what runs has ended.',
      'Or end that process; ownership is free at once.',
    ],
  };
}

/** Missions whose steps are listed; `mission status` names all. */
const shownAtMost = 3;

function stepsFor({ mission_id, offers }: MissionView): readonly string[] {
  return [`mission status ${mission_id}`, ...stepLines(offeredSteps(mission_id, offers, 'pause', 'stop'))];
}

async function runningIn(call: Invocation): Promise<readonly MissionView[]> {
  const view = await looking(call.workspace, (viewer) => snapshotOf(viewer, call.workspace));
  return (view.ok ? view.value.missions : []).filter(
    ({ ending, status, lanes }) => ending === null && (status === 'running' || lanes.length > 0),
  );
}
