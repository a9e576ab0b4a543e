import type { ExitRecord } from '../../contracts/launch';
import type { OutputFacts, UsageFacts } from '../../core/evidence/facts';
import type { Claim, LaunchEnd } from '../../core/model/facts';
import { judgeIntegration } from '../../core/freshContext/integration';
import { minimalScope } from '../../core/locks/conflicts';
import { leadsTo } from '../../core/locks/lockPath';
import type { Report } from '../../core/model/inputs';
import { pathUnder } from '../../core/paths/underFolder';
import { absolute } from '../../core/recovery/permission/decideRecovery';
import { surroundingsOf } from '../../core/mission/ledgerDocument';
import type { Launch } from '../../core/model/attempt';
import type { Mission } from '../../core/model/state';
import type { PlannedTask } from '../../core/plan/approvedPlan';
import { claimedResult } from '../../workers/shared/resultPacket';
import type { EnginePorts } from '../ports/engine';
import { launchById } from './launchById';

/** Turns an exit record into the report the mission waits for: the worker's end with its claim, or a verify result. */
export async function reportEnd(
  mission: Mission,
  launch: Launch,
  exit: ExitRecord,
  ports: EnginePorts,
): Promise<Report> {
  const end = launchEnd(mission, launch, exit);
  const { task } = launchById(mission, launch.launch_id).row;
  if (launch.purpose.kind === 'worker')
    return {
      type: 'WorkerHasEnded',
      launch_id: launch.launch_id,
      end,
      workspace_dir: ports.paths.workspace_dir,
      claim: await integrated(claimOf(mission, launch, exit, ports), mission, task, ports),
    };
  return {
    type: 'VerifyHasEnded',
    launch_id: launch.launch_id,
    result: { argv: launch.prepared?.argv ?? [], run_dir: launch.run_dir, end, output_tail: tail(exit) },
  };
}

/** Adds the reason why a valid claim must not be integrated, if there is one. */
async function integrated(claim: Claim, mission: Mission, task: PlannedTask, ports: EnginePorts): Promise<Claim> {
  if (claim.kind !== 'valid') return claim;
  const { result, elsewhere = [] } = claim;
  const { paths, claims } = ports;
  const surroundings = surroundingsOf(mission);
  const relative = result.worklog_path === '' ? null : paths.relative(result.worklog_path);
  const worklog = relative === null ? null : await claims.worklog(paths.absolute(relative));
  const refused = judgeIntegration(result, {
    assignment: {
      run_id: mission.run_id,
      task: {
        task_id: task.task_id,
        lock_scope: [...minimalScope(task.paths, surroundings)],
        forbidden_scope: [...task.forbidden_paths],
        acceptance_criteria: [...task.acceptance_criteria],
        // The worker chooses the place of its notes.
        worklog_path: result.worklog_path,
      },
    },
    surroundings,
    roots: paths.scope.roots,
    elsewhere,
    ...(worklog === null ? {} : { worklog }),
  });
  return refused ? { ...claim, refused } : claim;
}

function claimOf(mission: Mission, launch: Launch, exit: ExitRecord, ports: EnginePorts): Claim {
  const { task } = launchById(mission, launch.launch_id).row;
  if (task.worker === 'command') return { kind: 'not_applicable' };
  if (!exit.summary) return { kind: 'missing', reason: 'the stream of the worker could not be read' };
  const claimed = claimedResult(exit.summary);
  if (!claimed.found) return { kind: 'missing', reason: claimed.detail };
  const checked = ports.claims.validate(claimed.value);
  if (!checked.ok) return { kind: 'invalid', problems: checked.problems };
  const problems = [
    ...(checked.result.task_id === task.task_id
      ? []
      : [`task_id is ${checked.result.task_id}, assigned was ${task.task_id}`]),
    ...(checked.result.run_id === mission.run_id
      ? []
      : [`run_id is ${checked.result.run_id}, assigned was ${mission.run_id}`]),
  ];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const changes = checked.result.changes.map((change) => {
    const inside = observedPath(mission, ports.paths.relative(change.resource));
    const elsewhere = inside === null ? givenPlace(launch, change.resource, ports) : null;
    return { change: { ...change, resource: inside ?? elsewhere ?? change.resource }, elsewhere };
  });
  const elsewhere = changes.flatMap((one) => one.elsewhere ?? []);
  return {
    kind: 'valid',
    result: { ...checked.result, changes: changes.map(({ change }) => change) },
    ...(elsewhere.length > 0 && { elsewhere }),
  };
}

/** The absolute path of a file in a directory outside the workspace that the launch was given; null: it is in none. */
function givenPlace({ adjustment }: Launch, resource: string, { paths }: EnginePorts): string | null {
  const place = absolute(paths, resource);
  const given = adjustment?.widening.add_directories ?? [];
  const holds = (directory: string): boolean =>
    place !== null && pathUnder(place, directory, paths.scope.comparison) !== null;
  return given.some(holds) ? place : null;
}

/** Changes are observed at their real place, whatever link the worker used. */
function observedPath(mission: Mission, relative: string | null): string | null {
  return relative === null ? null : (leadsTo(relative, mission.file_system) ?? relative);
}

function launchEnd(mission: Mission, launch: Launch, exit: ExitRecord): LaunchEnd {
  const { summary } = exit;
  return {
    reason: exit.reason,
    exit_code: exit.exit_code,
    signal: exit.signal,
    started_at: exit.started_at,
    ended_at: exit.ended_at,
    tree_gone: exit.tree_gone,
    survivors: exit.survivors,
    ...(exit.limits && { limits: exit.limits }),
    error: exit.error,
    stdout: digestOf(exit.stdout),
    stderr: digestOf(exit.stderr),
    stderr_tail: exit.stderr_tail,
    session_id: summary?.sessionId ?? null,
    model: summary?.model ?? null,
    cli_version: summary?.cliVersion ?? launch.prepared?.cli_version ?? null,
    usage: usageOf(mission, exit),
    final_seen: summary?.finalSeen ?? false,
    final_ok: summary?.finalOk ?? false,
    final_reason: summary?.finalReason ?? null,
    denials: (summary?.denials ?? [])
      .slice(0, 100)
      .map(({ tool, path, reason, source }) => ({ tool, path, reason, source })),
  };
}

/** Usage of this launch only: where the CLI reports a session's total, without that of earlier launches. */
function usageOf(mission: Mission, exit: ExitRecord): UsageFacts | null {
  const { summary } = exit;
  if (!summary?.usage) return null;
  const total: UsageFacts = {
    input_tokens: summary.usage.inputTokens,
    cached_input_tokens: summary.usage.cachedInputTokens,
    output_tokens: summary.usage.outputTokens,
    cost_usd: summary.usage.costUsd,
  };
  if (summary.usageSpan !== 'session' || summary.sessionId === null) return total;
  const earlier = [...mission.rows.flatMap((row) => row.attempts), ...mission.lanes]
    .flatMap((attempt) => attempt.launches)
    .filter((launch) => launch.end?.session_id === summary.sessionId)
    .flatMap((launch) => (launch.end?.usage ? [launch.end.usage] : []));
  return earlier.reduce<UsageFacts>(
    (rest, used) => ({
      input_tokens: minus(rest.input_tokens, used.input_tokens),
      cached_input_tokens: minus(rest.cached_input_tokens, used.cached_input_tokens),
      output_tokens: minus(rest.output_tokens, used.output_tokens),
      cost_usd: minus(rest.cost_usd, used.cost_usd),
    }),
    total,
  );
}

function digestOf(output: ExitRecord['stdout']): OutputFacts | null {
  return output === null ? null : { bytes: output.bytes, sha256: output.sha256 };
}

function minus(total: number | null, used: number | null): number | null {
  return total === null ? null : Math.max(0, total - (used ?? 0));
}

function tail(exit: ExitRecord): string {
  const text = [exit.summary?.lastMessage ?? '', exit.stderr_tail].filter((part) => part !== '').join('\n');
  return text.split('\n').slice(-20).join('\n').slice(-8192);
}
