import { checkStates, checkTasks } from './consistency';
import type { EvidenceFacts, JournalFacts } from './facts';
import type { EvidenceFinding } from '../../contracts/vocabulary/evidenceFindings';
import { checkJournal } from './journal';
import { checkLockedPlan } from './lockedPlan';

/**
 * What the evidence of one execution says about itself: the approved bytes, the documents against each other, and all of
 * it against the journal where there is one.
 */
export function checkExecution(facts: EvidenceFacts, journal: JournalFacts | null): readonly EvidenceFinding[] {
  const { planned, findings } = checkLockedPlan(facts);
  return [
    ...findings,
    ...(facts.sealed ? [...checkTasks(facts, planned), ...checkStates(facts)] : []),
    ...(journal ? checkJournal(facts, journal) : []),
  ];
}
