import type { OutcomeView } from '../../contracts/missionView';
import { recoveryOutcomes, type RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import { cannotResolve } from '../mission/packetCommands';
import { askingPacket } from '../mission/questions';
import { openChanges, rowOf, type Mission, type Packet } from '../model/state';
import { outcomeTexts } from '../packets/packet';

/**
 * The five outcomes of a packet, for a person: what each does, the recommended one first, and last those that are not
 * possible now, and why.
 */
export function outcomeViews(mission: Mission, { packet_id, task_id }: Packet): readonly OutcomeView[] {
  const views = recoveryOutcomes.map((outcome): OutcomeView => {
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
  const possible = views.filter(({ refused }) => !refused);
  const row = rowOf(mission, task_id);
  const firstElse = askingPacket(mission, task_id) !== undefined || (row && openChanges(row).length > 0);
  const mending = firstElse ? undefined : likely.find((outcome) => possible.some((view) => view.outcome === outcome));
  return [
    ...possible.filter(({ outcome }) => outcome === mending).map((view) => ({ ...view, recommended: true as const })),
    ...possible.filter(({ outcome }) => outcome !== mending),
    ...views.filter(({ refused }) => refused),
  ];
}

/** What goes on with the task, the likeliest to mend it first; the other outcomes decide nothing yet. */
const likely: readonly RecoveryOutcome[] = ['rerun-validation', 'resume', 'retry-repair'];
