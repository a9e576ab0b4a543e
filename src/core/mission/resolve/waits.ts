import { utcText } from '../../../base/text/amounts';
import { runner } from '../../../contracts/vocabulary/actors';
import { afterLimit } from '../../../contracts/vocabulary/plan';
import type { WaitName } from '../../../contracts/vocabulary/waits';
import { moment, parseMoment } from '../../ledger/time';
import type { MissionEvent } from '../../model/events';
import { waitsForPerson } from '../../model/lanes';
import { openPackets, resolvedSince, rowOf, type Packet, type TaskRow, type Progress } from '../../model/state';
import { cannotResolve } from './packetCommands';

/** A kind of wait of a blocked task for a point in time. */
interface WaitKind {
  /** The task goes on by itself then, so its mission runs meanwhile. False: it stands still, and a person decides. */
  readonly goesOn: boolean;
  /** When the wait of a packet's task is over, and what is recorded then, from the journal alone; null: no such wait. */
  of(mission: Progress, packet: Packet): { readonly at: string; over(now: string): readonly MissionEvent[] } | null;
}

/** Every wait for a point in time. Its timer, its report and how its mission stands derive from its entry. */
const kinds: Readonly<Record<WaitName, WaitKind>> = {
  /** The runner tries the task again once the limit of its provider has ended, where the approved plan says so. */
  goes_on_at: {
    goesOn: true,
    of(mission, packet) {
      const { packet_id, task_id, issued_at, question, state } = packet;
      if (mission.plan.after_limit !== 'resume' || state.kind !== 'open' || question) return null;
      const row = rowOf(mission, task_id);
      const ends = waitsForPerson(row) ? limitEnd(row, packet) : null;
      const latest = mission.packets.findLast((one) => one.task_id === task_id);
      if (ends === null || latest !== packet) return null;
      const at = resumesAt(issued_at, ends);
      const time = timesOf(mission, task_id) + 1;
      if (at === null || time > afterLimit.times) return null;
      if (cannotResolve(mission, { packet_id, outcome: 'retry-repair' })) return null;
      const reason = `The limit of its provider ended at ${utcText(ends)}. The approved plan lets the task go on by itself then (execution.recovery.after_limit), ${time} of ${afterLimit.times} times.`;
      return {
        at,
        over: (now) => [
          { type: 'PacketResolved', packet_id, outcome: 'retry-repair', decision: { actor: runner, reason, at: now } },
        ],
      };
    },
  },
};

export interface Wait {
  /** Identifies the wait for ever. */
  readonly key: string;
  readonly name: WaitName;
  readonly packet: Packet;
  /** ISO-8601. */
  readonly at: string;
  readonly goesOn: boolean;
  over(now: string): readonly MissionEvent[];
}

/** Returns how the task of a packet waits while nothing holds the mission; null: for no time. */
export function waitOf(mission: Progress, packet: Packet): Wait | null {
  for (const [name, kind] of Object.entries(kinds) as [WaitName, WaitKind][]) {
    const wait = kind.of(mission, packet);
    if (wait) return { ...wait, key: `${name}:${packet.packet_id}`, name, packet, goesOn: kind.goesOn };
  }
  return null;
}

/** The waits of the mission now. None while a pause, a cancellation, a move or a failure keeps them from their end. */
export function waitsNow(mission: Progress): readonly Wait[] {
  const { execution, hold, cancel, moved, rows } = mission;
  if (execution !== 'EXECUTING' || hold.kind !== 'none' || (cancel ?? moved) !== null) return [];
  if (rows.some(({ status }) => status === 'failed')) return [];
  return openPackets(mission).flatMap((packet) => waitOf(mission, packet) ?? []);
}

export function timeHasCome(mission: Progress, key: string, now: string): readonly MissionEvent[] {
  const wait = waitsNow(mission).find((one) => one.key === key);
  const [due, time] = [parseMoment(wait?.at ?? ''), parseMoment(now)];
  return wait && due !== null && time !== null && time >= due ? wait.over(now) : [];
}

export function needsDecision(mission: Progress, row: TaskRow): boolean {
  if (!waitsForPerson(row)) return false;
  const packet = mission.packets.findLast(({ task_id }) => task_id === row.task.task_id);
  return !packet || !waitOf(mission, packet)?.goesOn;
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

/** Says how often the runner let the task go on since a person last decided about a packet of it. */
function timesOf(mission: Progress, taskId: string): number {
  return resolvedSince(mission, taskId).filter(({ decision }) => decision.actor.kind === 'runner').length;
}
