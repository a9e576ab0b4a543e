import { criterionWords, shownCode } from '../../../base/text/words';
import type { ExecutionState } from '../../../contracts/vocabulary/execution';
import { carriedClosing } from '../../audit/log';
import { assertLegalEdge } from '../../execution/envelope';
import { leadsTo } from '../../locks/lockPath';
import { completedReason } from '../evidence/successCriteria';
import { importedRow } from '../evidence/taskEvidence';
import { acceptancesUnread } from '../milestones/milestones';
import { type EventTable, names, withRow } from '../parts/evolveParts';
import { planName, superseded } from '../revision/supersede';
import { retryTreeSearch } from '../takeover/takeover';
import type { Attempt } from '../../model/attempt';
import { appended, changed, exchanged } from '../../model/draft';
import type { Handoff } from '../../model/handoffFacts';
import type { Mission, Course } from '../../model/state';
import type { CommandAnswer } from '../../model/sessionFacts';

export const missionEvents = {
  MissionReceived: {
    shown: { stream: 'status', printed: true },
    fold: () => {
      throw new Error('Broken invariant: a mission is received once.');
    },
    line: (event) => `Plan ${event.plan.plan_id} received (approval: ${event.approval_source}).`,
  },
  PlanValidated: {
    shown: { stream: 'status' },
    fold: (mission, event, { at }) => enter({ ...mission, warnings: event.warnings }, 'VALIDATED', at),
    line: (event) =>
      event.warnings.length === 0 ? 'Plan validated.' : `Plan validated with ${event.warnings.length} warning(s).`,
  },
  PlanLocked: {
    shown: { stream: 'status', mark: 'locked', printed: true },
    fold: (mission, event, { at }) => {
      if (event.plan_sha256 !== mission.plan_sha256)
        throw new Error('Broken invariant: locked another plan than was validated.');
      return enter(mission, 'LOCKED', at);
    },
    line: (event) => `Plan locked: ${event.plan_sha256.slice(0, 12)}.`,
  },
  ArchiveBegun: {
    shown: { stream: 'status' },
    fold: (mission, { mission_id, header_sha256 }) => ({ ...mission, archived: { mission_id, header_sha256 } }),
    line: (event) => `Evidence of ${event.mission_id} is archived.`,
  },
  HeaderWritten: {
    shown: { stream: 'status', printed: true, fine: true },
    fold: (mission, event) => withScopes({ ...mission, header_written: true, file_system: event.file_system }),
    line: (_event, mission) =>
      mission.archived
        ? `Execution header written; evidence of ${mission.archived.mission_id} archived.`
        : 'Execution header written.',
  },
  EffectFailed: {
    shown: { stream: 'error', mark: 'bad' },
    fold: (mission, { type: _type, ...trouble }, { at }) => ({ ...mission, trouble: { ...trouble, at } }),
    line: (event) => `The runner stopped (${event.code}): ${event.reason}`,
  },
  ObstacleMoved: {
    shown: { stream: 'status' },
    fold: (mission, { path, moved_to }) => ({
      ...mission,
      moved_aside: appended(mission.moved_aside, { path, moved_to }),
    }),
    line: (event) => `${event.path} stood in the way and was moved to ${event.moved_to}.`,
  },
  ExecutionStarted: {
    shown: { stream: 'status', mark: 'begins' },
    fold: (mission, _event, { at }) => enter(mission, 'EXECUTING', at),
    line: () => 'Execution started.',
  },
  SuccessCriteriaReported: {
    shown: { stream: 'status', printed: true },
    fold: (mission, event) => ({ ...mission, criteria: event.criteria }),
    line: (event) =>
      `Success criteria: ${event.criteria.map((item) => `${item.criterion} ${criterionWords(item)}`).join(', ') || 'none'}.`,
  },
  MissionEvidenced: {
    shown: { stream: 'status' },
    fold: (mission, _event, { at }) => enter(mission, 'EVIDENCED', at),
    line: () => 'All evidence written.',
  },
  MissionCompleted: {
    shown: { stream: 'status', mark: 'good' },
    fold: (mission, _event, { at }) => ({
      ...enter(mission, 'COMPLETED', at),
      ending: { outcome: 'COMPLETED', code: null, reason: completedReason(mission), cancelled: false, at },
    }),
    line: () => 'Mission completed.',
  },
  MissionFailed: {
    shown: { stream: 'error', mark: ({ cancelled }) => (cancelled ? 'ends' : 'bad') },
    fold: (mission, event, { at }) => ({
      ...enter({ ...mission, acknowledged: mission.superseded?.decision ?? null }, 'FAILED', at),
      ending: { outcome: 'FAILED', code: event.code, reason: event.reason, cancelled: event.cancelled, at },
    }),
    line: (event) => {
      const code = shownCode(event);
      return `${event.cancelled ? 'Mission canceled' : 'Mission failed'}${code === null ? '' : ` (${code})`}: ${event.reason}`;
    },
  },
  MissionReported: {
    shown: { stream: 'status', printed: true },
    fold: (mission, _event, { at }) => enter(mission, 'REPORTED', at),
    line: () => 'Summary and final header written.',
  },
  PauseRequested: {
    shown: { stream: 'status', mark: 'waits', printed: true },
    fold: (mission, event) => ({ ...mission, hold: { kind: 'pause_requested', decision: event.decision } }),
    line: (event) => `Pause requested by ${event.decision.actor.name}: ${event.decision.reason}`,
  },
  MissionPaused: {
    shown: { stream: 'status', mark: 'waits', printed: true },
    fold: (mission, event, { at }) => ({
      ...mission,
      budgets_asked: event.budgets ?? mission.budgets_asked,
      hold: { kind: 'paused', reason: event.reason, since: at, code: event.code ?? null },
    }),
    line: (event) => `Paused. ${event.reason}`,
  },
  MissionResumed: {
    shown: { stream: 'status', mark: 'begins', printed: true },
    fold: (mission) => retryTreeSearch({ ...mission, hold: { kind: 'none' }, lanes: mission.lanes.map(planReadAgain) }),
    line: (event) => `Resumed by ${event.decision.actor.name}: ${event.decision.reason}`,
  },
  CancelRequested: {
    shown: { stream: 'status', printed: true },
    fold: (mission, event) => retryTreeSearch({ ...mission, cancel: event.decision }),
    line: (event) => `Cancellation requested by ${event.decision.actor.name}: ${event.decision.reason}`,
  },
  FailureAcknowledged: {
    shown: { stream: 'status' },
    fold: (mission, event) => ({ ...mission, acknowledged: event.decision }),
    line: (event) => `Acknowledged by ${event.decision.actor.name}: ${event.decision.reason}`,
  },
  MissionSuperseded: {
    shown: { stream: 'status', printed: true },
    fold: superseded,
    line: (event) =>
      `Superseded by ${planName(event.plan_id)}, approved by ${event.decision.actor.name}: ${event.decision.reason}`,
  },
  TasksCarried: {
    shown: { stream: 'task' },
    fold: (mission, event) =>
      event.tasks.reduce((from, revised) => withRow(from, revised.task_id, () => ({ revised })), mission),
    line: (event) =>
      `Carried over from ${planName(event.tasks[0]?.from.plan_id ?? '')}: ${names(event.tasks.map(({ task_id }) => task_id))}.`,
  },
  CommandAccepted: {
    shown: { stream: 'status', fine: true },
    fold: (mission, event) => answered(acceptancesUnread(mission), event, { accepted: true, code: 'OK', next: [] }),
    line: (event) => `${event.command} accepted. ${event.reason}`,
  },
  CommandRefused: {
    shown: { stream: 'status', mark: 'bad', printed: true },
    fold: (mission, event) => answered(mission, event, { accepted: false, code: event.code, next: event.next }),
    line: (event) => `${event.command} refused (${event.code}): ${event.reason}`,
  },
  OwnerResumed: {
    shown: { stream: 'status', mark: 'begins', printed: true },
    fold: (mission, event) => acceptancesUnread({ ...mission, trouble: null, file_system: event.file_system }),
    line: (event) => `An owner is back; found: ${event.found}.`,
  },
  HandoffRequested: {
    shown: { stream: 'status', fine: true },
    fold: (mission, { n, why, command_id, move }) => ({
      ...mission,
      handoffs: appended(mission.handoffs, { n, why, command_id, move, state: { kind: 'pending' } }),
      handoff_due: why === 'asked' ? mission.handoff_due : null,
    }),
    line: (event) =>
      `Handoff ${event.n} requested (${event.why})${event.move ? `; ${event.move.actor.name} gives the run away: ${event.move.reason}` : ''}.`,
  },
  HandoffWritten: {
    shown: { stream: 'status', fine: true },
    fold: (mission, { n, path, sha256 }) => withHandoff(mission, n, { kind: 'written', path, sha256 }),
    line: (event) => `Handoff ${event.n} written: ${event.path}/.`,
  },
  HandoffRefused: {
    shown: { stream: 'error', mark: 'bad' },
    fold: (mission, { n, code, file, reason }) => withHandoff(mission, n, { kind: 'refused', code, file, reason }),
    line: (event) =>
      `Handoff ${event.n} was not written (${event.code})${event.file === null ? '' : `, because of ${event.file}`}: ${event.reason}`,
  },
  MissionMoved: {
    shown: { stream: 'status' },
    fold: (mission, event) => ({
      ...mission,
      moved: { n: event.n, sha256: event.sha256, path: writtenPath(mission, event.n), decision: event.decision },
    }),
    line: (event) =>
      `The run was given away with handoff ${event.n} by ${event.decision.actor.name}: ${event.decision.reason}`,
  },
  HandoffImported: {
    shown: { stream: 'status' },
    fold: (mission, event) => ({
      ...mission,
      resumed_from: event.source,
      launches: event.launches,
      closing_sha256: carriedClosing(event.rows),
      used_before: event.used ?? mission.used_before,
      budgets_asked: event.used?.budgets_asked ?? mission.budgets_asked,
      rows: mission.rows.map((row) => {
        const imported = event.rows.find(({ task_id }) => task_id === row.task.task_id);
        return imported ? importedRow(row, imported) : row;
      }),
    }),
    line: (event) =>
      `Goes on from handoff ${event.source.handoff} of ${event.source.mission_id}, resumed by ${event.source.decision.actor.name}: ${event.source.decision.reason}`,
  },
} satisfies Partial<EventTable>;

function writtenPath({ handoffs }: Course, n: number): string {
  const state = handoffs.find((handoff) => handoff.n === n)?.state;
  if (state?.kind !== 'written') throw new Error(`Broken invariant: handoff ${n} is not written.`);
  return state.path;
}

function withHandoff(mission: Mission, n: number, state: Handoff['state']): Mission {
  const place = mission.handoffs.findLastIndex((handoff) => handoff.n === n);
  const handoff = mission.handoffs[place];
  if (!handoff) throw new Error(`Broken invariant: no handoff ${n}.`);
  return { ...mission, handoffs: exchanged(mission.handoffs, place, { ...handoff, state }) };
}

/** Has the plan read again before the attempt goes on, because the person who resumes says that it is back. */
function planReadAgain(lane: Attempt): Attempt {
  const { stage } = lane;
  return stage.at === 'plan_waits' ? changed(lane, { stage: { ...stage, at: 'plan_hash' } }) : lane;
}

function enter(mission: Mission, state: ExecutionState, at: string): Mission {
  assertLegalEdge(mission.execution, state);
  return { ...mission, execution: state, execution_history: [...mission.execution_history, { state, at }] };
}

/** Adds the targets of links, as read before any worker ran, to the scopes: no worker can widen its scope by a link. */
function withScopes(mission: Mission): Mission {
  const { file_system } = mission;
  const meant = (paths: readonly string[]): readonly string[] => [
    ...new Set(paths.flatMap((path) => [path, ...[leadsTo(path, file_system)].filter((target) => target !== null)])),
  ];
  return {
    ...mission,
    rows: mission.rows.map((row) => ({
      ...row,
      scope: { paths: meant(row.task.paths), forbidden_paths: meant(row.task.forbidden_paths) },
    })),
  };
}

function answered(
  mission: Mission,
  { command_id, reason }: { readonly command_id: string; readonly reason: string },
  { accepted, code, next }: Omit<CommandAnswer, 'reason'>,
): Mission {
  return { ...mission, answers: { ...mission.answers, [command_id]: { accepted, code, reason, next } } };
}
