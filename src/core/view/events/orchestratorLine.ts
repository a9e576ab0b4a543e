import { sessionResultWords } from '../../mission/events/orchestrator';
import type { Session } from '../../model/session';

export type { OrchestratorChoice } from '../../model/sessionFacts';

/**
 * Says what a session makes or made of its packet, for the person who may decide instead.
 *
 * @param left how its process stands, where no owner watches it
 */
export function sessionSentence({ choice, requests, result }: Session, worker: string, left?: string): string {
  const refused = requests.filter(({ accepted }) => !accepted).length;
  const more = refused === 0 ? '' : ` ${refused} of its requests ${refused === 1 ? 'was' : 'were'} refused.`;
  if (result) return `${sessionResultWords(result)}${more}`;
  const chosen = choice ? ` It chose ${choice.outcome}, which counts once it has ended: ${choice.reason}` : '';
  const asked = left === undefined ? 'is asked' : `was asked: ${left}`;
  return `The orchestrator ${worker} ${asked}. What you decide meanwhile counts.${chosen}${more}`;
}
