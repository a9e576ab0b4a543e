import type { OutcomeView } from '../../contracts/missionView';
import { recoveryOutcomes, type RecoveryOutcome } from '../../contracts/vocabulary/recovery';
import { decisionStep } from '../../base/text/steps';
import { changedNothing } from '../lifecycle/judgeMissingChange';
import { grantStepsOf } from '../mission/grant';
import { observedOf } from '../mission/outputs';
import { cannotResolve } from '../mission/packetCommands';
import { askingPacket } from '../mission/questions';
import { openChanges, rowOf, type Mission, type Packet, type TaskRow } from '../model/state';
import { inScope } from '../paths/compare';
import { outcomeTexts } from '../packets/packet';

/**
 * The five outcomes of a packet, for a person: what each does, the recommended one first, and last those that are not
 * possible now, and why.
 */
export function outcomeViews(mission: Mission, { packet_id, task_id }: Packet): readonly OutcomeView[] {
  const row = rowOf(mission, task_id);
  const views = recoveryOutcomes.map((outcome): OutcomeView => {
    // A person words the question when they choose it.
    const question = outcome === 'ask-user' ? { question: 'Which?' } : {};
    const refused = cannotResolve(mission, { packet_id, outcome, ...question });
    return {
      outcome,
      label: labels[outcome],
      description: row ? effectOf(outcome, mission, row) : '',
      safe_when: outcomeTexts[outcome].safeWhen,
      ...(refused
        ? { refused: { reason: refused.reason, next: refused.next } }
        : { command: commandOf(packet_id, outcome) }),
    };
  });
  const possible = views.filter(({ refused }) => !refused);
  const firstElse =
    askingPacket(mission, task_id) !== undefined ||
    grantStepsOf(mission, task_id).length > 0 ||
    (row && (openChanges(row).length > 0 || changedNothing(row)));
  const mending = firstElse ? undefined : likely.find((outcome) => possible.some((view) => view.outcome === outcome));
  return [
    ...possible.filter(({ outcome }) => outcome === mending).map((view) => ({ ...view, recommended: true as const })),
    ...possible.filter(({ outcome }) => outcome !== mending),
    ...views.filter(({ refused }) => refused),
  ];
}

function commandOf(packetId: string, outcome: RecoveryOutcome): string {
  const asks = outcome === 'ask-user' ? ['--question', 'TEXT'] : [];
  return decisionStep('packet resolve', packetId, '--outcome', outcome, ...asks);
}

const labels: Readonly<Record<RecoveryOutcome, string>> = {
  resume: 'Resume the mission',
  'ask-user': 'Ask a person',
  'leave-blocked': 'Leave it blocked',
  'retry-repair': 'Try it again',
  'rerun-validation': 'Validate again',
};

/** Says what the outcome does to this task, for a person. The packet has the contract's words, for an orchestrator. */
function effectOf(outcome: RecoveryOutcome, mission: Mission, row: TaskRow): string {
  switch (outcome) {
    case 'resume':
      return 'The mission goes on with this task as it stands.';
    case 'ask-user':
      return row.task.worker === 'command'
        ? 'You word a question. The answer is recorded and runs nothing, because a command reads no answer.'
        : 'You word a question. The task waits until a person answers it; every answer tries it again.';
    case 'leave-blocked':
      return 'You say why. The task stays blocked, and you can still decide later.';
    case 'retry-repair':
      return row.task.validator
        ? 'The milestone is validated anew.'
        : `A new attempt starts from the files as they are now${stayingFiles(mission, row)}.${changedNothing(row) ? ' It blocks again if it changes nothing.' : ''}`;
    case 'rerun-validation':
      return 'The result that is there is judged once more. The task does not run again.';
  }
}

/**
 * `; the 2 files that changed in its approved paths stay`; empty where none did. No outcome reverts a file, whichever
 * program changed it. A file that was put back does not count.
 */
function stayingFiles(mission: Mission, row: TaskRow): string {
  const { comparison } = mission.file_system;
  const files = observedOf(row).filter(({ path }) => inScope(path, row.scope.paths, comparison));
  if (files.length === 0) return '';
  return files.length === 1
    ? '; the file that changed in its approved paths stays'
    : `; the ${files.length} files that changed in its approved paths stay`;
}

/** What goes on with the task, the likeliest to mend it first; the other outcomes decide nothing yet. */
const likely: readonly RecoveryOutcome[] = ['rerun-validation', 'resume', 'retry-repair'];
