import type { MilestoneEvidence } from '../../../contracts/milestoneEvidence';
import { documentText } from '../../../base/json';
import type { MilestoneStanding } from '../../evidence/summaryParts';
import { validationFailures } from '../../lifecycle/judge/judgeReport';
import type { TaskRow, Tasks } from '../../model/state';
import { evidenceStatus } from '../evidence/ledgerDocument';
import { attemptsOf } from '../handoff/handoffs';

/** Text of MILESTONE_<id>.json when the unit that validates it has ended; null: it validates none. */
export function milestoneDocument(mission: Tasks, row: TaskRow): string | null {
  const { task, acceptance } = row;
  const { validator, milestone } = task;
  if (!validator || milestone === undefined) return null;
  const accepted = row.status === 'done' ? acceptance : null;
  const evidence: MilestoneEvidence = {
    schema_version: '1.0.0',
    plan_id: mission.plan.plan_id,
    plan_sha256: mission.plan_sha256,
    mission_id: mission.mission_id,
    run_id: mission.run_id,
    milestone_id: milestone,
    title: validator.title,
    task_id: task.task_id,
    mode: validator.mode,
    assertions: validator.assertions.map(({ id, text }) => ({ id, text })),
    tasks: mission.rows
      .filter((one) => one.task.milestone === milestone && !one.task.validator)
      .map((one) => ({ task_id: one.task.task_id, status: evidenceStatus(one) })),
    validations: attemptsOf(row),
    failures: validationFailures(row),
    failure_limit: validator.failure_limit,
    accepted: accepted && {
      attempt: accepted.attempt,
      at: accepted.at,
      tree_sha256: accepted.tree_sha256,
      head: accepted.head,
    },
    reason: row.reason,
  };
  return documentText(evidence);
}

/** The milestones that the plan has validated, for the header and the summary. */
export function milestoneStandings({ rows }: Tasks): readonly MilestoneStanding[] {
  return rows.flatMap((row) => {
    const { task, acceptance, evidence } = row;
    const { validator, milestone } = task;
    if (!validator || milestone === undefined) return [];
    const accepted = { accepted: acceptance !== null, evidence_sha256: evidence?.milestone_sha256 ?? null };
    const header = { milestone_id: milestone, task_id: task.task_id, ...accepted };
    return [{ header, validator, failures: validationFailures(row) }];
  });
}
