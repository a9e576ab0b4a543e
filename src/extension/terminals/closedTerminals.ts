import { commands as vscodeCommands } from 'vscode';
import { limited } from '../../base/text/oneLine';
import { ui, type UiText } from '../../base/text/marked/ui';
import type { Contribution } from '../registry/contribution';
import { commands } from '../registry/registry';
import { inform } from '../window/ui';
import { missionOf, type Run } from './run';

interface Parts {
  readonly isUnderWay: (run: Run) => boolean;
  readonly show: (run: Run) => void;
}

/** *Kill All Terminals* closes them one by one, so those of one mission share a notification. */
export class ClosedTerminals implements Contribution {
  readonly #gathered = new Map<string, { readonly runs: readonly Run[]; readonly timer: NodeJS.Timeout }>();

  constructor(private readonly parts: Parts) {}

  add(run: Run): void {
    const key = missionOf(run);
    const gathered = this.#gathered.get(key);
    clearTimeout(gathered?.timer);
    const runs = [...(gathered?.runs ?? []), run];
    this.#gathered.set(key, { runs, timer: setTimeout(() => void this.#tell(key), gatherFor) });
  }

  dispose(): void {
    for (const { timer } of this.#gathered.values()) clearTimeout(timer);
    this.#gathered.clear();
  }

  async #tell(key: string): Promise<void> {
    const gathered = this.#gathered.get(key);
    this.#gathered.delete(key);
    const runs = gathered?.runs.filter((run) => this.parts.isUnderWay(run)) ?? [];
    const [first, ...others] = runs;
    if (!first) return;
    const [show, stop] = [others.length === 0 ? 'Show Terminal' : 'Show Terminals', 'Stop Worker'] as const;
    const chosen = await inform(closedText(first, others), show, stop);
    if (chosen === show) for (const run of runs) this.parts.show(run);
    if (chosen !== stop) return;
    await vscodeCommands.executeCommand(commands.stopWorker.id, {
      folder: first.folder.folder.uri.toString(),
      missionId: first.missionId,
      ...(others.length === 0 && { taskId: first.taskId }),
    });
  }
}

/** Milliseconds without another closed terminal of the mission after which the notification appears. */
const gatherFor = 300;

function closedText(first: Run, others: readonly Run[]): UiText {
  const mission = limited(first.planId, 60);
  if (others.length === 0)
    return ui`The terminal of task ${first.taskId} of mission ${mission} is closed. ${doers[first.purpose]} goes on, because a terminal only shows it.`;
  const tasks = [first, ...others].map(({ taskId }) => taskId).join(', ');
  return ui`${others.length + 1} terminals of mission ${mission} are closed: ${limited(tasks, 200)}. Their workers go on, because terminals only show them.`;
}

const doers: Readonly<Record<Run['purpose'], string>> = {
  worker: 'Its worker',
  verify: 'Its check',
  orchestrator: 'Its orchestrator',
  draft: 'Its agent',
};
