import type { Refusal } from '../../base/outcome';
import type { RevisionOverview } from '../../base/text/revision';
import type { Plan } from '../../contracts/plan';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import { givenAwayRefusal, runsElsewhere, type GivenAway } from '../../core/mission/handoff/movedRun';
import { missionStatus } from '../../core/mission/status';
import { ranInstead } from '../../core/mission/revision/supersede';
import type { Mission, Course } from '../../core/model/state';
import { differences } from '../../core/plan/differences';
import { approvedPlanOf } from '../../core/plan/normalize';
import type { HandoffFiles } from '../ports/handoff';
import { leftOutside, lineageOf, unfinishedWork } from './unfinishedOutputs';

/** Null: the plan is no revision. `missions`: all of this workspace, the newest first. */
export async function revisionOverview(
  plan: Plan,
  missions: readonly Mission[],
  ports: { readonly handoffs: Pick<HandoffFiles, 'found'> },
  defaultWorker: WorkerName,
): Promise<RevisionOverview | null> {
  const planned = approvedPlanOf(plan, { defaultWorker });
  const { tasks, supersedes, plan_id } = planned;
  if (supersedes === null) return null;
  const before = missions.filter((mission) => mission.plan.plan_id === supersedes && !mission.moved);
  const carried = tasks.filter(({ carried_from }) => carried_from);
  const from = carried[0]?.carried_from?.mission_id;
  const source = before.find(({ mission_id }) => mission_id === from) ?? before[0];
  const rows = source?.rows ?? [];
  const lineage = source && lineageOf(source, missions);
  const left = lineage ? await leftOutside(lineage, tasks, ports) : [];
  // A task that the revision renamed or dropped has left its work as well.
  const notCarried = rows
    .map(({ task }) => task.task_id)
    .filter((id) => !carried.some(({ task_id }) => task_id === id));
  const ids = (list: readonly { readonly task_id: string }[]): readonly string[] => list.map(({ task_id }) => task_id);
  return {
    supersedes,
    missions: before
      .filter((mission, index) => index === 0 || mission.execution !== 'REPORTED')
      .map((mission) => ({
        mission_id: mission.mission_id,
        status: missionStatus(mission),
        does: whatItDoes(mission, plan_id),
      })),
    compared_with: source?.mission_id ?? null,
    carried: ids(carried),
    again: ids(
      tasks.filter(
        ({ task_id, carried_from }) =>
          !carried_from && rows.some((row) => row.task.task_id === task_id && row.status === 'done'),
      ),
    ),
    added: source ? ids(tasks.filter(({ task_id }) => !rows.some(({ task }) => task.task_id === task_id))) : [],
    removed: ids(rows.map(({ task }) => task).filter((task) => !tasks.some(({ task_id }) => task_id === task.task_id))),
    differs: source ? differences(source.plan, planned) : [],
    left,
    left_inside: lineage ? await unfinishedWork(lineage, { again: new Set(notCarried), elsewhere: left }, ports) : [],
  };
}

/**
 * Says why a valid plan is not approved: another revision ran in its place, or the run that it revises goes on
 * elsewhere. Ask before it is written. `approvedBefore`: the approval is in the file, so nothing is written.
 */
export function refusalOfRevision(
  { plan_id, supersedes }: Pick<Plan, 'plan_id' | 'supersedes'>,
  missions: readonly Mission[],
  approvedBefore: boolean,
): Refusal | null {
  for (const mission of missions.filter(({ plan }) => plan.plan_id === supersedes)) {
    const ran = missions.filter(({ plan }) => plan.plan_id === mission.superseded?.plan_id);
    const late = ranInstead(
      mission,
      plan_id,
      ran.map(({ mission_id }) => mission_id),
    );
    if (late) return late;
  }
  const away = elsewhere(supersedes, missions);
  return away && !approvedBefore ? givenAwayRefusal(away) : null;
}

/**
 * Returns whether a handoff brings this plan here: it was approved where the run of what it revises went on. Its start
 * judges it, and what it carries over was done there.
 */
export function comesWithHandoff(
  { supersedes }: Pick<Plan, 'supersedes'>,
  missions: readonly Mission[],
  approvedBefore: boolean,
): boolean {
  return approvedBefore && elsewhere(supersedes, missions) !== undefined;
}

function elsewhere(planId: string | undefined, missions: readonly Mission[]): GivenAway | undefined {
  return runsElsewhere(missions).find((mission) => mission.plan_id === planId);
}

function whatItDoes(mission: Course, planId: string): RevisionOverview['missions'][number]['does'] {
  const { superseded, execution, ending, acknowledged } = mission;
  if (superseded?.plan_id === planId && execution === 'REPORTED') return 'nothing';
  if (ending === null) return 'end';
  return ending.outcome === 'FAILED' && !ending.cancelled && acknowledged === null ? 'acknowledge' : 'follow';
}
