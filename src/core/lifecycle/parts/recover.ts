import type { CarriedOver } from '../../../contracts/launchEvidence';
import { agentWorkers } from '../../../workers/registry';
import type { RecoveryPermission } from '../../../contracts/vocabulary/intents';
import type { PermissionIssue } from '../../../contracts/vocabulary/permission';
import { classifyDenial, type PermissionMatch } from '../../recovery/permission/classify';
import { absolute, decideRecovery } from '../../recovery/permission/decideRecovery';
import { caseSensitive } from '../../paths/compare';
import { pathUnder } from '../../paths/underFolder';
import { grantFacts, type Surroundings } from '../../recovery/permission/grantProblem';
import { isGivenUp, type LaunchAdjustment } from '../../recovery/permission/record';
import { noWidening, permissionOf, withDirectories, type Widening } from '../../recovery/permission/widening';
import type { MissionEvent } from '../../model/events';
import type { Claim, LaunchEnd } from '../../model/facts';
import { failedBeside } from '../../model/lanes';
import { type Attempt, type AttemptRecord, type Launch, endedUnstopped } from '../../model/attempt';
import { rowOf, type Mission, type TaskRow, type Progress, type Tasks } from '../../model/state';
import { isAgent } from './modelSelection';
import { relaunchBeyond } from './profileLimits';

export function denialsOf(launch: Pick<Launch, 'prepared'>, end: LaunchEnd): readonly PermissionMatch[] {
  const worker = launch.prepared?.worker;
  if (!isAgent(worker)) return [];
  const version = end.cli_version ?? launch.prepared?.cli_version ?? null;
  const signals = [
    ...end.denials.map(({ tool, path, reason, source = 'event' }) => ({
      kind: 'denial' as const,
      tool,
      path,
      reason,
      source,
    })),
    ...(!end.final_ok && end.final_reason !== null
      ? [
          {
            kind: 'final' as const,
            ok: false,
            reason: end.final_reason,
            text: null,
            structured: null,
            ...(end.limit && { limit: { reached: end.limit.reached, resetsAt: end.limit.resets_at } }),
          },
        ]
      : []),
  ];
  return signals.flatMap((signal) => classifyDenial(worker, version, signal) ?? []);
}

/** The event that follows from a launch's denials; none where it left a result, or something else ended it. */
export function recover(
  mission: Mission,
  attempt: Attempt,
  launch: Launch,
  { end, claim, ...here }: Surroundings & { readonly end: LaunchEnd; readonly claim: Claim },
): readonly MissionEvent[] {
  const row = rowOf(mission, attempt.task_id);
  const isDone =
    claim.kind === 'report' || (claim.kind === 'valid' && claim.result.status === 'done' && !claim.refused);
  if (isDone || !endedByItself(mission, attempt, end, claim)) return [];
  const notPassed = launch.prepared?.speaks_to?.not_passed;
  const verdict = decideRecovery({
    matches: denialsOf(launch, end),
    heldLinks: launch.prepared?.sandbox?.held ?? [],
    widening: launch.adjustment?.widening ?? noWidening,
    policy: {
      allow: mission.plan.recovery_allow,
      directories: mission.plan.recovery_directories,
      granted: attempt.grants,
      workspace_dir: here.workspace_dir ?? null,
      ...row.scope,
      comparison: mission.file_system.comparison,
    },
    relaunches: (issue) => relaunches(row, attempt, issue),
    ...(notPassed && { not_passed: { agent: row.task.worker, variables: notPassed } }),
    fixed: attempt.launches.flatMap(({ adjustment }) => adjustment?.fix_permissions ?? []),
  });
  if (verdict.kind === 'none') return [];
  const { issue, issue_detected, path, reads, retry_count } = verdict;
  const recovery_id = `rec_${String(mission.last_seq + 1).padStart(9, '0')}`;
  const stalled = attempt.timed_out !== null;
  const unit = { task_id: attempt.task_id, attempt: attempt.attempt };
  const what = { issue, issue_detected, path, ...(reads && { reads }) };
  const denied = { denied_launch_id: launch.launch_id, ...what, retry_count, stalled };
  const why = verdict.kind === 'escalate' ? verdict.why : relaunchBeyond(mission, row, attempt);
  if (verdict.kind === 'escalate' || why !== null) {
    const { action } = verdict;
    const grant = action === null ? {} : grantFacts(path, permissionOf[action], here);
    const asked = Object.keys(grant).length > 0 && { grant };
    return [{ type: 'RecoveryEscalated', ...unit, recovery_id, ...denied, action, why: why ?? '', ...asked }];
  }
  const adjustment: LaunchAdjustment = {
    widening: verdict.widening,
    recovery_id,
    resume_session_id: resumable(launch) ? (end.session_id ?? launch.worker_session_id) : null,
    fix_permissions: verdict.fix_permissions,
    carried_over: launch.adjustment?.carried_over ?? [],
    granted: attempt.grants,
  };
  return [
    {
      type: 'RecoveryRequested',
      ...unit,
      ...denied,
      action: verdict.action,
      allowed_by: verdict.allowed_by,
      adjustment,
    },
  ];
}

/** Returns what the first launch gets: grants, and corrections that helped the same agent. Undefined: nothing. */
export function firstAdjustment(mission: Tasks, attempt: Attempt, row: TaskRow): LaunchAdjustment | undefined {
  const carried_over = carriedOver(mission, row);
  const { grants } = attempt;
  if (carried_over.length === 0 && grants.length === 0) return undefined;
  const given = new Set<RecoveryPermission>([...carried_over, ...grants].map(({ permission }) => permission));
  const widening: Widening = {
    add_directories: [],
    skip_git_repo_check: given.has('skip_git_repo_check'),
    trust_workspace: given.has('trust_workspace'),
  };
  const directoriesOf = (permission: RecoveryPermission): readonly string[] =>
    grants.filter((grant) => grant.permission === permission).map(({ directory }) => directory);
  return {
    widening: withDirectories(widening, { add_directories: directoriesOf('add_directory') }),
    recovery_id: null,
    resume_session_id: null,
    fix_permissions: deniedIn(directoriesOf('fix_permissions')[0] ?? null, row),
    carried_over,
    granted: grants,
  };
}

/** The path that was denied in the granted directory, because only that is corrected; else the directory. */
function deniedIn(directory: string | null, { attempts }: TaskRow): string | null {
  const denied = attempts.at(-1)?.recoveries.findLast(isGivenUp)?.path ?? null;
  if (directory === null || denied === null) return directory;
  const place = absolute({ workspace_dir: null }, denied);
  // A relative path lies in the workspace, so it is corrected without a look at the directory.
  return place === null || pathUnder(place, directory, caseSensitive) !== null ? denied : directory;
}

/** Only these two say nothing about a place: what was right for one task is right for the next in the same folder. */
const carriable: readonly RecoveryPermission[] = ['trust_workspace', 'skip_git_repo_check'];

function carriedOver(mission: Tasks, row: TaskRow): readonly CarriedOver[] {
  return carriable.flatMap((permission) => {
    if (!mission.plan.recovery_allow.includes(permission)) return [];
    for (const { task, attempts } of mission.rows) {
      if (task.worker !== row.task.worker) continue;
      for (const attempt of attempts)
        for (const { action, relaunch, status, issue, recovery_id } of attempt.recoveries) {
          if (!relaunch || action === null || permissionOf[action] !== permission || status !== 'success') continue;
          if (relaunch.allowed_by.kind === 'plan' && helped(attempt, relaunch.launch_id, issue))
            return [{ permission, task_id: task.task_id, recovery_id }];
        }
    }
    return [];
  });
}

function helped({ launches }: AttemptRecord, launchId: string | null, issue: PermissionIssue): boolean {
  const launch = launches.find(({ launch_id }) => launch_id === launchId);
  return launch?.end ? !denialsOf(launch, launch.end).some((match) => match.issue === issue) : false;
}

/** Relaunches for an issue since a person decided about the task: each attempt but the first is such a decision. */
function relaunches(row: TaskRow, attempt: Attempt, issue: PermissionIssue): number {
  const since = [...row.attempts, attempt].findLastIndex(({ decided_by }) => decided_by?.actor.kind === 'human');
  return [...row.attempts, attempt]
    .slice(Math.max(since, 0))
    .flatMap(({ recoveries }) => recoveries)
    .filter((recovery) => recovery.issue === issue && recovery.relaunch).length;
}

/** Returns whether nothing else stopped the worker, its tree is gone, and nothing else is about to end the attempt. */
function endedByItself(mission: Progress, attempt: Attempt, end: LaunchEnd, claim: Claim): boolean {
  if (!end.tree_gone || mission.cancel || failedBeside(mission, attempt.task_id)) return false;
  if (attempt.stop_requested ?? attempt.scope_breach ?? attempt.over_budget) return false;
  // A worker that stalled after a denial; a result that came late is a person's to judge.
  if (attempt.timed_out) return claim.kind === 'missing';
  return endedUnstopped(end) && end.error === null;
}

/** Returns whether its session can go on; in a sandbox of ours a CLI's own folders end with the launch. */
function resumable({ prepared }: Launch): boolean {
  const worker = prepared?.worker ?? 'command';
  return !prepared?.sandbox && (worker === 'command' || agentWorkers[worker].resumes);
}

/** The recovery that a launch is for, while it is unknown whether the launch lives. */
function pendingRecovery(
  { recoveries }: Pick<Attempt, 'recoveries'>,
  launchId: string,
): { readonly recovery_id: string } | undefined {
  const pending = recoveries.find(({ relaunch, status }) => relaunch?.launch_id === launchId && status === 'pending');
  return pending && { recovery_id: pending.recovery_id };
}

export function seenAlive(attempt: Attempt, launch_id: string): readonly MissionEvent[] {
  const pending = pendingRecovery(attempt, launch_id);
  return pending ? [{ type: 'RecoverySucceeded', ...pending, task_id: attempt.task_id, launch_id }] : [];
}

export function failedRecovery(attempt: Attempt, launch_id: string, reason: string): readonly MissionEvent[] {
  const pending = pendingRecovery(attempt, launch_id);
  return pending ? [{ type: 'RecoveryFailed', task_id: attempt.task_id, ...pending, launch_id, reason }] : [];
}

/** Judges a recovery whose launch ended unseen: it succeeded where it ended by itself without the same denial. */
export function endOfRecovery(attempt: Attempt, launch: Launch, end: LaunchEnd): readonly MissionEvent[] {
  const pending = pendingRecovery(attempt, launch.launch_id);
  if (!pending) return [];
  const { task_id } = attempt;
  const { launch_id } = launch;
  const recovery = attempt.recoveries.find(({ recovery_id }) => recovery_id === pending.recovery_id);
  const again = denialsOf(launch, end).some(
    ({ issue, path }) => issue === recovery?.issue && !isElsewhere(path, recovery.path, launch),
  );
  return endedUnstopped(end) && !again
    ? [{ type: 'RecoverySucceeded', task_id, ...pending, launch_id }]
    : [
        {
          type: 'RecoveryFailed',
          task_id,
          ...pending,
          launch_id,
          reason: `It ended before it was seen alive (${end.reason.replaceAll('_', ' ')}).`,
        },
      ];
}

/** Returns whether the denial is of another place than the recovery, which was of use then. */
function isElsewhere(denied: string | null, before: string | null, { adjustment }: Launch): boolean {
  const [place, earlier] = [denied, before].map((one) => one && absolute({ workspace_dir: null }, one));
  if (!place || !earlier) return false;
  const given = adjustment?.widening.add_directories ?? [];
  return given.length === 0
    ? place !== earlier
    : !given.some((directory) => pathUnder(place, directory, caseSensitive) !== null);
}
