import { personStep } from '../../../base/text/steps';
import { attemptOf, packetOf, resolvedSince, rowOf, type Course, type Progress } from '../../model/state';
import type { Session } from '../../model/session';
import type { OutcomeChoice } from '../../model/sessionFacts';
import { refuse, type Refused } from '../parts/commandDecision';
import { judgeLedger } from '../evidence/ledgerDocument';
import { decidedByPerson, personWasFaster } from './due';
import { cannotResolve, foundToFail } from '../resolve/packetCommands';

/**
 * Says why the orchestrator cannot answer its packet with this outcome now; null: it can. What is refused to a person
 * is refused to it, too. It may not judge a failing verify command once more, and has a task tried again only once. It
 * cannot repair a milestone, so it validates none again that was found to fail.
 */
export function cannotChoose(mission: Progress, session: Session, choice: OutcomeChoice): Refused | null {
  const over = decidedByPerson(mission, session);
  if (over !== null) return refuse('PACKET_CLOSED', personWasFaster(over), [done]);
  if (choice.reason.trim() === '')
    return refuse('REASON_REQUIRED', 'An outcome needs a reason; it stands in the evidence.', [again]);
  const { outcome } = choice;
  const refused = cannotResolve(mission, resolutionOf(session, choice));
  if (refused) return refuse(refused.code, refused.reason, [again]);
  if (outcome === 'leave-blocked' || outcome === 'ask-user') return null;
  const ledger = judgeLedger(mission);
  if (!ledger.allow)
    return refuse('LEDGER_INCONSISTENT', `The ledger of the mission contradicts itself: ${ledger.reason}`, [leave]);
  if (outcome === 'retry-repair' && retriedSince(mission, session.task_id))
    return refuse('HUMAN_ONLY', `Task ${session.task_id} was tried again before by an orchestrator.`, [
      leave,
      personStep,
    ]);
  const unrepaired = failedMilestone(mission, session);
  if (unrepaired !== null)
    return refuse(
      'OUTCOME_UNAVAILABLE',
      `Milestone ${unrepaired} was found to fail and nothing was repaired since: to validate it again would only look for a pass.`,
      [leave, 'Choose ask-user.', 'Propose a revision of the plan, then choose leave-blocked.'],
    );
  const failed = outcome === 'rerun-validation' ? failedVerify(mission, session) : null;
  if (failed === null) return null;
  const reason = `The verify command ${failed} ended with a failure and would fail again: its result needs a repair, or a person.`;
  return refuse('OUTCOME_UNAVAILABLE', reason, ['Choose retry-repair.', leave]);
}

/** The answer to the session's packet that its choice stands for. */
export function resolutionOf(
  { packet_id }: Session,
  { outcome, question, choices }: OutcomeChoice,
): Parameters<typeof cannotResolve>[1] {
  return {
    ...{ packet_id, outcome },
    ...(question !== undefined && { question }),
    ...(choices !== undefined && { choices: [...choices] }),
  };
}

const again = 'Choose another outcome.';
const leave = 'Choose leave-blocked.';
const done = 'End this session.';

/** The milestone that the packet says was found to fail, by its validator, a person or a command; null: none was. */
function failedMilestone(mission: Progress, session: Session): string | null {
  const row = rowOf(mission, session.task_id);
  if (!row.task.validator) return null;
  const failed =
    foundToFail(mission, row, packetOf(mission, session.packet_id)) || failedVerify(mission, session) !== null;
  return failed ? (row.task.milestone ?? '') : null;
}

/** The verify command that plainly failed in the attempt of the packet, here or before a handoff; null: none did. */
function failedVerify(mission: Progress, { packet_id, task_id }: Session): string | null {
  const packet = packetOf(mission, packet_id);
  const { carried } = rowOf(mission, task_id);
  const here = attemptOf(mission, packet)?.verify.find(
    ({ end }) => end.reason === 'exited' && end.signal === null && end.exit_code !== 0,
  );
  const before = carried?.attempts
    .find((one) => one.attempt === packet.attempt)
    ?.verify.find(({ exit_code, signal }) => signal === null && exit_code !== null && exit_code !== 0);
  const failed = here ?? before;
  return failed ? failed.argv.join(' ') : null;
}

/** Returns whether an orchestrator had the task tried again since a person last decided about a packet of it. */
function retriedSince(mission: Course, taskId: string): boolean {
  return resolvedSince(mission, taskId).some(
    ({ outcome, decision }) => outcome === 'retry-repair' && decision.actor.kind === 'orchestrator',
  );
}
