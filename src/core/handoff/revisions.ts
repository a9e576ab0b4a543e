import type { MissionHandoff } from '../../contracts/handoff';
import { revisionProblem, type RevisedRow } from '../mission/revision/revisable';
import type { ApprovedPlan } from '../plan/approvedPlan';
import type { HandedRow, HandoffProblem } from './import';

/** Checks that metadata were revised within what the approved plan allows: a handoff may say anything. */
export function revisionsProblem(
  { mission_id }: Pick<MissionHandoff, 'mission_id'>,
  handed: readonly Pick<HandedRow, 'task_id' | 'evidence'>[],
  plan: ApprovedPlan,
): HandoffProblem | null {
  for (const { task_id, evidence } of handed) {
    const approved = plan.tasks.find((task) => task.task_id === task_id);
    if (!approved) continue;
    let row: RevisedRow = { task: approved, attempts: [], carried: null, revisions: [] };
    for (const revision of evidence?.metadata_revised ?? []) {
      const { actor } = revision.decision;
      const rows = plan.tasks.map((task) => ({ task }));
      const problem =
        actor.kind === 'human' || actor.kind === 'orchestrator'
          ? revisionProblem({ mission_id, plan, policy: null, rows }, row, revision.after, actor.kind)
          : { reason: `A ${actor.kind} revises nothing.` };
      if (problem)
        return {
          code: 'LEDGER_INCONSISTENT',
          reason: `A revision of ${task_id} cannot be applied here: ${problem.reason}`,
        };
      const { note: _note, ...values } = revision.after;
      const task = { ...row.task, ...(values as Partial<typeof approved>) };
      row = { ...row, task, revisions: [...row.revisions, revision] };
    }
  }
  return null;
}
