import { sidesOf } from '../../../base/fileState';
import type { ChangeEvidence, VerifyChangeEvidence } from '../../../contracts/record/changeEvidence';
import type { StepResult, TimedOut } from '../../model/facts';
import { notMachineChecked } from '../../../contracts/vocabulary/execution';
import type { EachMember } from '../../../contracts/record/header';
import type { AttemptEvidence, TaskEvidence, TaskWithAttempts } from '../../../contracts/taskEvidence';
import { filled } from '../../../base/json';
import { firstLines } from '../../../base/text/firstNamed';
import type { Claim } from '../../documents/claim';
import { inPlaces, type Place, utcSeconds } from '../../evidence/places';
import { failureCode } from '../../lifecycle/judge/rules';
import { proposedBy } from '../../lifecycle/memory';
import { reportedModel, selectionOf } from '../../lifecycle/parts/modelSelection';
import { memoryName } from '../../memory/rememberedValue';
import type { Acceptance } from '../../model/acceptance';
import type { AttemptRecord, EndedAttempt } from '../../model/attempt';
import type { CarriedTask } from '../../model/carried';
import type { ImportedRow } from '../../model/handoffFacts';
import { waitingWork } from '../../model/waitingWork';
import { orderedBy, type TaskRow, type Progress } from '../../model/state';
import type { Change } from '../../observation/change';
import { claimDifferences } from '../../observation/claim';
import { changesAtEnd, type VerifyChange } from '../../observation/verifyChange';
import { evidenceStatus } from './ledgerDocument';
import { launchEvidence, verifyEvidence } from './launchEvidence';
import { validationFacts } from '../milestones/milestones';
import { withRevision } from '../revision/revisable';
import { recoveriesOf } from './recoveryDocuments';

/** TASK_<task_id>.json, in the order of the contract. It names places of this machine, because it is committed. */
export function taskEvidence(mission: Progress, row: TaskRow, places: readonly Place[] = []): TaskWithAttempts {
  const { task, carried, revised, skipped, undone } = row;
  const last = row.attempts.at(-1);
  const reason = row.reason === '' ? null : row.reason;
  const recoveries = row.attempts.flatMap((attempt) => recoveriesOf(row, attempt));
  return {
    contract_version: 'S2-B-06.v1',
    plan_id: mission.plan.plan_id,
    task_id: task.task_id,
    description: task.description,
    started_at_utc: row.started_at && utcSeconds(row.started_at),
    notes: reason,
    ended_at_utc: row.ended_at && utcSeconds(row.ended_at),
    status: evidenceStatus(row),
    commit_sha: last?.after_verify?.head ?? last?.observed?.head ?? null,
    start_notes: null,
    end_notes: reason,
    executor: 'mission',
    mission_id: mission.mission_id,
    run_id: mission.run_id,
    code: row.code,
    reason,
    plan_sha256: mission.plan_sha256,
    plan_sha256_observed: last?.plan_sha256_observed ?? null,
    worker: task.worker,
    paths: task.paths,
    forbidden_paths: task.forbidden_paths,
    attempts: [
      ...(carried?.attempts ?? []),
      ...row.attempts.map((attempt) => attemptEvidence(mission, row, attempt, places)),
    ],
    outstanding: filled(
      row.outstanding.map((entry) => ({ ...entry, resolved_path: inPlaces(entry.resolved_path, places) })),
    ),
    carried_from: revised ? { ...revised.from, outputs: revised.outputs } : undefined,
    skipped: skipped ?? undefined,
    undone: filled(undone),
    metadata_revised: filled(row.revisions),
    recovery: { relaunches: [...(carried?.relaunches ?? []), ...inPlaces(recoveries, places)] },
  } satisfies EachMember<TaskEvidence>;
}

/** The row as evidence of a handoff has it: the same read backwards, so that each fact has one way to a clone. */
export function importedRow(row: TaskRow, { evidence, category, sha256, answers = [] }: ImportedRow): TaskRow {
  const {
    attempts = [],
    outstanding = [],
    skipped = null,
    undone = [],
    metadata_revised = [],
    carried_from,
  } = evidence;
  const imported: TaskRow = {
    ...{ ...row, outstanding, skipped, undone, answers },
    started_at: evidence.started_at_utc,
    ended_at: evidence.ended_at_utc ?? null,
    acceptance: acceptanceIn(evidence),
    // A row that is to do and was attempted is a milestone that was accepted and is validated again.
    outdated: row.status === 'todo' && attempts.length > 0 ? row.reason : null,
    revised: carried_from ? revisedOf(row.task.task_id, carried_from) : null,
    carried: { attempts, relaunches: evidence.recovery?.relaunches ?? [], category, sha256 },
  };
  return metadata_revised.reduce(withRevision, imported);
}

function revisedOf(task_id: string, { outputs, ...from }: NonNullable<TaskEvidence['carried_from']>): CarriedTask {
  return { task_id, from, outputs };
}

/** The files for which the milestone was accepted there. A milestone without that fact is validated again. */
function acceptanceIn({ status, attempts = [], commit_sha }: TaskEvidence): Acceptance | null {
  const last = attempts.at(-1);
  const tree_sha256 = last?.validation?.tree_sha256 ?? null;
  if (status !== 'SUCCESS' || !last || last.outcome !== 'PASS' || tree_sha256 === null) return null;
  const { attempt, ended_at } = last;
  return { attempt, tree_sha256, head: commit_sha ?? null, at: ended_at ?? '', check: 'none', checks: 0 };
}

function attemptEvidence(
  mission: Progress,
  row: TaskRow,
  attempt: EndedAttempt,
  places: readonly Place[],
): AttemptEvidence {
  const { failure, decided_by, context, timed_out, late_result, after_verify, intervention, launches } = attempt;
  const selection = selectionOf(attempt);
  const reported = selection && reportedModel(mission, row, attempt);
  const workers = launches.filter(({ purpose }) => purpose.kind === 'worker');
  const changes = changesAtEnd(attempt.observed?.changes ?? [], after_verify?.changes ?? []);
  const { verification, checks } = judgementFacts(attempt, row.task.worker !== 'command');
  return {
    attempt: attempt.attempt,
    started_at: attempt.started_at,
    ended_at: attempt.ended_at,
    outcome: attempt.outcome,
    code: failure && failureCode(failure),
    reason: failure && [failure.reason, ...failure.details].join('\n'),
    decided_by: decided_by && {
      ...decided_by,
      outcome:
        orderedBy(mission, row.task.task_id, decided_by) ?? (attempt.validates ? 'rerun-validation' : 'retry-repair'),
    },
    because: attempt.because,
    validation: validationFacts(row, attempt),
    answers: filled(attempt.answers),
    not_landed: waitingWork(row, attempt) ? true : undefined,
    merged: filled(attempt.merged?.map(({ name, task_id }) => ({ path: name, task_id })) ?? []),
    context,
    model_selection: selection && {
      ...selection,
      reported: reported ? { model: reported.model, judged: reported.kind } : null,
    },
    launches: workers.map((launch) => inPlaces(launchEvidence(mission, attempt, launch), places)),
    changes: changes.map((change) => changeEvidence(change, places)),
    observed_sha256: attempt.observed?.observed_sha256 ?? null,
    not_observed: notObserved(attempt),
    earlier_work: inPlaces(attempt.observed?.earlier, places),
    clock_ahead_ms: attempt.baseline?.clock_ahead_ms,
    claim: claimEvidence(attempt.claim),
    timeout: timed_out ? timeoutEvidence(timed_out) : undefined,
    late_result: late_result ? { ...late_result, claim: claimEvidence(late_result.claim) } : undefined,
    comparison: comparison(attempt, changes, places),
    verify: attempt.verify.map((result) => verifyEvidence(attempt, result, places)),
    verify_changes: after_verify
      ? {
          observed_sha256: after_verify.observed_sha256,
          changes: after_verify.changes.map(verifyChangeEvidence),
        }
      : undefined,
    acceptance: row.task.acceptance_criteria.map((criterion) => acceptance(attempt, criterion)),
    denials: [...workers, ...attempt.verify].flatMap(({ end }) =>
      (end?.denials ?? []).map(({ tool, path, reason }) => ({ tool, path: inPlaces(path, places), reason })),
    ),
    intervention: intervention && {
      requested_at: intervention.requested_at,
      missing: intervention.missing,
      packet: intervention.claimed.kind === 'valid' ? intervention.claimed.result : null,
      decision: intervention.decision,
    },
    memory: memoryEvidence(attempt),
    ...{ verification, checks },
    seal: sealOf(attempt),
  } satisfies EachMember<AttemptEvidence>;
}

function changeEvidence(change: Change, places: readonly Place[]): ChangeEvidence {
  const { path, kind, before_sha256, after_sha256, attribution, in_scope } = change;
  const { violation, detail, scratch, by_others, relied_on, doubt } = change;
  const resolved_path = inPlaces(change.resolved_path, places);
  return {
    ...{ path, kind, before_sha256, after_sha256, ...sidesOf(change), resolved_path, attribution, in_scope },
    ...{ violation, detail, scratch, by_others, relied_on, doubt },
  };
}

function verifyChangeEvidence(change: VerifyChange): VerifyChangeEvidence {
  const { path, kind, left_sha256, after_sha256, attribution, in_scope, blocks, by_others } = change;
  return { path, kind, left_sha256, after_sha256, attribution, in_scope, blocks, by_others };
}

function timeoutEvidence({ launch_id: _launch, ...timeout }: TimedOut): AttemptEvidence['timeout'] {
  return timeout;
}

function claimEvidence(claim: Claim): AttemptEvidence['claim'] {
  switch (claim.kind) {
    // A report is in `validation`.
    case 'not_applicable':
    case 'report':
      return { kind: claim.kind, problems: [], packet: null };
    case 'missing':
      return { kind: claim.kind, problems: [claim.reason], packet: null };
    case 'invalid':
      return { kind: claim.kind, problems: claim.problems, packet: null };
    case 'valid':
      return { kind: claim.kind, problems: claim.refused?.findings ?? [], packet: claim.result };
  }
}

function comparison(
  { claim, observed }: EndedAttempt,
  changes: readonly Change[],
  places: readonly Place[],
): AttemptEvidence['comparison'] {
  if (claim.kind !== 'valid') return null;
  const roots = places.map((place) => place.path);
  const { result, elsewhere = [] } = claim;
  const differences = claimDifferences(result.changes, changes, { roots, elsewhere, earlier: observed?.earlier });
  return {
    agrees: differences.length === 0,
    differences: firstLines(differences, 'changes and packet of this attempt'),
  };
}

export function notObserved({ observed, after_verify }: EndedAttempt): readonly string[] {
  return [...new Set([...(observed?.not_observed ?? []), ...(after_verify?.not_observed ?? [])])];
}

function acceptance(attempt: EndedAttempt, criterion: string): AttemptEvidence['acceptance'][number] {
  if (attempt.claim.kind !== 'valid')
    return {
      criterion,
      result: 'not_checked',
      evidence: 'No worker reported on it; only the verify commands of the task speak for it.',
    };
  const check = attempt.claim.result.acceptance_check.find((candidate) => candidate.criterion === criterion);
  return check
    ? { criterion, result: check.status, evidence: check.evidence }
    : { criterion, result: 'not_checked', evidence: 'The worker did not report on it.' };
}

/** Returns what was proposed to be remembered, who decided about it, and what was saved. */
function memoryEvidence(attempt: Pick<AttemptRecord, 'claim' | 'memory'>): AttemptEvidence['memory'] {
  const { claim, memory } = attempt;
  if (claim.kind !== 'valid' || !claim.memory) return undefined;
  if (claim.memory.kind === 'ignored') return { entries: [], decision: null, ignored: claim.memory.reason };
  return {
    entries: proposedBy(attempt).map((proposed) => {
      const name = memoryName(proposed);
      const standing = memory?.standings?.find((one) => one.name === name);
      const saved = memory?.saved?.find((one) => one.name === name);
      const discarded = memory?.decided?.discards.includes(name) === true;
      return {
        name,
        decision: proposed.decision,
        rationale: proposed.rationale,
        supersedes: proposed.supersedes ?? null,
        outcome: saved ? 'saved' : standing?.state === 'known' ? 'known' : discarded ? 'discarded' : 'undecided',
        conflict:
          standing?.state === 'conflict'
            ? { version: standing.current?.version ?? null, decision: standing.current?.decision ?? null }
            : null,
        version: saved?.version ?? null,
        sha256: saved?.sha256 ?? null,
        path: saved?.path ?? null,
      };
    }),
    decision: memory?.decided?.decision ?? null,
    ignored: null,
  };
}

function sealOf({ phases }: EndedAttempt): AttemptEvidence['seal'] {
  const seal = phases.find(({ phase }) => phase === 8)?.seal;
  const closing = phases.find(({ phase }) => phase === 10)?.closing;
  return seal && closing
    ? { records: seal.records_sha256.length, sha256: seal.sha256, closing_sha256: closing.sha256 }
    : undefined;
}

/**
 * The steps and checks of an attempt as its phases recorded them, the later ones of two.
 *
 * @param asksModel false: what only concerns models is not named
 */
export function judgementFacts(
  { phases }: Pick<AttemptRecord, 'phases'>,
  asksModel: boolean,
): { readonly verification?: readonly StepResult[]; readonly checks?: NonNullable<AttemptEvidence['checks']> } {
  const steps = phases.findLast((phase) => phase.steps)?.steps;
  const results = [...new Map(phases.flatMap(({ checks }) => (checks ? [[checks.point, checks]] : []))).values()];
  if (!steps && results.length === 0) return {};
  const checks = results.flatMap(({ point, passed, failed }) => [
    ...passed.map((name) => ({ point, name, outcome: 'PASS' as const })),
    ...(failed ? [{ point, ...failed }] : []),
    ...(asksModel ? notMachineChecked : [])
      .filter((one) => one.point === point)
      .map((one) => ({ ...one, outcome: 'not_machine_checked' as const })),
  ]);
  return {
    ...(steps && { verification: steps }),
    ...(checks.length > 0 && { checks }),
  };
}
