import type { TaskEvidence } from '../../contracts/taskEvidence';
import { claimDifferences } from '../observation/claim';
import { firstLines } from '../../base/text/firstNamed';
import type { Claim } from '../documents/claim';
import type { AttemptFacts, Place, TaskFacts } from './facts';
import { cachesDocument, launchDocument, recoveryDocument, sandboxDocument } from './launchDocument';
import { placed } from './placed';
import { documentText } from '../../base/json';
import { utcSeconds } from './places';

type Attempt = NonNullable<TaskEvidence['attempts']>[number];

/** Text of TASK_<task_id>.json; END keeps what START wrote. */
export function taskEvidenceDocument(facts: TaskFacts): string {
  const evidence: TaskEvidence = {
    contract_version: 'S2-B-06.v1',
    plan_id: facts.plan_id,
    task_id: facts.task_id,
    description: facts.description,
    started_at_utc: facts.started_at === null ? null : utcSeconds(facts.started_at),
    notes: joinedNotes(facts.start_notes, facts.end_notes),
    ended_at_utc: facts.ended_at === null ? null : utcSeconds(facts.ended_at),
    status: facts.status,
    commit_sha: facts.commit_sha,
    start_notes: facts.start_notes,
    end_notes: facts.end_notes,
    executor: facts.executor,
    mission_id: facts.mission_id,
    run_id: facts.run_id,
    code: facts.code,
    reason: facts.reason,
    plan_sha256: facts.plan_sha256,
    plan_sha256_observed: facts.plan_sha256_observed,
    worker: facts.worker,
    paths: [...facts.paths],
    forbidden_paths: [...facts.forbidden_paths],
    attempts: facts.attempts.map((attempt) => attemptDocument(attempt, facts.places)),
    ...(facts.outstanding && facts.outstanding.length > 0
      ? {
          outstanding: facts.outstanding.map((entry) => ({
            name: entry.name,
            path: entry.path,
            kind: entry.kind,
            attempt: entry.attempt,
            before_sha256: entry.before_sha256,
            found_sha256: entry.found_sha256,
            resolved_path: entry.resolved_path === null ? null : placed(entry.resolved_path, facts.places),
            detail: entry.detail,
            why: entry.why,
            category: entry.category,
            state: entry.state,
            gone_in_attempt: entry.gone_in_attempt,
            accepted_by: entry.accepted_by,
          })),
        }
      : {}),
    ...(facts.carried_from ? { carried_from: facts.carried_from } : {}),
    ...(facts.skipped_by ? { skipped_by: facts.skipped_by } : {}),
    ...(facts.metadata_revised && facts.metadata_revised.length > 0
      ? { metadata_revised: facts.metadata_revised }
      : {}),
    recovery: {
      relaunches: facts.attempts.flatMap(({ recoveries = [] }) =>
        recoveries.map((event) => recoveryDocument(event, facts.places)),
      ),
    },
  };
  return documentText(evidence);
}

function joinedNotes(start: string | null, end: string | null): string | null {
  const notes = [start, end].filter((note): note is string => note !== null && note !== '');
  return notes.length === 0 ? null : notes.join('\n');
}

function attemptDocument(facts: AttemptFacts, places: readonly Place[]): Attempt {
  const { decided_by: decision } = facts;
  return {
    attempt: facts.attempt,
    started_at: facts.started_at,
    ended_at: facts.ended_at,
    outcome: facts.outcome,
    code: facts.code,
    reason: facts.reason,
    decided_by:
      decision === null
        ? null
        : {
            kind: decision.actor.kind,
            name: decision.actor.name,
            outcome: decision.outcome,
            reason: decision.reason,
            at: decision.at,
          },
    ...(facts.because !== undefined && { because: facts.because }),
    ...(facts.validation && { validation: facts.validation }),
    ...(facts.answers && { answers: facts.answers }),
    ...(facts.context && { context: contextDocument(facts.context) }),
    ...(facts.model_selection && { model_selection: { ...facts.model_selection } }),
    launches: facts.launches.map((launch) => launchDocument(launch, places)),
    changes: facts.changes.map((change) => ({
      path: change.path,
      kind: change.kind,
      before_sha256: change.before_sha256,
      after_sha256: change.after_sha256,
      ...(change.after_mode !== undefined && { after_mode: change.after_mode }),
      ...(change.after_link !== undefined && { after_link: change.after_link }),
      resolved_path: change.resolved_path === null ? null : placed(change.resolved_path, places),
      attribution: change.attribution,
      in_scope: change.in_scope,
      violation: change.violation,
      detail: change.detail,
      ...(change.scratch ? { scratch: true } : {}),
      ...(change.by_others ? { by_others: true } : {}),
      ...(change.relied_on === undefined ? {} : { relied_on: change.relied_on }),
      ...(change.doubt === undefined ? {} : { doubt: change.doubt }),
    })),
    observed_sha256: facts.observed_sha256,
    not_observed: [...facts.not_observed],
    ...(facts.clock_ahead_ms !== undefined && { clock_ahead_ms: facts.clock_ahead_ms }),
    claim: claimDocument(facts.claim),
    ...timeoutDocument(facts),
    comparison: comparison(facts, places),
    verify: facts.verify.map((check) => ({
      argv: check.argv.map((argument) => placed(argument, places)),
      exit_code: check.exit_code,
      signal: check.signal,
      passed: check.passed,
      output_sha256: check.output_sha256,
      tail: check.tail,
      ...(check.confinement === undefined ? {} : { confinement: check.confinement }),
      ...(check.confinement_detail === undefined
        ? {}
        : { confinement_detail: placed(check.confinement_detail, places) }),
      ...sandboxDocument(check.sandbox, places),
      ...(check.limits && { limits: { ...check.limits } }),
      ...(check.caches && { caches: cachesDocument(check.caches, places) }),
    })),
    ...(facts.verify_changes
      ? {
          verify_changes: {
            observed_sha256: facts.verify_changes.observed_sha256,
            changes: facts.verify_changes.changes.map((change) => ({
              path: change.path,
              kind: change.kind,
              left_sha256: change.left_sha256,
              after_sha256: change.after_sha256,
              attribution: change.attribution,
              in_scope: change.in_scope,
              blocks: change.blocks,
              ...(change.by_others ? { by_others: true } : {}),
            })),
          },
        }
      : {}),
    acceptance: facts.acceptance.map(({ criterion, result, evidence }) => ({ criterion, result, evidence })),
    denials: facts.denials.map(({ tool, path, reason }) => ({
      tool,
      path: path === null ? null : placed(path, places),
      reason,
    })),
    ...(facts.intervention && { intervention: facts.intervention }),
    ...(facts.memory && { memory: facts.memory }),
    ...(facts.verification && { verification: facts.verification }),
    ...(facts.checks && { checks: facts.checks }),
    ...(facts.seal && { seal: { ...facts.seal } }),
  };
}

function timeoutDocument({ timed_out, late_result }: AttemptFacts): Pick<Attempt, 'timeout' | 'late_result'> {
  return {
    ...(timed_out
      ? {
          timeout: {
            last_heartbeat_at: timed_out.last_heartbeat_at,
            timeout_seconds: timed_out.timeout_seconds,
            age_seconds: timed_out.age_seconds,
            found: timed_out.found,
          },
        }
      : {}),
    ...(late_result
      ? { late_result: { at: late_result.at, after: late_result.after, claim: claimDocument(late_result.claim) } }
      : {}),
  };
}

function claimDocument(claim: Claim): Attempt['claim'] {
  switch (claim.kind) {
    case 'not_applicable':
      return { kind: 'not_applicable', problems: [], packet: null };
    case 'missing':
      return { kind: 'missing', problems: [claim.reason], packet: null };
    case 'invalid':
      return { kind: 'invalid', problems: [...claim.problems], packet: null };
    case 'report':
      // The report is in `validation`.
      return { kind: 'report', problems: [], packet: null };
    case 'valid':
      return { kind: 'valid', problems: [...(claim.refused?.findings ?? [])], packet: claim.result };
  }
}

function comparison(facts: AttemptFacts, places: readonly Place[]): Attempt['comparison'] {
  if (facts.claim.kind !== 'valid') return null;
  const roots = places.map((place) => place.path);
  const { result, elsewhere = [] } = facts.claim;
  const differences = claimDifferences(result.changes, facts.changes, { roots, elsewhere });
  return {
    agrees: differences.length === 0,
    differences: [...firstLines(differences, 'changes and packet of this attempt')],
  };
}

function contextDocument({
  instructions,
  ...context
}: NonNullable<AttemptFacts['context']>): NonNullable<Attempt['context']> {
  return { ...context, ...(instructions && { instructions: [...instructions] }) };
}
