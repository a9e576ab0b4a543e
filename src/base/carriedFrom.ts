import { objectAt, parsedJson, textAt } from './json';

export interface CarriedFrom {
  readonly plan_id: string;
  readonly mission_id: string;
  /** Digest of its TASK_<task_id>.json. */
  readonly evidence_sha256: string;
}

/** Finds where the evidence of a task says that it was done before; null: in the mission of that evidence. */
export function carriedFromIn(text: string): CarriedFrom | null {
  const from = objectAt(parsedJson(text), 'carried_from');
  const [plan_id, mission_id, evidence_sha256] = [
    textAt(from, 'plan_id'),
    textAt(from, 'mission_id'),
    textAt(from, 'evidence_sha256'),
  ];
  return plan_id === null || mission_id === null || evidence_sha256 === null
    ? null
    : { plan_id, mission_id, evidence_sha256 };
}

/** The longest chain of revisions that is followed. No person makes a longer one. */
export const longestChain = 1000;
