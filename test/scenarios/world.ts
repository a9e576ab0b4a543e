import { sandboxState } from '../../src/core/confinement/sandboxState';
import { undone } from './undone';
import { needsOf } from '../../src/core/context/tier0';
import type { LaunchEnd } from '../../src/core/model/facts';
import type { Report } from '../../src/core/model/inputs';
import type { Attempt } from '../../src/core/model/attempt';
import type { Mission } from '../../src/core/model/state';
import type { RawChange } from '../../src/core/observation/change';
import type { PathStanding } from '../../src/core/observation/pathState';
import { memoryName } from '../../src/core/memory/rememberedValue';
import type { Due } from './due';
import { changes, claimOf, rememberedNow, stayed, taskOf } from './claims';
import { landed, layersOf, lost } from './landing';
import { isAway, planRead, planSha256 } from './planFile';
import type { AttemptScript, LaunchScript } from './scenario';

export { planSha256 };
const [project, manifest] = ['8'.repeat(64), 'B'.repeat(64)] as const;

/** Answers one effect the way the scenario says the world behaved; healthy where it says nothing. */
export function answer(
  effect: Due,
  mission: Mission,
  lane: Attempt | undefined,
  script: AttemptScript,
  clock: () => string,
): Report | null {
  switch (effect.kind) {
    case 'writeHeader':
      return { type: 'HeaderWasWritten', file_system: script.file_system ?? mission.file_system };
    case 'checkPlanHash':
      return planRead(effect, script.plan_changed_before === true, lane);
    case 'takeBaseline': {
      const needs = needsOf(effect.intent);
      if (needs.project && (script.project === 'absent' || script.project === 'invalid'))
        return {
          type: 'ContextWasRefused',
          task_id: effect.task_id,
          attempt: effect.attempt,
          code: script.project === 'absent' ? 'MISSING_REQUIRED_INPUT' : 'SCHEMA_INVALID',
          reason: `ai.project.json is ${script.project}.`,
          details: [],
          ...(script.project === 'absent' && { no_project: true as const }),
        };
      if (needs.bootstrap && script.project === 'unwritable')
        return {
          type: 'ContextWasRefused',
          task_id: effect.task_id,
          attempt: effect.attempt,
          code: 'MISSING_REQUIRED_INPUT',
          reason: 'ai.project.json could not be written.',
          details: ['PROJECT_FILE_UNWRITABLE'],
          assembled: null,
        };
      return script.baseline_fails === true
        ? {
            type: 'BaselineFailed',
            ...{ task_id: effect.task_id, attempt: effect.attempt },
            code: 'STATE_STORE_UNWRITABLE',
            reason: 'the disk is full',
          }
        : {
            type: 'BaselineWasTaken',
            task_id: effect.task_id,
            attempt: effect.attempt,
            manifest_sha256: manifest,
            files: 3,
            head: 'abc',
            ...(script.configured_model === undefined ? {} : { configured_model: script.configured_model }),
            standing: standing(mission, effect.task_id, { ...script, back: script.back_before ?? script.back ?? [] }),
            ...(taskOf(mission, lane)?.validator && {
              tree_sha256: (script.tree_before ?? script.tree ?? 'A').repeat(64),
            }),
            ...(effect.intent.intent !== null && {
              context: {
                snapshot_sha256: '9'.repeat(64),
                kept: 'contexts/1.json',
                project_sha256: needs.project ? project : null,
              },
            }),
            ...(needs.bootstrap && { bootstrapped: 'ai.project.json written' }),
          };
    }
    case 'undoAttempt':
      return undone(mission, effect.task_id);
    case 'prepareLaunch': {
      const next = lane?.launches.find(({ launch_id }) => launch_id === effect.launch_id)?.purpose.kind;
      if (lane && isAway(lane) && script.plan_changed_at === next) return planRead(lane, true, lane);
      if (script.assignment_refused !== undefined)
        return {
          type: 'AssignmentWasRefused',
          launch_id: effect.launch_id,
          code: script.assignment_refused,
          reason: 'it is not valid',
          findings: [`${script.assignment_refused} /task: wrong`],
        };
      if (script.cli_missing === true)
        return {
          type: 'LaunchWasImpossible',
          launch_id: effect.launch_id,
          code: 'WORKER_MISSING',
          reason: 'claude was not found on PATH',
        };
      const task = taskOf(mission, lane);
      const launch = lane?.launches.find(({ launch_id }) => launch_id === effect.launch_id);
      const told = launchScript(effect.launch_id, lane, script);
      if (told.impossible !== undefined)
        return {
          type: 'LaunchWasImpossible',
          launch_id: effect.launch_id,
          ...{ code: told.impossible, reason: 'it cannot be' },
          ...(told.unusable && { unusable: told.unusable }),
          ...(told.modes && { modes: told.modes }),
        };
      const { widening, resume_session_id = null } = launch?.adjustment ?? {};
      return {
        type: 'LaunchWasPrepared',
        launch_id: effect.launch_id,
        ...(told.modes && { modes: told.modes }),
        prepared: {
          worker: task?.worker ?? 'command',
          cli_version: null,
          version_tested: null,
          ...(launch?.adjustment?.recovery_id === null && { least_argv: ['worker'] }),
          argv: [
            ...(script.argv ?? ['worker']),
            ...(resume_session_id === null ? [] : ['--resume', resume_session_id]),
            ...(widening?.add_directories ?? []).flatMap((directory) => ['--add-dir', directory]),
            ...(widening?.skip_git_repo_check === true ? ['--skip-git-repo-check'] : []),
            ...(widening?.trust_workspace === true ? ['--skip-trust'] : []),
          ],
          ...(script.confined === true
            ? {
                confinement: 'task_sandbox' as const,
                sandbox: {
                  ...{ means: 'bubblewrap' as const, argv: ['bwrap'], coarser: [], network: false, folders: [] },
                  ...(script.reach && { reach: script.reach }),
                  ...layersOf(script),
                },
              }
            : { confinement: 'none' as const }),
          confinement_detail: 'none in scenarios',
          ...(lane && { sandbox_state: sandboxState(mission, lane) }),
          env_names: [],
          model: null,
          prompt_sha256: 'D'.repeat(64),
        },
      };
    }
    case 'startWorker':
      return {
        type: 'WorkerWasStarted',
        launch_id: effect.launch_id,
        process: {
          launch_id: effect.launch_id,
          nonce: '0'.repeat(32),
          supervisor: { pid: 10, start_time: '1', boot_id: 'boot' },
          worker: { pid: 11, start_time: '2', boot_id: 'boot' },
          env_names: [],
          started_at: clock(),
        },
        ...(lane?.launches.at(-1)?.adjustment?.recovery_id
          ? { alive: launchScript(effect.launch_id, lane, script).not_seen !== true }
          : {}),
      };
    case 'awaitWorker':
      return endReport(effect.launch_id, mission, lane, script, clock);
    case 'stopWorker':
      return null;
    case 'landWork':
      return landed(effect, lane, script, mission);
    case 'observeChanges':
      if (script.landing === 'gone' && lane?.validates) return lost(lane, lane.validates.launch);
      if (effect.after === 'verify' ? script.verify_unread === true : script.observation_fails === true)
        return {
          type: 'ChangesCouldNotBeRead',
          ...after(effect.after),
          task_id: effect.task_id,
          attempt: effect.attempt,
          reason: 'a folder is unreadable',
        };
      return {
        type: 'ChangesWereRead',
        task_id: effect.task_id,
        attempt: effect.attempt,
        ...after(effect.after),
        standing: standing(mission, effect.task_id, script),
        changes: [
          ...changes(lane, { ...script, ...(script.changed_in_verify && { changed_at: verified(mission) }) }),
          ...(effect.after === 'verify' ? writtenNow(script.verify_changes, clock) : []),
          ...(lane?.intervention?.decision ? writtenNow(script.completed_changes, clock) : []),
        ],
        ...(script.signs && effect.after === 'worker' && { signs: script.signs }),
        ...(taskOf(mission, lane)?.validator && { tree_sha256: treeAfter(effect.after, script).repeat(64) }),
        observed_sha256: 'E'.repeat(64),
        head: 'abc',
        not_observed: [],
        ...atEnd(lane, script),
        comparison: { case_insensitive: false },
        plan_sha256_observed:
          isAway(lane) &&
          (script.plan_changed_during === true || (script.plan_changed_in_verify === true && effect.after === 'verify'))
            ? 'C'.repeat(64)
            : planSha256,
      };
    // Answered in sessions.ts.
    case 'prepareOrchestrator':
    case 'startOrchestrator':
    case 'awaitOrchestrator':
    case 'stopOrchestrator':
      return null;
    case 'proveTreeGone': {
      const looks = mission.rows.find((row) => row.task.task_id === effect.task_id)?.unproven?.looks ?? 0;
      const gone = script.tree_looks?.[looks] ?? true;
      return {
        type: 'TreeWasLookedFor',
        task_id: effect.task_id,
        launch_id: effect.launch_id,
        gone,
        survivors: gone ? [] : [77],
      };
    }
    case 'writeTaskEvidence':
      return {
        type: 'TaskEvidenceWasWritten',
        task_id: effect.task_id,
        ...(mission.rows.find(({ task }) => task.task_id === effect.task_id)?.task.validator && {
          milestone_sha256: 'F'.repeat(64),
        }),
        path: `docs/ops/executions/P/TASK_${effect.task_id}.json`,
        sha256: 'F'.repeat(64),
      };
    case 'writeIntervention':
      return {
        type: 'InterventionWasOffered',
        task_id: effect.task_id,
        attempt: effect.attempt,
        path: `runs/${effect.run_dir}/result.json`,
        sha256: 'F'.repeat(64),
      };
    case 'readMemory':
      return {
        type: 'MemoryWasRead',
        task_id: effect.task_id,
        attempt: effect.attempt,
        remembered: rememberedNow(mission, script),
      };
    case 'saveMemory': {
      const now = rememberedNow(mission, script);
      return {
        type: 'MemoryWasSaved',
        task_id: effect.task_id,
        attempt: effect.attempt,
        saved: (lane?.memory?.decided?.saves ?? []).map((name) => ({
          name,
          version: (now.find((one) => memoryName(one) === name)?.version ?? 0) + 1,
          path: `memory/${name}.json`,
          sha256: 'F'.repeat(64),
        })),
      };
    }
    case 'readTree': {
      const row = mission.rows.find(({ task }) => task.task_id === effect.task_id);
      const now = script.tree_later?.[row?.acceptance?.checks ?? 0] ?? script.tree_in_verify ?? script.tree ?? 'A';
      if (now === 'unreadable')
        return { type: 'TreeWasRead', task_id: effect.task_id, tree_sha256: null, head: null, reason: 'no access.' };
      return { type: 'TreeWasRead', task_id: effect.task_id, tree_sha256: now.repeat(64), head: 'abc', reason: 'read' };
    }
    case 'writePacket':
      return {
        type: 'PacketWasWritten',
        packet_id: effect.packet_id,
        path: `recovery-packets/${effect.packet_id}.json`,
        sha256: 'F'.repeat(64),
        asked: mission.packets.find(({ packet_id }) => packet_id === effect.packet_id)?.asked ?? 0,
      };
    case 'writeHandoff':
      return {
        type: 'HandoffWasWritten',
        n: effect.n,
        path: `handoff/${effect.n}`,
        sha256: 'F'.repeat(64),
        heartbeats: {},
      };
    case 'awaitTime':
      return { type: 'TimeHasCome', wait: effect.key };
    case 'writeReport':
      return { type: 'ReportWasWritten', header_sha256: 'F'.repeat(64), summary_sha256: 'F'.repeat(64) };
  }
}

/** ai.project.json when the worker is done, where the runner has to look. */
function atEnd(lane: Attempt | undefined, { project: how }: AttemptScript): Pick<Changes, 'project_at_end'> {
  if (!lane?.bootstraps && !lane?.context?.project_sha256) return {};
  const sha256 = how === 'gone_during' ? null : how === 'changed_during' ? '7'.repeat(64) : project;
  return { project_at_end: { sha256, problems: how === 'invalid' ? ['PROJECT_FIELD_EMPTY /meta/owner: say it'] : [] } };
}
type Changes = Extract<Report, { type: 'ChangesWereRead' }>;

function endReport(
  launchId: string,
  mission: Mission,
  lane: Attempt | undefined,
  script: AttemptScript,
  clock: () => string,
): Report {
  const launch = lane?.launches.find((candidate) => candidate.launch_id === launchId);
  const stopped =
    lane !== undefined &&
    (lane.stop_requested !== null ||
      lane.scope_breach !== null ||
      lane.timed_out !== null ||
      mission.rows.some((row) => row.status === 'failed'));
  if (launch?.purpose.kind === 'verify') {
    const exit_code = script.verify?.[launch.purpose.index] ?? 0;
    return {
      type: 'VerifyHasEnded',
      launch_id: launchId,
      result: {
        argv: ['verify'],
        run_dir: launch.run_dir,
        end: end({ exit_code, ...script.verify_end }, stopped, clock),
        output_tail: 'output',
      },
    };
  }
  const told = launchScript(launchId, lane, script);
  const denials = (told.denied ?? []).map(({ path = null, reason, source = 'event' }) => ({
    tool: null,
    path,
    reason,
    source,
  }));
  const claim = told.claim ?? (denials.length > 0 ? 'missing' : script.claim);
  return {
    type: 'WorkerHasEnded',
    launch_id: launchId,
    end: end({ ...(launch?.lingered && stayed(launch.lingered)), ...script.end, denials, ...told.end }, stopped, clock),
    claim: claimOf(mission, lane, { ...script, ...(claim && { claim }) }),
    ...{ workspace_dir: '/ws', home_dir: '/home/ada', files: script.files },
  };
}

/** What is said about this launch of the attempt's worker. */
function launchScript(launchId: string, lane: Attempt | undefined, script: AttemptScript): LaunchScript {
  const workers = (lane?.launches ?? []).flatMap((one) => (one.purpose.kind === 'worker' ? [one.launch_id] : []));
  return [script.verify_launch, ...(script.launches ?? [])][workers.indexOf(launchId) + 1] ?? {};
}

export function end(given: Partial<LaunchEnd>, stopped: boolean, clock: () => string): LaunchEnd {
  return {
    reason: stopped ? 'stop_requested' : 'exited',
    exit_code: stopped ? null : 0,
    signal: stopped ? 'SIGTERM' : null,
    started_at: '2026-01-01T00:00:00.000Z',
    ended_at: clock(),
    tree_gone: true,
    survivors: [],
    error: null,
    stdout: { bytes: 0, sha256: 'F'.repeat(64) },
    stderr: { bytes: 0, sha256: 'F'.repeat(64) },
    stderr_tail: '',
    session_id: null,
    model: null,
    cli_version: null,
    usage: null,
    final_seen: true,
    final_ok: true,
    final_reason: null,
    denials: [],
    ...given,
  };
}

/** A path that was changed before is as it was left last. */
function writtenNow(paths: readonly string[] = [], clock: () => string): readonly RawChange[] {
  return paths.map((path) => ({
    path,
    kind: path.startsWith('.git/') ? 'git' : 'modified',
    before_sha256: '1'.repeat(64),
    after_sha256: '3'.repeat(64),
    resolved_path: null,
    changed_at: clock(),
    detail: null,
  }));
}

/** What is now at the places on the list of the task, and at those that its verify commands changed. */
function standing(mission: Mission, taskId: string, script: AttemptScript): readonly PathStanding[] {
  const row = mission.rows.find(({ task }) => task.task_id === taskId);
  const listed = new Map(row?.outstanding.map((entry) => [entry.path, entry]));
  return [...new Set([...listed.keys(), ...(script.verify_changes ?? [])])].map((path) => ({
    path,
    kind: path.startsWith('.git/') ? 'git' : 'modified',
    found: path.startsWith('.git/') ? 'fact' : 'file',
    sha256:
      script.back?.includes(path) === true
        ? (listed.get(path)?.before_sha256 ?? '1'.repeat(64))
        : (listed.get(path)?.found_sha256 ?? '3'.repeat(64)),
    mode: null,
    says: null,
    git: script.known?.[path] ?? 'untracked',
  }));
}

function after(after: 'worker' | 'verify' | 'intervention'): { readonly after?: 'verify' | 'intervention' } {
  return after === 'worker' ? {} : { after };
}

/** When the last verify command was started. */
function verified(mission: Mission): string {
  const launches = mission.rows.flatMap((row) => row.attempts).flatMap((attempt) => attempt.launches);
  return launches.findLast(({ purpose }) => purpose.kind === 'verify')?.process?.started_at ?? '';
}

function treeAfter(after: Extract<Due, { kind: 'observeChanges' }>['after'], script: AttemptScript): string {
  return (after === 'verify' ? script.tree_in_verify : undefined) ?? script.tree ?? 'A';
}
