import type { WorkerName } from '../../contracts/vocabulary/workers';
import { delegatedAgents } from '../../workers/registry';
import type { ApprovedPlan } from './approvedPlan';

/** Returns what holds for a worker of the plan. A delegated agent works on files only, whatever the plan says. */
export function constraintsOn(
  worker: WorkerName,
  { constraints }: Pick<ApprovedPlan, 'constraints'>,
): readonly string[] {
  return delegatedAgents.includes(worker) && !constraints.includes(fileLevel)
    ? [...constraints, fileLevel]
    : constraints;
}

/** Returns whether shell and network tools are withheld from the worker, where its CLI can. */
export function isFileLevelOnly(worker: WorkerName, plan: Pick<ApprovedPlan, 'constraints'>): boolean {
  return constraintsOn(worker, plan).includes(fileLevel);
}

const fileLevel = 'file_level_only';
