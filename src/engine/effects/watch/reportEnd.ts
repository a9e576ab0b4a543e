import type { UsageFacts } from '../../../contracts/launchEvidence';
import { parsedJson, valueAt } from '../../../base/json';
import type { ExitRecord, Usage } from '../../../contracts/launch';
import type { Claim, LaunchEnd } from '../../../core/model/facts';
import { ownError, variablesNamed } from '../../../core/lifecycle/judge/ownError';
import { waitsText } from '../../../core/view/mission/signalLine';
import type { Report } from '../../../core/model/inputs';
import type { Launch } from '../../../core/model/attempt';
import type { Mission, Tasks } from '../../../core/model/state';
import type { PlannedTask } from '../../../core/plan/approvedPlan';
import type { Surroundings } from '../../../core/recovery/permission/grantProblem';
import { claimedResult, claimedText, fencedJson, type ClaimedResult } from '../../../workers/shared/resultPacket';
import type { EnginePorts } from '../../ports/engine';
import { claimFrom, textErrors } from './claimFrom';
import { launchById } from '../launch/journalledLaunch';

/**
 * Turns an exit record into the report the mission waits for: the worker's end with its claim, or a verify result.
 *
 * @param announced what its stream said that it wrote, relative to the workspace
 */
export async function reportEnd(
  mission: Mission,
  launch: Launch,
  exit: ExitRecord,
  ports: EnginePorts,
  announced: readonly string[] = [],
): Promise<Report> {
  const end = {
    ...withReasons(launchEnd(mission, launch, exit), launch, exit, ports),
    ...(announced.length > 0 && { announced }),
  };
  if (launch.purpose.kind === 'worker')
    return {
      type: 'WorkerHasEnded',
      launch_id: launch.launch_id,
      end,
      ...(await surroundings(end, ports)),
      claim: await claimOf(mission, launch, exit, ports),
    };
  return {
    type: 'VerifyHasEnded',
    launch_id: launch.launch_id,
    result: { argv: launch.prepared?.argv ?? [], run_dir: launch.run_dir, end, output_tail: tail(exit) },
  };
}

/** Looks at what the guard of a grant compares the denied places with. */
async function surroundings({ denials }: LaunchEnd, { paths, plans }: EnginePorts): Promise<Surroundings> {
  const home_dir = paths.places.find(({ name }) => name === '<home>')?.path ?? null;
  const named = denials.flatMap(({ path }) => (path?.startsWith('/') ? [path.slice(1)] : []));
  const places = named.length === 0 ? [] : await plans.places('/', named);
  const files = places.flatMap(({ path, kind }) =>
    kind === 'missing' || kind === 'other' ? [{ path: `/${path}`, absent: kind === 'missing' }] : [],
  );
  return { workspace_dir: paths.workspace_dir, home_dir, files };
}

/** Adds what a failed command says about its failure, and what it may have missed. */
function withReasons(end: LaunchEnd, { prepared }: Launch, exit: ExitRecord, { launches }: EnginePorts): LaunchEnd {
  if (prepared?.worker !== 'command' || exit.exit_code === 0) return end;
  const last = exit.reason === 'exited' ? '' : lastLine(exit.summary?.lastMessage ?? '') || lastLine(exit.stderr_tail);
  const unpassed = variablesNamed([tail(exit), ...prepared.argv].join('\n'), launches.unpassed(prepared.env_names));
  const own_error = ownError({ stdout: exit.summary?.lastMessage ?? '', stderr: exit.stderr_tail });
  return {
    ...end,
    ...(unpassed.length > 0 && { unpassed }),
    ...(own_error.length > 0 && { own_error }),
    ...(last !== '' && { last_did: [...(end.last_did ?? []), `its last line: ${last}`] }),
  };
}

/** The claim of a worker's launch: what its CLI gave as the result packet. */
async function claimOf(mission: Mission, launch: Launch, exit: ExitRecord, ports: EnginePorts): Promise<Claim> {
  const { task } = launchById(mission, launch.launch_id).row;
  if (task.worker === 'command') return { kind: 'not_applicable' };
  if (!exit.summary) return { kind: 'missing', reason: 'the stream of the worker could not be read' };
  const claimed = claimedResult(exit.summary);
  if (!claimed.found) return { kind: 'missing', reason: claimed.detail };
  const problems = ambiguities(exit.summary, ports);
  if (problems.length > 0) return { kind: 'invalid', problems };
  if (task.validator) return reportFrom(claimed, task, exit.summary.lastMessage ?? '', ports);
  return claimFrom(claimed.value, { mission, task, launch }, ports);
}

/** Empty: it is not. Structured output of a CLI is a value, so it has no text to judge. */
function ambiguities(summary: NonNullable<ExitRecord['summary']>, { plans }: EnginePorts): readonly string[] {
  const claimed = claimedText(summary);
  return claimed.found && claimed.source !== 'structured_output' ? textErrors(claimed.text, plans) : [];
}

/** Accepts only a value in the form of a report, which must name the asked task and milestone. */
function reportFrom(
  { value, source }: Extract<ClaimedResult, { found: true }>,
  { task_id, milestone }: PlannedTask,
  message: string,
  ports: EnginePorts,
): Claim {
  const checked = ports.claims.validateReport(value);
  if (!checked.ok) return { kind: 'invalid', problems: checked.problems };
  const { runId, milestoneId, status } = checked.report;
  const said = source === 'fenced_block' ? fencedJson(message).flatMap((text) => statusSaid(text, milestoneId)) : [];
  const otherwise = said.find((one) => one !== status);
  const problems = [
    ...(runId === task_id ? [] : [`runId is ${runId}, asked was ${task_id}`]),
    ...(milestoneId === milestone ? [] : [`milestoneId is ${milestoneId}, asked was ${milestone ?? ''}`]),
    ...(otherwise === undefined ? [] : [`one report says ${otherwise}, and the last one ${status}`]),
  ];
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'report', report: checked.report };
}

/** The status of a text that is a report about the milestone; empty: the text is no such report. */
function statusSaid(text: string, milestone: string): readonly string[] {
  const value = parsedJson(text);
  const said = valueAt(value, 'milestoneId') === milestone ? valueAt(value, 'status') : undefined;
  return typeof said === 'string' ? [said] : [];
}

type Ended = Pick<Launch, 'prepared' | 'process' | 'requested_at'>;

export function launchEnd(mission: Tasks, launch: Ended, exit: ExitRecord): LaunchEnd {
  const {
    schema_version: _version,
    launch_id: _id,
    nonce: _nonce,
    leftovers: _leftovers,
    summary,
    last,
    ...end
  } = exit;
  return {
    ...end,
    started_at: startOf(launch, exit),
    ...(last && { last_did: lastDid(last) }),
    stdout: digestOf(exit.stdout),
    stderr: digestOf(exit.stderr),
    session_id: summary?.sessionId ?? null,
    model: summary?.model ?? null,
    cli_version: summary?.cliVersion ?? launch.prepared?.cli_version ?? null,
    usage: usageOf(mission, exit),
    final_seen: summary?.finalSeen ?? false,
    final_ok: summary?.finalOk ?? false,
    final_reason: summary?.finalReason ?? null,
    ...(summary?.limit && { limit: { reached: summary.limit.reached, resets_at: summary.limit.resetsAt } }),
    denials: (summary?.denials ?? [])
      .slice(0, 100)
      .map(({ tool, path, reason, source }) => ({ tool, path, reason, source })),
  };
}

/** The earliest time that it can be, because a later one would put what it wrote before its own start. */
function startOf({ process, requested_at }: Ended, { reason, started_at }: ExitRecord): string {
  const isUnobserved = reason === 'supervisor_lost' || reason === 'run_dir_gone';
  return isUnobserved ? (process?.started_at ?? requested_at) : started_at;
}

/** `its last tool call: Bash npm test`, that it waited for its provider as its last word, and hooks that held it. */
function lastDid({ actions = [], waiting, hooks = [] }: NonNullable<ExitRecord['last']>): readonly string[] {
  const last = actions.at(-1);
  return [
    ...(last ? [`its last tool call: ${[last.tool, last.detail].filter((part) => part !== '').join(' ')}`] : []),
    ...(waiting ? [`its last word: it ${waitsText(waiting)}`] : []),
    ...hooks.map((name) => `the hook ${name} of your own settings of its CLI began and did not end`),
  ];
}

export function usageFacts({ inputTokens, cachedInputTokens, outputTokens, costUsd }: Usage): UsageFacts {
  return {
    input_tokens: inputTokens,
    cached_input_tokens: cachedInputTokens,
    output_tokens: outputTokens,
    cost_usd: costUsd,
  };
}

/** Usage of this launch only: where the CLI reports a session's total, without that of earlier launches. */
function usageOf(mission: Tasks, exit: ExitRecord): UsageFacts | null {
  const { summary } = exit;
  if (!summary?.usage) return null;
  const total = usageFacts(summary.usage);
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

function digestOf(output: ExitRecord['stdout']): LaunchEnd['stdout'] {
  return output === null ? null : { bytes: output.bytes, sha256: output.sha256 };
}

function minus(total: number | null, used: number | null): number | null {
  return total === null ? null : Math.max(0, total - (used ?? 0));
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim().slice(0, 200) ?? '';
}

function tail(exit: ExitRecord): string {
  const text = [exit.summary?.lastMessage ?? '', exit.stderr_tail].filter((part) => part !== '').join('\n');
  return text.split('\n').slice(-20).join('\n').slice(-8192);
}
