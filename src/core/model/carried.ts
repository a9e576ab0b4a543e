import type { Output } from '../../contracts/taskEvidence';
import type { CarriedFrom } from '../plan/approvedPlan';

/** A done task of a mission that a revision of its plan carries over. */
export interface CarriedTask {
  readonly task_id: string;
  readonly from: CarriedFrom;
  readonly outputs: readonly Output[];
}

/** What attempts of an open task left in the missions of the plans that this one supersedes. */
export interface EarlierWork {
  readonly task_id: string;
  readonly outputs: readonly Output[];
}

/** A plan whose approval ended a mission. */
export interface SupersededBy {
  readonly plan_id: string;
  readonly plan_sha256: string;
}
