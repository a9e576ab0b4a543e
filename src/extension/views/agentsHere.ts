import { EventEmitter, workspace } from 'vscode';
import type { FoundHere } from '../../contracts/page/panelView';
import { agentNames, type AgentName } from '../../contracts/vocabulary/workers';
import type { WorkerCatalog } from '../../engine/ports/workers';
import type { Contribution } from '../registry/registry';
import { foundText, type AgentHere } from './foundText';

interface Dependencies {
  readonly workers: Pick<WorkerCatalog, 'resolve'>;
  readonly defaultWorker: () => AgentName;
  /** Returns whether programs may be started; if not, no CLI is asked for its version. */
  readonly isTrusted: () => boolean;
}

/** The agents of this machine, for a person who begins. The first question looks for them, and so does the doctor. */
export class AgentsHere implements Contribution {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #looking: Promise<readonly AgentHere[]> | null = null;
  #found: readonly AgentHere[] | null = null;

  readonly #settings = workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration('missionControl')) this.#again();
  });

  constructor(private readonly dependencies: Dependencies) {}

  /** Looks for agents; the default worker comes first. */
  look(): Promise<readonly AgentHere[]> {
    if (!this.dependencies.isTrusted()) return Promise.resolve([]);
    this.#looking ??= this.#resolve().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Returns the words of an empty page. Null: nothing is known yet, and a look has begun. */
  found(): FoundHere | null {
    if (this.#found === null) void this.look();
    return this.#found && { text: foundText(this.#found).toString() };
  }

  dispose(): void {
    this.#settings.dispose();
    this.#changed.dispose();
  }

  #again(): void {
    if (this.#looking) void this.#looking.then(() => this.look());
    else if (this.#found !== null) void this.look();
  }

  async #resolve(): Promise<readonly AgentHere[]> {
    const { workers, defaultWorker } = this.dependencies;
    const looked = await Promise.all(
      agentNames.map(async (name) => ({ name, found: await workers.resolve(name, 'again').catch(() => null) })),
    );
    const here = looked.flatMap(({ name, found }) =>
      found?.ok === true ? [{ name, version: found.value.version }] : [],
    );
    const first = defaultWorker();
    const sorted = [...here.filter(({ name }) => name === first), ...here.filter(({ name }) => name !== first)];
    this.#found = sorted;
    this.#changed.fire();
    return sorted;
  }
}
