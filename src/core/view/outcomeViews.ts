import type { OutcomeView } from '../../contracts/missionView';
import { recoveryOutcomes } from '../../contracts/vocabulary/recovery';
import { cannotResolve } from '../mission/packetCommands';
import type { Mission, Packet } from '../model/state';
import { outcomeTexts } from '../packets/packet';

/** The five outcomes of a packet, for a person: what each does, and why those that are not possible now are not. */
export function outcomeViews(mission: Mission, { packet_id }: Packet): readonly OutcomeView[] {
  return recoveryOutcomes.map((outcome) => {
    // A person words the question when they choose it.
    const question = outcome === 'ask-user' ? { question: 'Which?' } : {};
    const refused = cannotResolve(mission, { packet_id, outcome, ...question });
    const { description, safeWhen } = outcomeTexts[outcome];
    return {
      outcome,
      description,
      safe_when: safeWhen,
      ...(refused && { refused: { reason: refused.reason, next: refused.next } }),
    };
  });
}
