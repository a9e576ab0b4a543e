import type { HumanDecision } from '../../../contracts/record/header';
import { withoutEnd } from '../../../base/text/plainLine';
import { decisionStep } from '../../../base/text/steps';
import type { Command } from '../../model/inputs';
import { laneOf, waitsForIntervention } from '../../model/lanes';
import { leftOut } from '../../lifecycle/judge/judgeSections';
import { rowOf, type Tasks } from '../../model/state';
import { refuse, unknownTask, type Behaviours, type CommandDecision, type Refused } from '../parts/commandDecision';

interface AboutTask {
  readonly task_id: string;
}

export const intervening: Behaviours<'CompleteIntervention'> = {
  CompleteIntervention: {
    offered: 'running',
    refused: cannotComplete,
    decide: completeIntervention,
    ...{ continues: true, keepsPause: true },
  },
};

/** Says why no person can complete a result of the task now; null: one can. */
function cannotComplete(mission: Tasks, { task_id: taskId }: AboutTask): Refused | null {
  if (!rowOf(mission, taskId)) return unknownTask(mission, taskId);
  const lane = laneOf(mission, taskId);
  if (lane && waitsForIntervention(lane) && lane.intervention?.path) return null;
  const waiting = mission.lanes.filter((other) => other !== lane && waitsForIntervention(other));
  return refuse(
    'INTERVENTION_NONE',
    `No result of task ${taskId} waits to be completed by a person.`,
    waiting.length > 0
      ? waiting.map(({ task_id }) => decisionStep('intervene', mission.mission_id, task_id))
      : [`mission status ${mission.mission_id}`],
  );
}

/** Takes over the result packet that the person completed; the workspace is looked at next. */
function completeIntervention(
  mission: Tasks,
  { task_id: taskId }: AboutTask,
  decision: HumanDecision,
  { completed }: Pick<Command, 'completed'>,
): CommandDecision {
  const lane = laneOf(mission, taskId);
  const task = rowOf(mission, taskId)?.task;
  const path = lane?.intervention?.path ?? '';
  const next = ['Mend it, and repeat the command.', decisionStep('stop', mission.mission_id, taskId)];
  if (!lane || !task || completed?.ok !== true) {
    const problems = completed?.ok === false ? completed.problems : ['it was not read'];
    const reason = `${path} is no valid result packet: ${firstOf(problems)}. Nothing was taken over.`;
    return refuse('INTERVENTION_INVALID', reason, next);
  }
  const { claim } = completed;
  // Taken over as it is, it would use up the one time that a person is asked.
  const missing = claim.kind === 'valid' ? leftOut(task, claim.result) : [];
  if (missing.length > 0) {
    const reason = `${path} is still incomplete: ${firstOf(missing)}. Nothing was taken over.`;
    return refuse('INTERVENTION_INVALID', reason, next);
  }
  return {
    events: [{ type: 'InterventionCompleted', task_id: taskId, attempt: lane.attempt, claim, decision }],
    reason: `The result of ${taskId} is taken over as ${decision.actor.name} completed it; what was written is looked at, and the task is verified once more.`,
  };
}

function firstOf(problems: readonly string[]): string {
  return problems
    .slice(0, 5)
    .map((problem) => withoutEnd(problem))
    .join('; ');
}
