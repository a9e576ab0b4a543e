import { checkCarriedTasks } from './carried';
import { withProvenHints } from './confirmed';
import { checkStates, checkTasks } from './consistency';
import type { EvidenceFacts, JournalFacts } from './facts';
import type { EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import { checkJournal } from './journal';
import { checkAcceptances, checkMilestones } from './milestones';
import { checkLockedPlan } from './lockedPlan';

/** Checks the approved bytes of one execution, its documents against each other, and all against a journal, if any. */
export function checkExecution(read: EvidenceFacts, journal: JournalFacts | null): readonly EvidenceFinding[] {
  const facts = withProvenHints(read, journal);
  const { planned, findings } = checkLockedPlan(facts);
  return [
    ...findings,
    ...(facts.sealed
      ? [
          ...checkTasks(facts, planned),
          ...checkStates(facts),
          ...checkMilestones(facts),
          ...checkCarriedTasks(facts, journal),
        ]
      : []),
    ...(journal ? [...checkJournal(facts, journal), ...checkAcceptances(facts, journal)] : []),
  ];
}
