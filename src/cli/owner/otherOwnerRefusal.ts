import { offeredSteps, stepLines } from '../../base/text/steps';
import { fewNamed } from '../../base/text/firstNamed';
import type { Refusal } from '../../base/outcome';
import type { MissionView } from '../../contracts/page/missionView';
import type { Invocation } from '../shell/command';
import { looking, snapshotOf } from './session';
import { stateFolderOf } from '../../adapters/state/folder';
import { ownerWords } from '../../adapters/state/lease';
import { createTimers, systemClock } from '../../adapters/system/clock';
import { terminal } from '../../base/text/marked/terminal';
import type { LongWait } from '../../engine/owner/deliver';

/** Adds to the refusal by another owner what runs there, and what a person can do about it. */
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
    ({ ending, status, lanes, runs_on }) =>
      runs_on === undefined && ending === null && (status === 'running' || lanes.length > 0),
  );
}

/** Says on stderr for whom the command waits and how long, because it prints nothing else before the answer. */
export function longWait(call: Invocation): LongWait {
  return {
    clock: systemClock,
    timers: createTimers({ keepAlive: false }),
    tell: (isOver, seconds) => void tell(call, isOver, seconds),
  };
}

async function tell({ workspace, out }: Invocation, isOver: () => boolean, seconds: number): Promise<void> {
  // A look that fails must not end the command that waits.
  const owner = await ownerOf(workspace).catch(() => 'another process');
  if (isOver()) return;
  out.note(
    terminal`Waiting for ${owner}, which runs the missions of this folder: ${seconds} seconds at most. \`mission stop --all\` stops every worker without it.`,
  );
}

async function ownerOf(workspaceDir: string): Promise<string> {
  const { leaseDb } = stateFolderOf(workspaceDir);
  const words = await looking(workspaceDir, async (viewer) => viewer && ownerWords(leaseDb, viewer.journal));
  return (words.ok ? words.value : null) ?? 'another process';
}
