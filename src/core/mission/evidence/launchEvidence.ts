import type { LaunchEvidence } from '../../../contracts/launchEvidence';
import type { EachMember } from '../../../contracts/record/header';
import type { AttemptEvidence } from '../../../contracts/taskEvidence';
import { filled } from '../../../base/json';
import { wordsOfEnd } from '../../../base/text/endWords';
import { inPlaces, type Place } from '../../evidence/places';
import { passed } from '../../lifecycle/judge/judge';
import type { EndedAttempt, Launch } from '../../model/attempt';
import type { PreparedSandbox, VerifyResult } from '../../model/facts';
import { workerOf, type Tasks } from '../../model/state';
import { launchChange } from '../parts/launchChange';

/** One launch of a worker in TASK_<task_id>.json. */
export function launchEvidence(mission: Tasks, attempt: EndedAttempt, launch: Launch): LaunchEvidence {
  const { prepared, end, adjustment } = launch;
  return {
    launch_id: launch.launch_id,
    worker: workerOf(mission, attempt.task_id, launch),
    cli_version: end?.cli_version ?? prepared?.cli_version ?? null,
    tested_range_ok: prepared?.version_tested ?? null,
    argv: prepared?.argv ?? [],
    confinement: prepared?.confinement ?? 'none',
    confinement_detail: prepared?.confinement_detail ?? 'The launch was never prepared.',
    sandbox: sandboxEvidence(prepared?.sandbox),
    sandbox_state: prepared?.sandbox_state,
    limits: end?.limits,
    carried_over: filled(adjustment?.carried_over ?? []),
    granted: filled(adjustment?.granted ?? []),
    change: launchChange(attempt, launch) ?? undefined,
    modes: launch.modes,
    speaks_to: prepared?.speaks_to && { hosts: prepared.speaks_to.hosts, from: prepared.speaks_to.from },
    env_names: prepared?.env_names ?? [],
    session_id: end?.session_id ?? launch.worker_session_id,
    model: end?.model ?? prepared?.model ?? null,
    usage: end?.usage ?? null,
    caches: end?.caches,
    strays: end?.strays,
    exit_code: end?.exit_code ?? null,
    signal: end?.signal ?? null,
    reason: end?.reason ?? null,
    did_not_exit: end?.did_not_exit && true,
    run_dir: `.mission-control/missions/${mission.mission_id}/runs/${launch.run_dir}`,
    started_at: end?.started_at ?? launch.process?.started_at ?? null,
    ended_at: end?.ended_at ?? null,
    stdout: end?.stdout ?? null,
    stderr: end?.stderr ?? null,
    error: end ? wordsOfEnd(end) : null,
    tree_gone: end?.tree_gone ?? null,
  } satisfies EachMember<LaunchEvidence>;
}

function sandboxEvidence(sandbox: PreparedSandbox | undefined): LaunchEvidence['sandbox'] {
  if (!sandbox) return undefined;
  const { means, argv, coarser, held, layers, reach, network, hosts } = sandbox;
  return {
    ...{ means, argv, coarser, held },
    layers: layers && {
      ...{ folder: layers.folder, kept: layers.kept, home: layers.home },
      ...{ caches: layers.caches, around: layers.around, workspace: layers.tree && true },
    },
    reach: reach && { writable: reach.writable, read_only: reach.read_only },
    ...{ network, hosts },
  };
}

/** One run of a verify command in TASK_<task_id>.json. */
export function verifyEvidence(
  { launches }: EndedAttempt,
  result: VerifyResult,
  places: readonly Place[],
): AttemptEvidence['verify'][number] {
  const { argv, end, run_dir } = result;
  const prepared = launches.find((launch) => launch.run_dir === run_dir)?.prepared;
  return {
    argv: inPlaces(argv, places),
    exit_code: end.exit_code,
    signal: end.signal,
    passed: passed(result),
    output_sha256: end.stdout?.sha256 ?? null,
    tail: withOwnError(result),
    confinement: prepared?.confinement,
    confinement_detail: inPlaces(prepared?.confinement_detail, places),
    sandbox: inPlaces(sandboxEvidence(prepared?.sandbox), places),
    limits: end.limits,
    caches: inPlaces(end.caches, places),
    strays: inPlaces(end.strays, places),
  } satisfies EachMember<AttemptEvidence['verify'][number]>;
}

/** The end of the output, below its own error where that stands further up. */
function withOwnError({ output_tail, end }: VerifyResult): string {
  const above = (end.own_error ?? []).filter((line) => !output_tail.includes(line));
  return above.length === 0 ? output_tail : [...above, '...', output_tail].join('\n');
}
