import type { ReasonCategory, RefusalCode } from '../../../contracts/vocabulary/codes/codes';
import { timeLimits } from '../../../contracts/vocabulary/plan';
import type { Step, StepOf } from '../../../contracts/vocabulary/steps';
import { acceptStep } from '../../lifecycle/judge/judgeVerifyChanges';
import { changedNothing } from '../../lifecycle/judge/judgeMissingChange';
import { relaunchBeyond } from '../../lifecycle/parts/profileLimits';
import { outsideOf, overwrittenOf } from '../../lifecycle/parts/strays';
import { endedWell } from '../../lifecycle/parts/validation';
import { workerLaunch } from '../../lifecycle/parts/workerLaunch';
import type { EndedAttempt, Launch } from '../../model/attempt';
import type { AttemptFailure, HeldBack, Missed } from '../../model/facts';
import { categoryOf, openChanges, type Packet, type TaskRow, type Progress } from '../../model/state';
import { placeKey } from '../../observation/outstanding';
import { isGivenUp } from '../../recovery/permission/record';
import { usedUpAlone } from '../parts/budget';
import { grantPlace } from './grant';
import { attemptsOf } from '../handoff/handoffs';
import { foundToFail, nothingToJudge } from './packetCommands';
import { answerSteps, isAsking, isOnlyRecorded } from '../questions/questions';
import { editProblem, whyNotApproved } from './planEdits';

export interface BlockFacts {
  readonly mission: string;
  readonly task: string;
  readonly category: ReasonCategory;
  /** The steps that answer what it asks; empty: it asks nothing. */
  readonly answers: readonly Other[];
  /** Accepts the changes that block it; null: no change does. */
  readonly accept: Other | null;
  /** A check changed again what a person has accepted. */
  readonly changed_again: boolean;
  /** All changes that blocked it are accepted, and its worker did not fail. */
  readonly accepted: boolean;
  /** A check wrote what it judged, and its layer does not keep that. */
  readonly check_wrote: boolean;
  /** The program of its command, or of its last check, could not be started. */
  readonly no_program: boolean;
  /** Its approved command line runs git itself, so only a revision takes that out. */
  readonly runs_git: boolean;
  /** Its worker ran, and did not end well. */
  readonly failed: boolean;
  /** Its result can be judged once more. */
  readonly judgeable: boolean;
  readonly human_only: Recoverable['human_only'];
  readonly held_back: HeldBack | null;
  /** What a revision may open to its commands, apart from what its plan opens already; empty: nothing points there. */
  readonly missed: readonly Missed[];
  /** What it wrote outside its paths and was not kept, as far as a plan may approve it; empty: that does not block it. */
  readonly strays: readonly string[];
  /** The others of these, which no plan may approve. */
  readonly closed: readonly string[];
  /** Another program changed what it wrote in its paths, so that was not kept. */
  readonly overwritten: boolean;
  /** The write outside its paths for which it was stopped; null: it was not. */
  readonly breach: string | null;
  /** The place that a person may grant, `.` for the workspace itself; null: none. */
  readonly grant: string | null;
  readonly signed_out: boolean;
  /** The place in the workspace that its worker was denied, and no grant opens; null: it was denied no such place. */
  readonly denied: string | null;
  /** Why nothing was launched; null: something was. */
  readonly refused: RefusalCode | null;
  /** ai.project.json is needed and not there. */
  readonly no_project: boolean;
  /** The layer in which its work waited is not there. */
  readonly work_gone: boolean;
  /** The limit that ended it, and twice that; null: no limit did, or it is at its most. */
  readonly more_time: { readonly field: TimeField; readonly seconds: number } | null;
  /** It was a verify command that neither printed nor used a processor until its limit ended it. */
  readonly silent_check: boolean;
  /** That limit was raised since. */
  readonly time_given: boolean;
  /** Its attempt alone used as much as the limit that ended it. */
  readonly alone: boolean;
  readonly changed_nothing: boolean;
  /** When the limit of its provider ends; null: that is unknown, or there is no limit. */
  readonly limit_ends: string | null;
  /** Its validation found what does not hold. */
  readonly found_to_fail: boolean;
  readonly is_command: boolean;
  readonly takes_note: boolean;
}

type TimeField = 'max_runtime_seconds' | 'timeout_seconds';
type Recoverable = Extract<AttemptFailure, { kind: 'recoverable' }>;

export type Repeat = StepOf<'retry' | 'rerun-validation'>;
export type Other = Exclude<Step, Repeat>;

export function blockFacts(mission: Progress, row: TaskRow, packet: Packet): BlockFacts {
  const { task } = row;
  const attempt = row.attempts.find((one) => one.attempt === packet.attempt);
  const failure = attempt?.failure?.kind === 'recoverable' ? attempt.failure : null;
  const category = categoryOf(mission, packet);
  const work_gone = failure?.work_gone === true;
  // What lay in a layer is gone with it.
  const changes = openChanges(row).filter(({ layered }) => !(layered && work_gone));
  const ended = attempt && timeOf(task, attempt);
  const next = attemptsOf(row) + 1;
  const given = row.revisions.some(
    ({ attempt: of, after }) => of === next && ended && after[ended.field] !== undefined,
  );
  const recovery = attempt?.recoveries.findLast(isGivenUp);
  const isCommand = task.worker === 'command';
  const blockedByChange = category === 'external_change' || category === 'verify_changed_files';
  const accepted = new Set(
    row.outstanding.filter(({ settled }) => settled?.how === 'accepted').map((change) => placeKey(change)),
  );
  const failed = attempt !== undefined && hasRun(attempt) && !endedWell(attempt);
  const lost =
    category === 'external_change' &&
    attempt !== undefined &&
    (overwrittenOf(attempt).length > 0 || attempt.landing?.failure?.kind === 'recoverable');
  const { path = null } = recovery?.action === null ? recovery : {};
  return {
    mission: mission.mission_id,
    task: task.task_id,
    category,
    answers: isLeft(mission, packet) ? [] : answerSteps(mission, task.task_id),
    accept: changes.length > 0 ? acceptStep(mission, task.task_id, changes) : null,
    changed_again: changes.some(
      (change) => change.category === 'verify_changed_files' && accepted.has(placeKey(change)),
    ),
    accepted: blockedByChange && changes.length === 0 && accepted.size > 0 && !lost && !failed,
    failed,
    check_wrote: failure?.by?.name === 'verified_what_stays',
    runs_git: runsGit(attempt, category),
    no_program: attempt !== undefined && noProgram(category, attempt, isCommand),
    judgeable: attempt !== undefined && nothingToJudge(row, attempt) === null,
    human_only: failure?.human_only ?? null,
    held_back: failure?.held_back ?? null,
    missed: openable(mission, failure?.missed ?? []),
    ...approvable(mission, row, category === 'stray_write' ? attempt : undefined),
    overwritten: lost,
    breach: category === 'worker_reported_blocked' || blockedByChange ? (attempt?.scope_breach ?? null) : null,
    grant: grantPlace(mission, task.task_id),
    signed_out: recovery?.issue === 'LOGIN_REQUIRED',
    denied: path === null || /^(?:[/~]|[A-Za-z]:)/.test(path) ? null : path,
    refused: failure?.refused ?? null,
    no_project: failure?.no_project === true,
    work_gone,
    more_time: ended && !given && ended.seconds > task[ended.field] ? ended : null,
    silent_check: attempt?.launches.find(isSilent(attempt))?.purpose.kind === 'verify',
    time_given: given,
    alone: attempt
      ? usedUpAlone(mission, attempt) || relaunchBeyond(mission, { attempts: [] }, attempt) !== null
      : false,
    changed_nothing: changedNothing(row),
    limit_ends: failure?.limit_ends?.at ?? null,
    found_to_fail: foundToFail(mission, row, packet),
    is_command: isCommand,
    takes_note: !isCommand && !task.validator,
  };
}

function noProgram(category: ReasonCategory, attempt: EndedAttempt, isCommand: boolean): boolean {
  const last = category === 'verification_failed' ? attempt.verify.at(-1)?.end : undefined;
  const end = category === 'launch_failed' && isCommand ? workerLaunch(attempt)?.end : last;
  return end?.reason === 'spawn_failed';
}

/** A person left it blocked, and an answer runs nothing. */
function isLeft(mission: Progress, packet: Packet): boolean {
  return packet.state.kind === 'resolved' && isAsking(packet) && isOnlyRecorded(mission, packet);
}

function runsGit(attempt: EndedAttempt | undefined, category: ReasonCategory): boolean {
  if (!attempt) return false;
  const check = category === 'verification_failed' ? attempt.verify.at(-1)?.argv : undefined;
  const argv = check ?? workerLaunch(attempt)?.prepared?.argv ?? [];
  return argv.some((word) => /(?:^|[\s;&|(/])git(?:\s|$)/.test(word));
}

function hasRun(attempt: EndedAttempt): boolean {
  return Boolean(workerLaunch(attempt)?.end);
}

function isSilent({ timed_out }: EndedAttempt): (launch: Launch) => boolean {
  return ({ launch_id }) => launch_id === timed_out?.launch_id;
}

/** Splits the strays. If a revision may open none of them, all count as opened: the way out then says why. */
function approvable(
  mission: Progress,
  row: TaskRow,
  attempt: EndedAttempt | undefined,
): Pick<BlockFacts, 'strays' | 'closed'> {
  const all = attempt ? outsideOf(mission.plan, row, attempt).map(({ path }) => path) : [];
  const closed = all.filter((path) => whyNotApproved(mission, row, path) !== null);
  if (closed.length === all.length) return { strays: all, closed: [] };
  return { strays: all.filter((path) => !closed.includes(path)), closed };
}

/** Leaves out what no revision opens. Where none opens any of it, all stay: the way out then says why. */
function openable(mission: Progress, missed: readonly Missed[]): readonly Missed[] {
  const opened = missed.filter(({ entry }) => {
    const edit = entry === null ? ({ kind: 'network' } as const) : ({ kind: 'opens', entries: [entry] } as const);
    return editProblem(mission, edit) === null;
  });
  return opened.length > 0 ? opened : missed;
}

/** Twice the limit that ended an attempt. No time mends what else blocks so, such as processes that are left. */
function timeOf(
  task: TaskRow['task'],
  attempt: EndedAttempt,
): { readonly field: TimeField; readonly seconds: number } | undefined {
  const { failure, timed_out, verify } = attempt;
  if (failure?.kind !== 'recoverable' || failure.human_only !== null) return undefined;
  const isTimeout = failure.category === 'task_timeout';
  const end = isTimeout ? workerLaunch(attempt)?.end : verify.at(-1)?.end;
  const isLate = end?.reason === 'deadline' && !timed_out;
  if (!(isLate && (isTimeout || failure.category === 'verification_failed')) && !(isTimeout && timed_out))
    return undefined;
  const field = isLate ? 'max_runtime_seconds' : 'timeout_seconds';
  // A silence that is longer than the deadline is never reached.
  const most = isLate ? timeLimits[field].max : Math.min(timeLimits[field].max, task.max_runtime_seconds);
  return { field, seconds: Math.min(task[field] * 2, most) };
}
