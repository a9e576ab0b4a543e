import type { ReasonCategory } from '../../../contracts/vocabulary/codes/codes';
import { timeLimits } from '../../../contracts/vocabulary/plan';
import type { TimeLimits } from '../../plan/fields/limits';
import type { Step, StepOf } from '../../../contracts/vocabulary/steps';
import { acceptStep } from '../../lifecycle/judge/judgeVerifyChanges';
import { changedNothing } from '../../lifecycle/judge/judgeMissingChange';
import { relaunchBeyond } from '../../lifecycle/parts/profileLimits';
import { outsideOf, overwrittenOf } from '../../lifecycle/parts/strays';
import { endedWell } from '../../lifecycle/parts/validation';
import { workerLaunch } from '../../lifecycle/parts/workerLaunch';
import type { EndedAttempt } from '../../model/attempt';
import type { Missed } from '../../model/facts';
import { sentBack, waitingWork } from '../../model/waitingWork';
import { categoryOf, openChanges, type Packet, type TaskRow, type Progress } from '../../model/state';
import { placeKey } from '../../observation/outstanding';
import { isGivenUp } from '../../recovery/permission/record';
import { usedUpAlone } from '../parts/budget';
import { grantPlace } from './grant';
import { attemptsOf } from '../handoff/handoffs';
import { foundToFail, nothingToJudge } from './packetCommands';
import { answerSteps, isAsking, isOnlyRecorded } from '../questions/questions';
import { editProblem, whyNotApproved } from './planEdits';

export type BlockFacts = ReturnType<typeof blockFacts>;

export type Repeat = StepOf<'retry' | 'rerun-validation'>;
export type Other = Exclude<Step, Repeat>;

/** Finds what the runner knows of a block, as far as it says what helps. */
export function blockFacts(mission: Progress, row: TaskRow, packet: Packet) {
  const { task } = row;
  const attempt = row.attempts.find((one) => one.attempt === packet.attempt);
  const failure = attempt?.failure?.kind === 'recoverable' ? attempt.failure : null;
  const category = categoryOf(mission, packet);
  const work_gone = failure?.work_gone === true;
  // What lay in a layer is gone with it.
  const changes = openChanges(row).filter(({ layered }) => !(layered && work_gone));
  const ended = attempt && timeOf(row, attempt);
  const given = ended !== undefined && task[ended.field] > ended.limit;
  const recovery = attempt?.recoveries.findLast(isGivenUp);
  const isCommand = task.worker === 'command';
  const blockedByChange = category === 'external_change' || category === 'verify_changed_files';
  const accepted = new Set(
    row.outstanding.filter(({ settled }) => settled?.how === 'accepted').map((change) => placeKey(change)),
  );
  const failed = Boolean(attempt && workerLaunch(attempt)?.end && !endedWell(attempt));
  const lost =
    category === 'external_change' &&
    attempt !== undefined &&
    (overwrittenOf(attempt).length > 0 || attempt.landing?.failure?.kind === 'recoverable');
  const doubtful =
    category === 'external_change' && attempt !== undefined && outsideOf(mission.plan, row, attempt, true).length > 0;
  // A person left it blocked, and an answer runs nothing.
  const isLeft = packet.state.kind === 'resolved' && isAsking(packet) && isOnlyRecorded(mission, packet);
  const answers: readonly Other[] = isLeft ? [] : answerSteps(mission, task.task_id);
  const silent = attempt?.launches.find(({ launch_id }) => launch_id === attempt.timed_out?.launch_id);
  const { path = null } = recovery?.action === null ? recovery : {};
  return {
    mission: mission.mission_id,
    task: task.task_id,
    category,
    answers,
    /** Null: no change blocks it. */
    accept: acceptOf(mission, row, changes),
    /** A check changed again what a person has accepted. */
    changed_again: changes.some((one) => one.category === 'verify_changed_files' && accepted.has(placeKey(one))),
    /** All changes that blocked it are accepted, and its worker did not fail. */
    accepted: blockedByChange && changes.length === 0 && accepted.size > 0 && !lost && !doubtful && !failed,
    /** Its worker ran, and did not end well. */
    failed,
    /** A check wrote what it judged, and its layer does not keep that. */
    check_wrote: failure?.by?.name === 'verified_what_stays',
    /** Its approved command line runs git itself, so only a revision takes that out. */
    runs_git: runsGit(attempt, category),
    no_program: attempt !== undefined && noProgram(category, attempt, isCommand),
    /** Its result can be judged once more. */
    judgeable: attempt !== undefined && nothingToJudge(row, attempt) === null,
    human_only: failure?.human_only ?? null,
    held_back: failure?.held_back ?? null,
    /** What a revision may open to its commands; empty: nothing points there. */
    missed: openable(mission, failure?.missed ?? []),
    ...approvable(mission, row, category === 'stray_write' ? attempt : undefined),
    /** Another program changed what it wrote in its paths, so that was not kept. */
    overwritten: lost,
    /** Its layer held a file outside its paths that something else changed meanwhile: who wrote it is not known. */
    doubtful,
    /** The write outside its paths for which it was stopped. */
    breach: category === 'write_stopped' || blockedByChange ? (attempt?.scope_breach ?? null) : null,
    grant: grantPlace(mission, task.task_id),
    signed_out: recovery?.issue === 'LOGIN_REQUIRED',
    /** The place in the workspace that its worker was denied, and no grant opens. */
    denied: path === null || /^(?:[/~]|[A-Za-z]:)/.test(path) ? null : path,
    /** Why nothing was launched; null: something was. */
    refused: failure?.refused ?? null,
    no_project: failure?.no_project === true,
    work_gone,
    /** A layer holds its work, so no edit in the workspace reaches that. */
    waits: attempt !== undefined && waitingWork(row, attempt) !== null,
    /** The packet by which a person lets it begin without the work that was sent back; null: it goes on with none. */
    without: sentBack(mission, row) && packet.packet_id,
    /** The limit that ended it, and twice that; null: no limit did, or it is at its most. */
    more_time: ended && !given && ended.seconds > task[ended.field] ? ended : null,
    /** It was a verify command that neither printed nor used a processor until its limit ended it. */
    silent_check: silent?.purpose.kind === 'verify',
    /** The limit that ended it was raised since. */
    time_given: given,
    /** Its attempt alone used as much as the limit that ended it. */
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

function acceptOf(mission: Progress, { task }: TaskRow, changes: ReturnType<typeof openChanges>): Other | null {
  return changes.length > 0 ? acceptStep(mission, task.task_id, changes) : null;
}

function noProgram(category: ReasonCategory, attempt: EndedAttempt, isCommand: boolean): boolean {
  const last = category === 'verification_failed' ? attempt.verify.at(-1)?.end : undefined;
  const end = category === 'launch_failed' && isCommand ? workerLaunch(attempt)?.end : last;
  return end?.reason === 'spawn_failed';
}

function runsGit(attempt: EndedAttempt | undefined, category: ReasonCategory): boolean {
  if (!attempt) return false;
  const check = category === 'verification_failed' ? attempt.verify.at(-1)?.argv : undefined;
  const argv = check ?? workerLaunch(attempt)?.prepared?.argv ?? [];
  return argv.some((word) => /(?:^|[\s;&|(/])git(?:\s|$)/.test(word));
}

/** Splits strays by whether a plan may approve them. Where it may none, all count: the way out then says why. */
function approvable(
  mission: Progress,
  row: TaskRow,
  attempt: EndedAttempt | undefined,
): { readonly strays: readonly string[]; readonly closed: readonly string[] } {
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

/** The limit that ended an attempt, and twice that. No time mends what else blocks so, such as processes that are left. */
function timeOf(
  row: TaskRow,
  attempt: EndedAttempt,
): { readonly field: keyof TimeLimits; readonly limit: number; readonly seconds: number } | undefined {
  const { failure, timed_out, verify } = attempt;
  if (failure?.kind !== 'recoverable' || failure.human_only !== null) return undefined;
  const isTimeout = failure.category === 'task_timeout';
  const end = isTimeout ? workerLaunch(attempt)?.end : verify.at(-1)?.end;
  const isLate = end?.reason === 'deadline' && !timed_out;
  if (!(isLate && (isTimeout || failure.category === 'verification_failed')) && !(isTimeout && timed_out))
    return undefined;
  const field = isLate ? 'max_runtime_seconds' : 'timeout_seconds';
  const { task, revisions } = row;
  const since = revisions.find(({ attempt: of, after }) => of > attemptsOf(row) && after[field] !== undefined);
  const limit = Number(since?.before[field] ?? task[field]);
  // A silence that is longer than the deadline is never reached.
  const most = isLate ? timeLimits[field].max : Math.min(timeLimits[field].max, task.max_runtime_seconds);
  return { field, limit, seconds: Math.min(limit * 2, most) };
}
