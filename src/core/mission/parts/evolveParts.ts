import { codeWords, signalWords } from '../../../base/text/endWords';
import type { EventMark } from '../../../contracts/page/missionView';
import type { progressEventTypes } from '../../../contracts/record/streamEvent';
import type { ContractCode, ReasonCategory } from '../../../contracts/vocabulary/codes/codes';
import type { Attempt, Launch } from '../../model/attempt';
import { changed, exchanged } from '../../model/draft';
import type { EventOf, MissionEvent } from '../../model/events';
import type { AttemptFailure, LaunchEnd } from '../../model/facts';
import type { FoldedEntry } from '../../model/journalEntry';
import { laneOf, laneOfLaunch } from '../../model/lanes';
import { runDirNumber } from '../../model/runDirs';
import { type Session, liveSession } from '../../model/session';
import { type Mission, type Packet, type TaskRow, type Tasks, rowPlace } from '../../model/state';

export interface EventEntry<E extends MissionEvent> {
  readonly shown: {
    /** Its type in the stream of events, where it is not the contract's own. */
    readonly stream: (typeof progressEventTypes)[number];
    /** What a person sees of it before they read it. Absent: it changes nothing for them. */
    readonly mark?: EventMark | ((event: E) => EventMark | undefined);
    /** `mission run` prints it. */
    readonly printed?: true;
    /** A step of the machinery, or another event says it as well: no person looks for it among the newest ones. */
    readonly fine?: true;
    /** Its sentence does not name its task, so a line beside other lanes does. */
    readonly ofLane?: true;
  };
  /** The mission after it. Throws only on a broken invariant. */
  readonly fold: Fold<E>;
  /** A sentence for a person. */
  readonly line: (event: E, mission: Mission) => string;
}

/** By type, every event of the journal; a file has a part of them. */
export type EventTable = { readonly [T in MissionEvent['type']]: EventEntry<EventOf<T>> };

type Fold<E extends MissionEvent> = (mission: Mission, event: E, entry: FoldedEntry<MissionEvent>) => Mission;

/** Folds an event of a live attempt. @param also what else it changes */
export function inLane<E extends MissionEvent & ({ readonly task_id: string } | { readonly launch_id: string })>(
  change: (attempt: Attempt, event: E, entry: FoldedEntry<MissionEvent>) => Partial<Attempt>,
  also?: (mission: Mission, event: NoInfer<E>) => Partial<Mission>,
): Fold<E> {
  return (mission, event, entry) => {
    const lane = 'task_id' in event ? laneOf(mission, event.task_id) : laneOfLaunch(mission, event.launch_id)?.lane;
    if (!lane) throw new Error(`Broken invariant: ${event.type} without a live attempt.`);
    return changed(withLane(mission, lane, change(lane, event, entry)), also?.(mission, event) ?? {});
  };
}

export function inRow<E extends MissionEvent & { readonly task_id: string }>(
  change: (row: TaskRow, event: E, entry: FoldedEntry<MissionEvent>) => Partial<TaskRow>,
): Fold<E> {
  return (mission, event, entry) => withRow(mission, event.task_id, (row) => change(row, event, entry));
}

export function inPacket<E extends MissionEvent & { readonly packet_id: string }>(
  change: (packet: Packet, event: E) => Partial<Packet>,
): Fold<E> {
  return (mission, event) => withPacket(mission, event.packet_id, (packet) => change(packet, event));
}

export function inSession<E extends MissionEvent>(
  change: (session: Session, event: E, entry: FoldedEntry<MissionEvent>) => Partial<Session>,
  also?: Partial<Mission>,
): Fold<E> {
  return (mission, event, entry) =>
    withSession(also ? { ...mission, ...also } : mission, (session) => change(session, event, entry));
}

export function runDirsSoFar({ launches }: Tasks, { run_dir }: { readonly run_dir: string }): Partial<Mission> {
  return { launches: Math.max(launches, runDirNumber(run_dir)) };
}

export function withLane(mission: Mission, lane: Attempt, facts: Partial<Attempt>): Mission {
  return changed(mission, { lanes: exchanged(mission.lanes, mission.lanes.indexOf(lane), changed(lane, facts)) });
}

export function withRow(mission: Mission, taskId: string, change: (row: TaskRow) => Partial<TaskRow>): Mission {
  const place = rowPlace(mission, taskId);
  const row = mission.rows[place];
  if (!row) throw new Error(`Broken invariant: no row for task ${taskId}.`);
  return changed(mission, { rows: exchanged(mission.rows, place, changed(row, change(row))) });
}

export function withPacket(mission: Mission, packetId: string, change: (packet: Packet) => Partial<Packet>): Mission {
  const place = mission.packets.findLastIndex((packet) => packet.packet_id === packetId);
  const packet = mission.packets[place];
  if (!packet) throw new Error(`Broken invariant: no packet ${packetId}.`);
  return changed(mission, { packets: exchanged(mission.packets, place, changed(packet, change(packet))) });
}

export function withSession(mission: Mission, change: (session: Session) => Partial<Session>): Mission {
  const live = liveSession(mission);
  if (!live) throw new Error('Broken invariant: an event of an orchestrator session without one.');
  return changed(mission, {
    sessions: exchanged(mission.sessions, mission.sessions.length - 1, changed(live, change(live))),
  });
}

export function withLaunch(
  { launches }: Attempt,
  launchId: string,
  facts: Partial<Launch>,
): Partial<Pick<Attempt, 'launches'>> {
  const place = launches.findIndex((launch) => launch.launch_id === launchId);
  const launch = launches[place];
  return launch ? { launches: exchanged(launches, place, changed(launch, facts)) } : {};
}

/** The attempt waits for its verdict, with this failure. @param code a validator's; absent: that of the category */
export function blocked(why: Block, code?: ContractCode): Pick<Attempt, 'stage'> {
  const human_only = humanOnly[why.category] ?? null;
  const failure = { kind: 'recoverable', ...why, human_only, ...(code && { code }) } as const;
  return { stage: { at: 'judging', failure } };
}

type Recoverable = Extract<AttemptFailure, { kind: 'recoverable' }>;
export type Block = Omit<Recoverable, 'kind' | 'human_only' | 'code'>;

const humanOnly: Partial<Record<ReasonCategory, Recoverable['human_only']>> = {
  permission_recovery_exhausted: 'permission_recovery',
  model_refused: 'model_policy',
  profile_limit: 'model_policy',
};

export function names(all: readonly string[]): string {
  return all.length > 10 ? `${all.slice(0, 10).join(', ')} and ${all.length - 10} more` : all.join(', ');
}

export function endWords(end: LaunchEnd): string {
  if (end.did_not_exit) return 'it did not exit by itself';
  if (end.reason !== 'exited') return end.reason.replaceAll('_', ' ');
  if (end.signal !== null) return `signal ${signalWords(end.signal)}`;
  return `exit code ${end.exit_code === null ? 'unknown' : codeWords(end.exit_code)}`;
}
