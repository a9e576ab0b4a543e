import type { CarriedFrom } from '../plan/approvedPlan';

/** A done task of a mission that a revision of its plan carries over. */
export interface CarriedTask {
  readonly task_id: string;
  readonly from: CarriedFrom;
  readonly outputs: readonly Output[];
}

/** A file as a task left it; `sha256`: null where the task removed it. */
export interface Output {
  readonly path: string;
  readonly sha256: string | null;
  /** When the attempt ended that left it. */
  readonly at: string;
}

/** A plan whose approval ended a mission. */
export interface SupersededBy {
  readonly plan_id: string;
  readonly plan_sha256: string;
}
