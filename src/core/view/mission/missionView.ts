import type { BlockView } from '../../../contracts/page/blockView';
import type { CommandOffers, MissionView, TaskView } from '../../../contracts/page/missionView';
import type { LiveWorkerView } from '../../../contracts/page/liveView';
import { recoveryOutcomes } from '../../../contracts/vocabulary/recovery';
import { evidenceDir } from '../../evidence/places';
import { passed } from '../../lifecycle/judge/judge';
import type { MissionEvent } from '../../model/events';
import { totalUsage } from '../../mission/parts/budget';
import { waysOut } from '../../mission/waysOut';
import { attemptsOf, validationsOf, withoutHandoff } from '../../mission/handoff/handoffs';
import {
  failedBeside,
  isBeingStopped,
  isStopped,
  laneLimit,
  laneOf,
  waitsForIntervention,
  waitsForMemory,
  waitsInAttempt,
} from '../../model/lanes';
import type { JournalEntry } from '../../model/journalEntry';
import { currentLaunch, type Attempt, type EndedAttempt } from '../../model/attempt';
import { liveSession } from '../../model/session';
import {
  attemptOf,
  type Mission,
  openChanges,
  type Packet,
  type Progress,
  rowOf,
  type TaskRow,
  type Tasks,
  workerOf,
} from '../../model/state';
import { deniedOf } from '../../mission/resolve/grant';
import { recoveryEvents } from '../../mission/evidence/recoveryDocuments';
import { revisableNow } from '../../mission/revision/revisable';
import { commandOffers } from '../../mission/commandTable';
import { askingPacket, leadsTo } from '../../mission/questions/questions';
import { missionStatus } from '../../mission/status';
import { troubleOf } from '../../mission/effects';
import { nameOfChange } from '../../observation/outstanding';
import { changesAtEnd } from '../../observation/verifyChange';
import { namedAtMost } from '../../../base/text/firstNamed';
import { attemptView, factLines, verificationLine } from './attemptView';
import { actionView, doingText, waitsText } from './signalLine';
import { attention, stepsOn, needOfMission, standingBlocks, timeOf, type StandingBlock } from '../needs/needs';
import { blockCode } from '../../packets/blockCode';
import { eventLine, sessionSentence } from '../events/eventLine';
import { headline, stageText, shownReason } from './headline';
import { isInterrupted, isPausing } from './interrupted';
import { lastLaunch, leftLane, leftSession, leftTask, type LeftProcess } from './orphanedProcess';
import { launchNumber, runDirOf } from '../evidence/shownLaunch';
import { answerLines, decidedBlock, detailsLeft } from './decidedBlock';
import { denialTexts, recoveryViews } from './recoveryView';
import { milestoneViews } from './milestoneViews';

/** Facts about a live worker from its run directory. */
export interface LiveFacts {
  readonly last_progress_at: string | null;
  /** Null: no output yet. */
  readonly last_output_at: string | null;
  readonly output_bytes: number;
  readonly output_lines: number | null;
  /** The CLI itself waits since its last output. */
  readonly waiting?: { readonly seconds: number | null; readonly reason: string } | undefined;
  /** What it did last, newest last, as its CLI reports it. */
  readonly actions?: readonly { readonly tool: string; readonly detail: string }[] | undefined;
  /** How its process stands; absent: an owner watches it, so the journal says it. */
  readonly left?: LeftProcess;
}

/**
 * The snapshot of one mission: a pure function of its journal and the run directories.
 *
 * @param live by launch id; a launch whose files could not be read is missing
 */
export function missionView(
  mission: Mission,
  entries: readonly JournalEntry<MissionEvent>[],
  live: ReadonlyMap<string, LiveFacts>,
  owned: boolean,
): MissionView {
  const status = missionStatus(mission);
  const interrupted = isInterrupted(mission, owned);
  const lanes = mission.lanes.map((lane) => {
    const view = liveView(mission, lane, live);
    return interrupted ? leftLane(view, lastLaunch(lane, live)) : view;
  });
  const { input_tokens, output_tokens, cost_usd } = totalUsage(mission);
  // A mission whose runner stopped is taken up anew by the next command.
  const ownerless = !owned || troubleOf(mission) !== null;
  const offers = commandOffers(mission, ownerless);
  const next = stepsOn(mission, offers, interrupted);
  const orchestrator = orchestratorView(mission, live, interrupted);
  return {
    mission_id: mission.mission_id,
    run_id: mission.run_id,
    plan_id: mission.plan.plan_id,
    goal_id: mission.plan.goal_id,
    plan_path: mission.plan_path,
    plan_sha256: mission.plan_sha256,
    approval: {
      source: mission.approval_source,
      by: mission.plan.approved_by,
      at: mission.plan.approved_at,
      here: mission.approved_here && { by: mission.approved_here.by, at: mission.approved_here.at },
    },
    execution: mission.execution,
    status,
    interrupted,
    ...(isPausing(mission, interrupted) && { pausing: true }),
    needs: needOfMission(mission),
    headline: headline(mission, interrupted),
    started_at: mission.received_at,
    updated_at: mission.last_at,
    ended_at: mission.ending?.at ?? null,
    tasks: mission.rows
      .map((row) => taskView(mission, row, offers))
      .map((task) => (interrupted ? leftTask(task) : task)),
    ...milestoneViews(mission, interrupted),
    done: mission.rows.filter((row) => row.status === 'done').length,
    live: lanes[0] ?? null,
    lanes,
    lane_limit: laneLimit(mission),
    blocks: standingBlocks(mission).map((block) => blockView(mission, block, ownerless, orchestrator?.session?.left)),
    offers,
    ending: mission.ending
      ? {
          outcome: mission.ending.outcome,
          code: mission.ending.code,
          reason: mission.ending.reason,
          cancelled: mission.ending.cancelled,
        }
      : null,
    acknowledged: mission.acknowledged !== null,
    ...(orchestrator && { orchestrator }),
    ...(mission.plan.supersedes !== null && { supersedes: mission.plan.supersedes }),
    ...(mission.superseded && { superseded_by: mission.superseded.plan_id }),
    attention: attention(mission, offers),
    ...(next.length > 0 && { next }),
    recoveries: recoveryEvents(mission),
    success_criteria: mission.criteria ?? [],
    usage: { input_tokens, output_tokens, cost_usd },
    evidence_dir: evidenceDir(mission.plan.plan_id),
    ...auditView(mission),
    events: entries.slice(-50).map((entry) => eventLine(entry, mission)),
    last_seq: mission.last_seq,
  };
}

function orchestratorView(
  mission: Tasks,
  facts: ReadonlyMap<string, LiveFacts>,
  interrupted: boolean,
): MissionView['orchestrator'] {
  if (!mission.orchestrator) return undefined;
  const { worker } = mission.orchestrator;
  const live = liveSession(mission);
  if (!live) return { worker };
  const { task_id, launch } = live;
  const { launch_id } = launch;
  const run_dir = runDirOf(mission, launch.run_dir);
  const session = { task_id, launch_id, run_dir, pid: launch.process?.worker?.pid ?? null };
  if (!interrupted) return { worker, session };
  const { pid, ...left } = leftSession(launch, facts);
  return { worker, session: { ...session, pid, left } };
}

function auditView({ rows }: Tasks): Pick<MissionView, 'audit'> {
  const closed = rows.flatMap(({ attempts }) => attempts).filter(({ phases }) => phases.some(({ closing }) => closing));
  const invocations = closed.flatMap(({ launches }) => launches).filter(({ call_index }) => call_index !== undefined);
  return closed.length === 0 ? {} : { audit: { sealed: closed.length, invocations: invocations.length } };
}

function taskView(mission: Progress, row: TaskRow, offers: CommandOffers): TaskView {
  const last = row.attempts.at(-1);
  const lane = laneOf(mission, row.task.task_id);
  const record = lane ?? last;
  const launched = record?.launches.findLast(
    ({ prepared, purpose }) => prepared !== null && purpose.kind === 'worker',
  )?.prepared;
  const coarser = launched?.sandbox?.coarser ?? [];
  const recoveries = recoveryViews(mission, row);
  const workers = (last?.launches ?? []).filter(({ purpose }) => purpose.kind === 'worker');
  const ends = [...workers, ...(last?.verify ?? [])].flatMap(({ end }) => end ?? []);
  const verification = record ? verificationLine(record) : null;
  const attempt = attemptView(mission, row);
  const validations = validationsOf(row) + (lane?.validates ? 1 : 0);
  const { worker, intent, intent_from } = row.task;
  const denied = denialTexts(ends.flatMap(({ denials }) => denials));
  return {
    task_id: row.task.task_id,
    description: row.task.description,
    worker: row.task.worker,
    status: row.status,
    ...(row.task.milestone !== undefined && { milestone: row.task.milestone }),
    ...(row.task.validator && { validates: true }),
    ...(isStopped(row) && { stopped: true }),
    ...(row.skipped && { skipped: true }),
    ...(row.revised && { carried_from: row.revised.from.mission_id }),
    ...(lane && waitsInAttempt(lane) && { awaited: true }),
    ...(row.status === 'blocked' && askingPacket(mission, row.task.task_id) && { asks: true }),
    ...(offers.ReviseMetadata.includes(row.task.task_id) && { metadata: revisableNow(mission, row) }),
    depends_on: row.task.depends_on,
    code: row.code,
    // The journal's word for a start, such as the outcome that ordered it, says nothing to a person.
    reason: row.status === 'in_progress' ? '' : shownReason(mission, row),
    attempts: attemptsOf(row) + (row.status === 'in_progress' ? 1 : 0),
    ...(validations > 0 && { validations }),
    paths: row.task.paths,
    started_at: row.started_at,
    ended_at: row.ended_at,
    details: row.status === 'failed' ? (last?.failure?.details ?? []) : [],
    changed: changesAtEnd(last?.observed?.changes ?? [], last?.after_verify?.changes ?? [])
      .filter(({ attribution, scratch }) => attribution === 'worker' && !scratch)
      .slice(0, 200)
      .map((change) => change.path),
    verified: verifiedOf(row, record?.verify.map(passed)),
    ...(worker !== 'command' && intent && { intent: { intent, from: intent_from } }),
    ...(attempt && { last_attempt: attempt }),
    facts: factLines(row, attempt, record, launched?.confinement ?? 'none'),
    ...(verification !== null && { verification }),
    confinement: last?.launches.at(-1)?.prepared?.confinement ?? null,
    ...(launched && { confined: launched.confinement_detail }),
    ...(coarser.length > 0 && { coarser }),
    ...(recoveries.length > 0 && { recoveries }),
    ...(denied.length > 0 && { denied }),
  };
}

function liveView(mission: Tasks, attempt: Attempt, facts: ReadonlyMap<string, LiveFacts>): LiveWorkerView {
  const launch = currentLaunch(attempt);
  const live = launch ? facts.get(launch.launch_id) : undefined;
  const { intervention } = attempt;
  const purpose = launch?.purpose.kind ?? 'worker';
  const worker = workerOf(mission, attempt.task_id, launch);
  const actions = live?.actions?.map(actionView);
  const { task } = rowOf(mission, attempt.task_id);
  return {
    task_id: attempt.task_id,
    attempt: attempt.attempt,
    launch: launch ? launchNumber(attempt, launch) : 1,
    purpose,
    worker,
    stage: stageText(attempt.stage),
    doing: doingText(purpose, worker, actions),
    run_dir: launch ? runDirOf(mission, launch.run_dir) : '',
    session_id: launch?.worker_session_id ?? null,
    model: launch?.prepared?.model ?? null,
    confinement: launch?.prepared?.confinement ?? null,
    pid: launch?.process?.worker?.pid ?? null,
    started_at: launch?.process?.started_at ?? null,
    ...(launch?.process && { silence_limit: task.timeout_seconds }),
    last_progress_at: live?.last_progress_at ?? null,
    last_output_at: live?.last_output_at ?? null,
    output_bytes: live?.output_bytes ?? null,
    output_lines: live?.output_lines ?? null,
    ...(live?.waiting && { waits: waitsText(live.waiting) }),
    ...(actions && { actions }),
    ...(intervention &&
      waitsForIntervention(attempt) && { intervention: { path: intervention.path, missing: intervention.missing } }),
    ...memoryView(attempt),
    stopping:
      launch?.lingered !== undefined || isBeingStopped(attempt) || failedBeside(mission, attempt.task_id) !== undefined,
  };
}

/** Known entries are not asked for. */
function memoryView(attempt: Attempt): Pick<LiveWorkerView, 'memory'> {
  const { memory } = attempt;
  if (!memory?.standings || !waitsForMemory(attempt)) return {};
  return {
    memory: memory.standings.flatMap(({ name, state, current }, index) => {
      const { decision, rationale } = memory.entries[index] ?? { decision: '', rationale: '' };
      return state === 'known' ? [] : [{ name, decision, rationale, conflict: state === 'conflict', current }];
    }),
  };
}

function blockView(
  mission: Mission,
  { row, packet, state, asking, wait }: StandingBlock,
  ownerless: boolean,
  left: LiveWorkerView['left'],
): BlockView {
  const attempt = attemptOf(mission, packet);
  const failure = attempt?.failure ?? null;
  const category = failure?.kind === 'recoverable' ? failure.category : (row.carried?.category ?? null);
  const denied = deniedOf(mission, packet.task_id);
  const answered = asking ? leadsTo(mission, asking) : null;
  const session = mission.sessions.find(({ packet_id }) => packet_id === packet.packet_id);
  const decided = decidedBlock(mission, packet.task_id);
  return {
    packet_id: packet.packet_id,
    task_id: packet.task_id,
    attempt: packet.attempt,
    state,
    ...(decided !== null && { decided }),
    ...(isStopped(row) && { stopped: true }),
    code: row.code ?? (category === null ? null : blockCode(category)),
    category,
    reason: shownReason(mission, row),
    details: [
      ...(asking ? [] : answerLines(packet)),
      ...detailsLeft(mission, packet, failure?.details ?? []),
      ...withoutHandoff(mission),
    ],
    ...(failure?.kind === 'recoverable' && failure.limit_ends && { limit_ends: failure.limit_ends }),
    ...timeOf(wait),
    packet_path: packet.written?.path ?? null,
    run_dir: runDirOf(mission, packet.run_dir),
    ...(hasOutput(attempt, packet) ? {} : { no_output: true as const }),
    issued_at: packet.issued_at,
    ...(session && { orchestrator: sessionSentence(session, mission.orchestrator?.worker ?? '', left?.text) }),
    allowed_outcomes: recoveryOutcomes,
    ways: waysOut(mission, row, packet, ownerless),
    acceptable: openChanges(row)
      .slice(0, namedAtMost)
      .map((entry) => ({ name: nameOfChange(entry), why: entry.why })),
    ...(denied && { denied }),
    ...(asking && {
      question: { ...asking.question, asked: packet.asked, ...(answered !== null && { leads_to: answered }) },
    }),
  };
}

/** A run directory is made for a launch. A block without one names a directory that was never made. */
function hasOutput(attempt: EndedAttempt | undefined, packet: Packet): boolean {
  return attempt?.launches.some(({ prepared, run_dir }) => prepared !== null && run_dir === packet.run_dir) ?? false;
}

/** A task that a revision carried over was verified before, so nothing is counted here. */
function verifiedOf({ revised, task, carried }: TaskRow, own?: readonly boolean[]): TaskView['verified'] {
  // After a handoff the evidence says what its last attempt elsewhere verified.
  const results = own ?? carried?.attempts.at(-1)?.verify.map((result) => result.passed) ?? [];
  return { passed: results.filter(Boolean).length, ran: results.length, total: revised ? 0 : task.verify.length };
}
