import type { Outstanding } from '../../../contracts/record/changeEvidence';
import type { Undone } from '../../../contracts/taskEvidence';
import { leftBefore, notAsLeft } from '../../../base/fileState';
import { oneLine, withoutEnd } from '../../../base/text/plainLine';
import { answerText, grantWords, outcomeWords, taskSentence } from '../../../base/text/words';
import type { EventMark } from '../../../contracts/page/missionView';
import type { LedgerStatus } from '../../../contracts/vocabulary/execution';
import { revisedWords } from '../../evidence/revisedWords';
import { assertLegalTransition, reopens } from '../../ledger/transitions';
import { startedAttempt, withResultOf } from '../../lifecycle/startedAttempt';
import { inPacket, inRow, names, withLane, withPacket, withRow, withSession } from '../parts/evolveParts';
import type { EventTable } from '../parts/evolveParts';
import { withRevision } from '../revision/revisable';
import { retryTreeSearch, unprovenTree } from '../takeover/takeover';
import { appended, changed } from '../../model/draft';
import type { MissionEvent, EventOf } from '../../model/events';
import type { FoldedEntry } from '../../model/journalEntry';
import { laneOf } from '../../model/lanes';
import { nextRunDir } from '../../model/runDirs';
import { type Mission, packetOf, type TaskRow, rowOf, type Tasks } from '../../model/state';
import { listed, nameOfChange, placeKey, withAccepted } from '../../observation/outstanding';
import { changesAtEnd } from '../../observation/verifyChange';

export const taskEvents = {
  RowTransitioned: {
    shown: { stream: 'task', mark: ({ to }) => taskMarks[to], printed: true },
    fold: inRow(transition),
    line: (event, mission) =>
      taskSentence({
        ...{ task_id: event.task_id, status: event.to, code: event.code, reason: event.reason },
        stopped: wasStopped(mission, event.task_id, event.reason),
        skipped: event.to === 'canceled' && rowOf(mission, event.task_id).skipped !== null,
      }),
  },
  LockTaken: {
    shown: { stream: 'progress', fine: true },
    fold: inRow((_row, _event, { at }) => ({ lock: 'held', locked_at: at })),
    line: (event) => `Lock taken for ${event.task_id}: ${event.resources.join(', ')}.`,
  },
  LockReleased: {
    shown: { stream: 'progress', fine: true },
    fold: inRow(() => ({ lock: 'released' })),
    line: (event) => `Lock of ${event.task_id} released.`,
  },
  AttemptStarted: {
    shown: { stream: 'task', mark: 'begins', printed: true },
    fold: (mission, event, entry) => {
      if (laneOf(mission, event.task_id))
        throw new Error(`Broken invariant: an attempt of ${event.task_id} started while one is live.`);
      const row = rowOf(mission, event.task_id);
      const { grants } = row;
      // A copy, because the row's own grows with later answers.
      const answers = [...row.answers];
      const earlier = row.attempts.find(({ attempt }) => attempt === event.validates);
      const started = startedAttempt(event, nextRunDir(mission, event.task_id), entry);
      const { because } = event;
      const attempt = {
        ...(earlier ? withResultOf(earlier, started) : started),
        ...(because !== undefined && { because }),
        ...{ grants, answers },
      };
      return changed(
        withRow(mission, event.task_id, () => ({ retry: null, validates: null, grants: [], outdated: null })),
        { launches: mission.launches + 1, lanes: appended(mission.lanes, attempt) },
      );
    },
    line: (event) =>
      `Attempt ${event.attempt} of ${event.task_id} started${event.because === undefined ? '' : `: ${withoutEnd(event.because)}`}${event.decided_by ? `, decided by ${event.decided_by.actor.name}: ${withoutEnd(event.decided_by.reason)}` : ''}.`,
  },
  AttemptEnded: {
    shown: { stream: 'task', fine: true },
    fold: (mission, event, { at, seq }) => {
      const attempt = laneOf(mission, event.task_id);
      if (!attempt) throw new Error('Broken invariant: an attempt ended that was not live.');
      const { stage: _stage, audit: _audit, ...record } = attempt;
      const closed = { ...record, ended_at: at, ended_seq: seq, outcome: event.outcome, failure: event.failure };
      return changed(
        withRow(mission, event.task_id, (row) => ({
          attempts: appended(row.attempts, closed),
          unproven: unprovenTree(closed),
        })),
        { lanes: mission.lanes.filter((lane) => lane !== attempt) },
      );
    },
    line: (event) =>
      `Attempt ${event.attempt} of ${event.task_id} ${outcomeWords[event.outcome]}${event.failure ? `: ${event.failure.reason}` : '.'}`,
  },
  TaskEvidenceWritten: {
    shown: { stream: 'progress', fine: true },
    fold: inRow((_row, { type: _type, task_id: _task, ...evidence }) => ({ evidence })),
    line: (event) => `Evidence of ${event.task_id} written: ${event.status}.`,
  },
  MilestoneAccepted: {
    shown: { stream: 'milestone', mark: 'good' },
    fold: inRow((_row, { attempt, tree_sha256, head }, { at }) => ({
      acceptance: { attempt, tree_sha256, head, at, check: 'none', checks: 0 },
    })),
    line: (event) => `Milestone ${event.milestone} is accepted for the files ${event.tree_sha256.slice(0, 12)}.`,
  },
  AcceptanceAsked: {
    shown: { stream: 'milestone', fine: true },
    fold: inRow(({ acceptance }) => ({ acceptance: acceptance && { ...acceptance, check: 'asked' } })),
    line: (event) => `The files that ${event.task_id} accepted are read again.`,
  },
  AcceptanceChecked: {
    shown: { stream: 'milestone' },
    fold: inRow(({ acceptance, carried }, { holds, reason }) =>
      holds && acceptance
        ? { acceptance: { ...acceptance, check: 'held', checks: acceptance.checks + 1 } }
        : // The evidence that came with a handoff is that of the lost acceptance.
          { acceptance: null, outdated: reason, carried: carried && { ...carried, sha256: null } },
    ),
    line: (event) => event.reason,
  },
  ChangesOutstanding: {
    shown: { stream: 'finding', printed: true },
    fold: inRow((row, event) => ({ outstanding: listed(row.outstanding, event.changes) })),
    line: (event) =>
      `On the list of ${event.task_id} until gone or accepted: ${names(event.changes.map(nameOfChange))}.`,
  },
  OutstandingRead: {
    shown: { stream: 'status', fine: true },
    fold: inRow((row, { attempt, found: all }, { at }) => {
      const found = new Map([...all].reverse().map((one) => [placeKey(one), one]));
      return settle(row, (entry) =>
        found.get(placeKey(entry))?.gone === true ? { ...entry, settled: { how: 'gone', attempt, at } } : entry,
      );
    }),
    line: (event) =>
      `List of ${event.task_id} read: ${event.found.filter(({ gone }) => gone).length} of ${event.found.length} gone.`,
  },
  ChangesAccepted: {
    shown: { stream: 'status', printed: true },
    fold: inRow(({ outstanding }, event) => ({ outstanding: withAccepted(outstanding, event) })),
    line: (event) =>
      `Accepted for ${event.task_id} by ${event.decision.actor.name}: ${names(event.names)}. ${event.decision.reason}`,
  },
  PacketIssued: {
    shown: { stream: 'status', mark: 'bad', printed: true },
    fold: (mission, { packet_id, task_id, attempt, run_dir, question = null }, { at }) => ({
      ...mission,
      acknowledged: null,
      packets: appended(mission.packets, {
        ...{ packet_id, task_id: rowOf(mission, task_id).task.task_id, attempt, run_dir, question, issued_at: at },
        ...{ asked: 0, answer: null, writes: 0, written: null, state: { kind: 'open' } },
      }),
    }),
    line: (event) => `Recovery packet ${event.packet_id} issued for ${event.task_id}.`,
  },
  PacketWritten: {
    shown: { stream: 'status', fine: true },
    fold: inPacket((packet, event) => ({
      writes: packet.writes + 1,
      // A question that was put while the packet was written is not in it.
      written: event.asked === packet.asked ? { path: event.path, sha256: event.sha256 } : null,
    })),
    line: (event) => `Recovery packet written: ${event.path}.`,
  },
  PacketResolved: {
    shown: { stream: 'status', printed: true },
    fold: resolved,
    line: (event) => `Packet resolved by ${event.decision.actor.name} with ${event.outcome}: ${event.decision.reason}`,
  },
  PacketSuperseded: {
    shown: { stream: 'status', fine: true },
    fold: inPacket((_packet, event) => ({
      state: { kind: 'superseded', reason: event.reason },
    })),
    line: (event) => `Packet superseded: ${event.reason}`,
  },
  QuestionAsked: {
    shown: { stream: 'review', mark: 'waits' },
    fold: (mission, event) =>
      withPacket({ ...mission, acknowledged: null }, event.packet_id, (packet) => ({
        question: event.question,
        answer: null,
        asked: packet.asked + 1,
        written: null,
      })),
    line: (event) => `Asked by ${event.decision.actor.name} about ${event.task_id}: ${event.question.text}`,
  },
  QuestionAnswered: {
    shown: { stream: 'review' },
    fold: (mission, event) => {
      const { type: _type, packet_id, task_id, ...answer } = event;
      const next = withPacket(mission, packet_id, () => ({ answer }));
      return withRow(next, task_id, (row) => ({ answers: appended(row.answers, answer) }));
    },
    line: (event) =>
      `The question of ${event.task_id} was answered by ${event.decision.actor.name}: ${oneLine(answerText(event))} (${event.decision.reason})`,
  },
  DirectoryGranted: {
    shown: { stream: 'status' },
    fold: inRow((row, event) => {
      const { type: _type, task_id: _task, packet_id: _packet, ...grant } = event;
      return { grants: appended(row.grants, grant) };
    }),
    line: (event) =>
      `Granted by ${event.decision.actor.name} for one attempt of ${event.task_id}: ${grantWords(event)}. ${event.decision.reason}`,
  },
  MetadataRevised: {
    shown: { stream: 'status' },
    fold: inRow((row, event) => {
      const { type: _type, task_id: _task, ...revision } = event;
      return withRevision(row, revision);
    }),
    line: (event) =>
      `${event.task_id} revised by ${event.decision.actor.name} from attempt ${event.attempt} on (${revisedWords(event)}): ${event.decision.reason}`,
  },
  TasksSkipped: {
    shown: { stream: 'task' },
    fold: (mission, event) => {
      const skipped = { decision: event.decision, chosen: event.task_id };
      const skip = (from: Mission, taskId: string): Mission =>
        withRow(from, taskId, () => ({ skipped, retry: null, validates: null }));
      return retryTreeSearch(event.task_ids.reduce(skip, mission));
    },
    line: (event) => `${names(event.task_ids)} skipped by ${event.decision.actor.name}: ${event.decision.reason}`,
  },
  UndoRequested: {
    shown: { stream: 'task', printed: true },
    fold: inRow((_row, { type: _type, task_id: _task, ...undoing }) => ({ undoing })),
    line: (event) =>
      `${event.redo ? 'Undo' : 'Attempt'} of ${event.task_id} to be ${event.redo ? 'taken back' : 'undone'} by ${event.decision.actor.name} (attempt ${event.attempt}): ${event.decision.reason}`,
  },
  UndoEnded: {
    shown: { stream: 'task', printed: true },
    fold: inRow((row, { paths, left }) => {
      if (!row.undoing) throw new Error('Broken invariant: an undo ended that was not requested.');
      const { attempt, redo, before_attempt, decision } = row.undoing;
      const undone = { attempt, ...(redo && { redo }), before_attempt, paths, left, decision };
      return { undoing: null, undone: appended(row.undone, undone), outstanding: outstandingAfter(row, undone) };
    }),
    line: (event) =>
      `${event.paths.length === 1 ? 'One file' : `${event.paths.length} files`} of attempt ${event.attempt} of ${event.task_id} put back${event.left.length === 0 ? '' : `; left as they are: ${names(event.left.map(({ path, why }) => `${path} (it ${why})`))}`}.`,
  },
  TaskStopRequested: {
    shown: { stream: 'status', printed: true },
    fold: (mission, event) => {
      const lane = laneOf(mission, event.task_id);
      if (lane) return withLane(mission, lane, { stop_requested: lane.stop_requested ?? event.decision });
      return withSession(mission, (session) => ({ stopped_by: session.stopped_by ?? event.decision }));
    },
    line: (event) => `Stop of ${event.task_id} requested by ${event.decision.actor.name}: ${event.decision.reason}`,
  },
  TreeLookedFor: {
    shown: { stream: 'progress', fine: true },
    fold: inRow((row, event) => ({
      retry: event.gone ? row.retry : null,
      validates: event.gone ? row.validates : null,
      unproven: event.gone || !row.unproven ? null : { ...row.unproven, looks: row.unproven.looks + 1, due: false },
    })),
    line: (event) =>
      event.gone
        ? `All processes of ${event.task_id} have ended.`
        : `Processes of ${event.task_id} are not proven gone: ${event.survivors.join(', ') || 'they could not be looked at'}.`,
  },
} satisfies Partial<EventTable>;

/** Returns whether a block with this reason is a person's stop. */
function wasStopped(mission: Tasks, taskId: string, reason: string): boolean {
  return rowOf(mission, taskId).attempts.some(
    ({ failure }) =>
      failure?.kind === 'recoverable' && failure.human_only === 'stopped_by_human' && failure.reason === reason,
  );
}

const taskMarks: { readonly [S in LedgerStatus]: EventMark | undefined } = {
  ...{ todo: undefined, in_progress: undefined },
  ...{ done: 'good', blocked: 'bad', failed: 'bad', canceled: 'ends' },
};

function transition(
  row: TaskRow,
  event: EventOf<'RowTransitioned'>,
  { at, seq }: FoldedEntry<MissionEvent>,
): Partial<TaskRow> {
  if (row.status !== event.from)
    throw new Error(`Broken invariant: task ${event.task_id} is ${row.status}, not ${event.from}.`);
  if (!reopens(row.task, event)) assertLegalTransition(event.task_id, event.from, event.to);
  const ended = event.to === 'done' || event.to === 'failed' || event.to === 'canceled';
  return {
    status: event.to,
    code: event.code,
    reason: event.reason,
    version: row.version + 1,
    started_at: row.started_at ?? (event.to === 'in_progress' ? at : null),
    ended_at: ended ? at : null,
    ended_seq: ended ? seq : null,
    ...(event.from === 'done' && { evidence: null }),
  };
}

function resolved(mission: Mission, event: EventOf<'PacketResolved'>): Mission {
  const next = withPacket(mission, event.packet_id, () => ({
    state: { kind: 'resolved', outcome: event.outcome, decision: event.decision },
  }));
  if (event.outcome === 'leave-blocked' || event.outcome === 'ask-user') return next;
  const packet = packetOf(next, event.packet_id);
  const whole = rowOf(next, packet.task_id).task.validator !== undefined;
  const validates = event.outcome === 'rerun-validation' && !whole ? packet.attempt : null;
  return retryTreeSearch(withRow(next, packet.task_id, () => ({ retry: event.decision, validates })));
}

/** Settles what blocked the task and is as before now; what is put back there again blocks again. */
function outstandingAfter(row: TaskRow, { attempt, redo, paths, decision }: Undone): TaskRow['outstanding'] {
  const put = new Set(paths);
  const undone = row.undone.filter((one) => one.attempt === attempt).map((one) => one.decision.at);
  const made = row.attempts.find((one) => one.attempt === attempt);
  const changes = changesAtEnd(made?.observed?.changes ?? [], made?.after_verify?.changes ?? []);
  return row.outstanding.map((entry) => {
    if (!put.has(entry.path)) return entry;
    if (redo)
      return entry.settled?.how === 'undone' && undone.includes(entry.settled.decision.at)
        ? { ...entry, settled: null }
        : entry;
    const change = changes.find((one) => placeKey(one) === placeKey(entry));
    const isGone = entry.settled === null && change && notAsLeft(leftBefore(entry), leftBefore(change)) === null;
    return isGone ? { ...entry, settled: { how: 'undone', decision } } : entry;
  });
}

function settle(row: TaskRow, change: (entry: Outstanding) => Outstanding): Pick<TaskRow, 'outstanding'> {
  return { outstanding: row.outstanding.map((entry) => (entry.settled === null ? change(entry) : entry)) };
}
