import type { ExecutionHeader } from '../../contracts/header';
import { evidenceNames, unsealed } from '../../contracts/vocabulary/evidenceFiles';
import type { HeaderFacts } from './facts';
import { documentText } from '../../base/json';
import { utcSeconds } from './places';

/** Text of EXECUTION_HEADER.json without its seal. */
export function headerDocument(facts: HeaderFacts): string {
  const header: ExecutionHeader = {
    contract_version: 'S2-B-06.v1',
    plan_id: facts.plan_id,
    goal_id: facts.goal_id,
    plan_path: facts.plan_path,
    plan_sha256: facts.plan_sha256,
    started_at_utc: utcSeconds(facts.started_at),
    state: facts.state,
    ...(facts.host === null ? {} : { host: facts.host }),
    ...(facts.user === null ? {} : { user: facts.user }),
    executor: facts.executor,
    mission_id: facts.mission_id,
    run_id: facts.run_id,
    ended_at_utc: facts.ended_at === null ? null : utcSeconds(facts.ended_at),
    outcome: facts.outcome,
    status: facts.status,
    cancelled: facts.cancelled,
    code: facts.code,
    reason: facts.reason,
    ...(facts.plan_canonical_sha256 ? { plan_canonical_sha256: facts.plan_canonical_sha256 } : {}),
    ...(facts.plan_sha256_observed === null ? {} : { plan_sha256_observed: facts.plan_sha256_observed }),
    ...(facts.resumed_from ? { resumed_from: facts.resumed_from } : {}),
    ...(facts.supersedes ? { supersedes: facts.supersedes } : {}),
    ...(facts.superseded_by ? { superseded_by: facts.superseded_by } : {}),
    ...(facts.archived ? { archived: facts.archived } : {}),
    ...(facts.moved_aside && facts.moved_aside.length > 0
      ? { moved_aside: facts.moved_aside.map(({ path, moved_to }) => ({ path, moved_to })) }
      : {}),
    approval_source: facts.approval_source,
    approved_by: facts.approved_by,
    approved_at: facts.approved_at,
    ...(facts.approved_here ? { approved_here: facts.approved_here } : {}),
    ...(facts.confinement ? { confinement: facts.confinement } : {}),
    ...(facts.policy_sha256 ? { policy_sha256: facts.policy_sha256 } : {}),
    state_history: facts.state_history.map(({ state, at }) => ({ state, at })),
    locked_plan: { file: evidenceNames.lockedPlan, sha256: facts.locked_plan_sha256 },
    summary: facts.summary_sha256 === null ? null : { file: evidenceNames.summary, sha256: facts.summary_sha256 },
    tasks: facts.tasks.map((task) => ({
      task_id: task.task_id,
      status: task.status,
      code: task.code,
      attempts: task.attempts,
      evidence_sha256: task.evidence_sha256,
    })),
    ...(facts.milestones && {
      milestones: facts.milestones.map(({ milestone_id, task_id, accepted, evidence_sha256 }) => ({
        milestone_id,
        task_id,
        accepted,
        evidence_sha256,
      })),
    }),
    ...(facts.orchestrator && { orchestrator: facts.orchestrator }),
    success_criteria: facts.success_criteria.map(({ criterion, result, accepted_by, detail }) => ({
      ...{ criterion, result, detail },
      ...(accepted_by && { accepted_by: [...accepted_by] }),
    })),
    journal: facts.journal === null ? null : { events: facts.journal.events, last_hash: facts.journal.last_hash },
    tool: { name: facts.tool.name, version: facts.tool.version },
    not_observed: [...facts.not_observed],
    header_sha256: unsealed,
  };
  return documentText(header);
}
