import type { CarriedFrom } from '../plan/approvedPlan';

/** A done task of a mission that a revision of its plan carries over. */
export interface CarriedTask {
  readonly task_id: string;
  readonly from: CarriedFrom;
  readonly outputs: readonly Output[];
}

/** A path as a task left it. Without `link` and `unread`, no digest means that the task removed it. */
export interface Output {
  readonly path: string;
  readonly sha256: string | null;
  /** The mode of a file; absent: unknown. */
  readonly mode?: string;
  /** The text of a link. */
  readonly link?: string;
  /** Nothing says what it held. */
  readonly unread?: true;
  /** When the attempt ended that left it. */
  readonly at: string;
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
