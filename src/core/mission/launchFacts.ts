import type { LaunchFacts, VerifyFacts } from '../evidence/facts';
import type { EndedAttempt, Launch } from '../model/attempt';
import type { VerifyResult } from '../model/facts';
import { workerOf, type Mission } from '../model/state';
import { wordsOfEnd } from '../../base/text/endWords';
import { launchChange } from './launchChange';

/** Returns what evidence records of one launch of a worker. */
export function launchFacts(mission: Mission, attempt: EndedAttempt, launch: Launch): LaunchFacts {
  const { prepared, end, adjustment } = launch;
  const change = launchChange(attempt, launch);
  return {
    launch_id: launch.launch_id,
    worker: workerOf(mission, attempt.task_id, launch),
    cli_version: end?.cli_version ?? prepared?.cli_version ?? null,
    tested_range_ok: prepared?.version_tested ?? null,
    argv: prepared?.argv ?? [],
    confinement: prepared?.confinement ?? 'none',
    confinement_detail: prepared?.confinement_detail ?? 'The launch was never prepared.',
    sandbox: prepared?.sandbox ?? null,
    sandbox_state: prepared?.sandbox_state,
    limits: end?.limits,
    ...(adjustment && adjustment.carried_over.length > 0 ? { carried_over: adjustment.carried_over } : {}),
    ...(adjustment && adjustment.granted.length > 0
      ? {
          granted: adjustment.granted.map(({ permission, directory, decision }) => ({
            permission,
            directory,
            by: decision.actor.name,
            at: decision.at,
          })),
        }
      : {}),
    ...(change ? { change } : {}),
    ...(launch.modes && { modes: launch.modes }),
    ...(prepared?.speaks_to && { speaks_to: prepared.speaks_to }),
    env_names: prepared?.env_names ?? [],
    session_id: end?.session_id ?? launch.worker_session_id,
    model: end?.model ?? prepared?.model ?? null,
    usage: end?.usage ?? null,
    ...(end?.caches && { caches: end.caches }),
    exit_code: end?.exit_code ?? null,
    signal: end?.signal ?? null,
    reason: end?.reason ?? null,
    ...(end?.did_not_exit && { did_not_exit: true }),
    run_dir: `.mission-control/missions/${mission.mission_id}/runs/${launch.run_dir}`,
    started_at: end?.started_at ?? launch.process?.started_at ?? null,
    ended_at: end?.ended_at ?? null,
    stdout: end?.stdout ?? null,
    stderr: end?.stderr ?? null,
    error: end ? wordsOfEnd(end) : null,
    tree_gone: end?.tree_gone ?? null,
  };
}

/** Returns what held a verify command back. */
export function confinementOfVerify(
  { launches }: EndedAttempt,
  { run_dir }: VerifyResult,
): Pick<VerifyFacts, 'confinement' | 'confinement_detail' | 'sandbox'> {
  const prepared = launches.find((launch) => launch.run_dir === run_dir)?.prepared;
  if (!prepared) return {};
  const { confinement, confinement_detail, sandbox } = prepared;
  return { confinement, confinement_detail, sandbox: sandbox ?? null };
}
