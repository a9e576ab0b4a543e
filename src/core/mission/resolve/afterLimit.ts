import { runner } from '../../../contracts/vocabulary/actors';
import { afterLimit } from '../../../contracts/vocabulary/plan';
import { moment, parseMoment } from '../../ledger/time';
import type { MissionEvent } from '../../model/events';
import { waitsForPerson } from '../../model/lanes';
import { openPackets, rowOf, type Mission, type Packet, type TaskRow } from '../../model/state';
import { cannotResolve } from './packetCommands';

/** A blocked task that goes on by itself once the limit of its provider has ended. */
interface LimitWait {
  readonly task_id: string;
  readonly packet_id: string;
  /** When the limit ends, as its CLI says; ISO-8601. */
  readonly ends: string;
  /** When the task goes on. */
  readonly at: string;
  /** How often it has done so with this time, since a person last decided about it. */
  readonly time: number;
}

/**
 * The tasks that go on by themselves now. None while a pause, a cancellation, a move or a failure keeps them from it.
 */
export function limitWaits(mission: Mission): readonly LimitWait[] {
  const { execution, hold, cancel, moved, rows } = mission;
  if (execution !== 'EXECUTING' || hold.kind !== 'none' || (cancel ?? moved) !== null) return [];
  if (rows.some(({ status }) => status === 'failed')) return [];
  return openPackets(mission).flatMap((packet) => limitWait(mission, packet) ?? []);
}

/**
 * Says how the task of a packet goes on by itself while nothing holds the mission; null: a person decides about it. It
 * needs the approved plan's word, an end that is known and near, and a packet without a person's question.
 */
export function limitWait(mission: Mission, packet: Packet): LimitWait | null {
  const { packet_id, task_id, issued_at, question, state } = packet;
  if (mission.plan.after_limit !== 'resume' || state.kind !== 'open' || question) return null;
  const row = rowOf(mission, task_id);
  const ends = row && waitsForPerson(row) ? limitEnd(row, packet) : null;
  if (ends === null || !isLatest(mission, packet)) return null;
  const at = resumesAt(issued_at, ends);
  const time = timesOf(mission, task_id) + 1;
  if (at === null || time > afterLimit.times) return null;
  if (cannotResolve(mission, { packet_id, outcome: 'retry-repair' })) return null;
  return { task_id, packet_id, ends, at, time };
}

/** Says whether a person decides about a blocked task, rather than the end of a limit. */
export function needsDecision(mission: Mission, row: TaskRow): boolean {
  if (!waitsForPerson(row)) return false;
  const packet = mission.packets.findLast(({ task_id }) => task_id === row.task.task_id);
  return !packet || limitWait(mission, packet) === null;
}

/** `needsDecision` for the mission as it is now, because a pause leaves every task to a person. */
export function waitsForDecision(mission: Mission, row: TaskRow): boolean {
  return waitsForPerson(row) && !limitWaits(mission).some(({ task_id }) => task_id === row.task.task_id);
}

/** The runner answers the packet as the approved plan says. No events: it is too early, or a person was faster. */
export function goOnAfterLimit(mission: Mission, packetId: string, now: string): readonly MissionEvent[] {
  const wait = limitWaits(mission).find(({ packet_id }) => packet_id === packetId);
  if (!wait || !isOver(wait.at, now)) return [];
  const { packet_id, ends, time } = wait;
  const reason = `The limit of its provider ended at ${ends}. The approved plan lets the task go on by itself then (execution.recovery.after_limit), ${time} of ${afterLimit.times} times.`;
  return [{ type: 'PacketResolved', packet_id, outcome: 'retry-repair', decision: { actor: runner, reason, at: now } }];
}

/** The end that the CLI of the blocked attempt gave as a time; null: it gave no time, or something else blocked it. */
function limitEnd({ attempts }: TaskRow, packet: Packet): string | null {
  const failure = attempts.find(({ attempt }) => attempt === packet.attempt)?.failure;
  if (failure?.kind !== 'recoverable' || failure.category !== 'rate_limited' || failure.human_only !== null)
    return null;
  return failure.limit_ends?.at ?? null;
}

/** A while after the end, and after the block where that came later; null: the end is no time, or too far. */
function resumesAt(issuedAt: string, ends: string): string | null {
  const [end, block] = [parseMoment(ends), parseMoment(issuedAt)];
  if (end === null || block === null || end - block > afterLimit.longest_hours * 3_600_000) return null;
  const at = Math.max(end, block) + afterLimit.margin_seconds * 1000;
  return moment(Math.ceil(at / 1000) * 1000).replace('.000Z', 'Z');
}

function isOver(at: string, now: string): boolean {
  const [due, time] = [parseMoment(at), parseMoment(now)];
  return due !== null && time !== null && time >= due;
}

function isLatest({ packets }: Mission, packet: Packet): boolean {
  return packets.findLast(({ task_id }) => task_id === packet.task_id) === packet;
}

/** Says how often the runner let the task go on since a person last decided about a packet of it. */
function timesOf({ packets }: Mission, taskId: string): number {
  const deciders = packets.flatMap(({ task_id, state }) =>
    task_id === taskId && state.kind === 'resolved' ? [state.decision.actor.kind] : [],
  );
  return deciders.slice(deciders.lastIndexOf('human') + 1).filter((kind) => kind === 'runner').length;
}
