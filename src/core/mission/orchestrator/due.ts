import { withoutEnd } from '../../../base/text/plainLine';
import type { ReasonCategory } from '../../../contracts/vocabulary/codes/codes';
import type { MissionEvent } from '../../model/events';
import type { Fresh } from '../../model/inputs';
import { nextRunDir } from '../../model/runDirs';
import { liveSession, type Session } from '../../model/session';
import { attemptOf, categoryOf, openPackets, type Packet, packetOf, type Progress, rowOf } from '../../model/state';
import { waitOf } from '../resolve/waits';
import { budgetPause } from '../parts/budget';

/** The session that is due once every packet is written; empty: a person decides alone. Source: decision 74. */
export function orchestratorDue(mission: Progress, fresh: Fresh): readonly MissionEvent[] {
  if (!mission.orchestrator || mission.lanes.length > 0 || liveSession(mission) || budgetPause(mission)) return [];
  const packet = openPackets(mission).find((one) => isForOrchestrator(mission, one));
  if (!packet) return [];
  const { launch_id, session_id, nonce } = fresh;
  const run_dir = nextRunDir(mission, 'orchestrator');
  const { packet_id, task_id } = packet;
  return [{ type: 'OrchestratorDispatched', packet_id, task_id, launch_id, session_id, nonce, run_dir }];
}

/** Says why a live session is to be ended, without a full stop; null: nothing asks for that. */
export function sessionStopReason(mission: Progress, session: Session): string | null {
  return decidedByPerson(mission, session) ?? session.stop?.reason ?? overBudget(mission);
}

/** Says that a person was faster, as a sentence; `over` is what `decidedByPerson` returns. */
export function personWasFaster(over: string): string {
  return `A person was faster: ${withoutEnd(over)}.`;
}

/** Says that the plan stops agents because its budget is used up; null: it does not, or it is not. */
export function overBudget(mission: Progress): string | null {
  return mission.plan.budget.on_exceed === 'stop' && budgetPause(mission)
    ? 'The budget of the plan is used up, and the plan says to stop then.'
    : null;
}

/** Says what a person decided since the session was dispatched, so that nothing it decides counts; null: nothing. */
export function decidedByPerson(mission: Progress, { packet_id, task_id, stopped_by }: Session): string | null {
  const { cancel, hold, moved } = mission;
  if (stopped_by) return `it was stopped by ${stopped_by.actor.name}: ${stopped_by.reason}`;
  if (cancel) return `the mission was canceled by ${cancel.actor.name}: ${cancel.reason}`;
  if (hold.kind === 'pause_requested')
    return `a pause was asked for by ${hold.decision.actor.name}: ${hold.decision.reason}`;
  if (hold.kind === 'paused') return `the mission is paused: ${hold.reason}`;
  if (moved) return `the run was given away by ${moved.decision.actor.name}`;
  const { skipped } = rowOf(mission, task_id);
  if (skipped) return `task ${task_id} was skipped by ${skipped.decision.actor.name}`;
  const { question, state } = packetOf(mission, packet_id);
  if (state.kind === 'resolved') return `${state.decision.actor.name} decided about the packet`;
  if (state.kind === 'superseded') return `the packet was superseded: ${state.reason}`;
  return question ? `${question.asked_by.name} put a question on the packet` : null;
}

/** Blocks that only a person decides about. */
const forPeople: ReadonlySet<ReasonCategory> = new Set([
  'permission_recovery_exhausted',
  'awaiting_user',
  'budget_exceeded',
]);

function isForOrchestrator(mission: Progress, packet: Packet): boolean {
  if (!packet.written || packet.question || forPeople.has(categoryOf(mission, packet))) return false;
  const row = rowOf(mission, packet.task_id);
  const failure = attemptOf(mission, packet)?.failure;
  const humanOnly = failure?.kind === 'recoverable' && failure.human_only !== null;
  if (humanOnly || waitOf(mission, packet)?.goesOn) return false;
  return row.status === 'blocked' && !row.skipped && !dispatchedSince(mission, packet.task_id);
}

/** Returns whether a session was dispatched for the task since a person last decided about a packet of it. */
function dispatchedSince({ packets, sessions }: Progress, taskId: string): boolean {
  const last = packets.findLastIndex(
    ({ task_id, state }) => task_id === taskId && state.kind === 'resolved' && state.decision.actor.kind === 'human',
  );
  return sessions.some(
    ({ task_id, packet_id }) => task_id === taskId && packets.findIndex((one) => one.packet_id === packet_id) > last,
  );
}
