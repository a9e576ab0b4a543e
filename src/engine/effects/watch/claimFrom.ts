import { judgeIntegration } from '../../../core/freshContext/result';
import type { SubagentResult } from '../../../contracts/result';
import { minimalScope } from '../../../core/locks/conflicts';
import { valueAt } from '../../../base/json';
import { memoryIntents } from '../../../contracts/vocabulary/intents';
import type { ClaimedMemory } from '../../../core/documents/claim';
import { mayRemember } from '../../../core/lifecycle/memory';
import { memoryMember, readProposals } from '../../../core/memory/proposed';
import { leadsTo } from '../../../core/locks/lockPath';
import { surroundingsOf } from '../../../core/mission/evidence/ledgerDocument';
import type { Launch } from '../../../core/model/attempt';
import type { Claim } from '../../../core/model/facts';
import type { Mission, Tasks } from '../../../core/model/state';
import { namedPath } from '../../../core/paths/namedPath';
import { pathUnder } from '../../../core/paths/underFolder';
import type { PlannedTask } from '../../../core/plan/approvedPlan';
import { absolute } from '../../../core/recovery/permission/decideRecovery';
import type { Finding } from '../../../core/documents/finding';
import type { EnginePorts } from '../../ports/engine';
import type { PlanFiles } from '../../ports/plans';

export interface ClaimedBy {
  readonly mission: Mission;
  readonly task: PlannedTask;
  /** The launch that made the claim, with what its worker was given; null: no launch of this attempt made it. */
  readonly launch: Launch | null;
}

type ClaimedChange = SubagentResult['changes'][number];

/** The claim has paths as observation names them, and what forbids its integration. */
export async function claimFrom(
  value: unknown,
  { mission, task, launch }: ClaimedBy,
  ports: EnginePorts,
): Promise<Claim> {
  const checked = ports.claims.validate(value);
  const memory = memoryIn(value, task);
  if (!checked.ok || !memory.ok)
    return {
      kind: 'invalid',
      problems: [...(checked.ok ? [] : checked.problems), ...(memory.ok ? [] : memory.problems)],
    };
  const problems = [
    ...(checked.result.task_id === task.task_id
      ? []
      : [`task_id is ${checked.result.task_id}, assigned was ${task.task_id}`]),
    ...(checked.result.run_id === mission.run_id
      ? []
      : [`run_id is ${checked.result.run_id}, assigned was ${mission.run_id}`]),
  ];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const changes = checked.result.changes.flatMap(bothEnds).map((change) => {
    const named = namedPath(change.resource, ports.paths.scope.form);
    const relative = ports.paths.relative(named);
    // Observation names a file by its real place, whatever link the worker used.
    const inside = relative === null ? null : (leadsTo(relative, mission.file_system) ?? relative);
    const elsewhere = inside === null && launch ? givenPlace(launch, named, ports) : null;
    return { change: { ...change, resource: inside ?? elsewhere ?? change.resource }, elsewhere };
  });
  const elsewhere = changes.flatMap((one) => one.elsewhere ?? []);
  const claim: Claim = {
    kind: 'valid',
    result: { ...checked.result, changes: changes.map(({ change }) => change) },
    ...(elsewhere.length > 0 && { elsewhere }),
    ...(memory.claimed && { memory: memory.claimed }),
  };
  return integrated(claim, mission, task, ports);
}

/** A rename that is written as git writes it, `a -> b`, is a claim of both. */
function bothEnds(change: ClaimedChange): readonly ClaimedChange[] {
  const ends = /^(renam|mov)/i.test(change.action.trim()) ? change.resource.split(/ +(?:->|=>|→) +/) : [];
  return ends.length === 2 ? ends.map((resource) => ({ ...change, resource })) : [change];
}

/** Drops a proposal of a task that may make none, without an error. */
function memoryIn(
  value: unknown,
  task: PlannedTask,
):
  | { readonly ok: true; readonly claimed: ClaimedMemory | null }
  | { readonly ok: false; readonly problems: readonly string[] } {
  const member = valueAt(value, memoryMember);
  if (member === undefined || member === null) return { ok: true, claimed: null };
  if (!mayRemember(task)) {
    const reason = `${memoryMember} is for tasks that declare ${memoryIntents.join(', ')}`;
    return { ok: true, claimed: { kind: 'ignored', reason } };
  }
  const read = readProposals(value);
  if (!read.ok) return { ok: false, problems: read.findings.map(({ pointer, message }) => `${pointer}: ${message}`) };
  return { ok: true, claimed: read.entries.length === 0 ? null : { kind: 'proposed', entries: read.entries } };
}

/** Adds the reason why a valid claim must not be integrated, if there is one. */
async function integrated(claim: Claim, mission: Tasks, task: PlannedTask, ports: EnginePorts): Promise<Claim> {
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

/** Absolute, in a directory outside the workspace that the launch was given; null: in no such directory. */
function givenPlace({ adjustment }: Launch, resource: string, { paths }: EnginePorts): string | null {
  const place = absolute(paths, resource);
  const given = adjustment?.widening.add_directories ?? [];
  const holds = (directory: string): boolean =>
    place !== null && pathUnder(place, directory, paths.scope.comparison) !== null;
  return given.some(holds) ? place : null;
}

/** At most so many errors are named. */
const namedErrors = 5;

/** Empty: it is unambiguous. A doubled key is not, because its author may have meant either value. */
export function textErrors(text: string, plans: Pick<PlanFiles, 'parse'>): readonly string[] {
  return plans
    .parse(text)
    .findings.filter(({ severity }) => severity === 'error')
    .slice(0, namedErrors)
    .map(errorLine);
}

function errorLine({ code, pointer, line, message }: Finding): string {
  return `${code}${pointer === '' ? '' : ` at ${pointer}`}${line === undefined ? '' : `, line ${line}`}: ${message}`;
}
