import { EventEmitter, type Event } from 'vscode';
import type { NodePorts } from '../../adapters/nodePorts';
import type { Actor } from '../../contracts/vocabulary/actors';
import { ui } from '../../base/text/marked/ui';
import type { EngineOptions } from '../../engine/ports/engine';
import type { Halt } from '../../engine/mission/listeners';
import { MissionHost } from '../../engine/owner/host';
import type { Outcome, Refusal } from '../../base/outcome';
import type { Appended, MissionFolder } from './missionFolders';
import type { Contribution } from '../registry/registry';
import type { Log } from '../window/log';

export interface OwnerDependencies {
  openPorts(workspaceDir: string): Promise<Outcome<NodePorts>>;
  engineOptions(): Omit<EngineOptions, 'fence'>;
  readonly log: Log;
}

/** Holds the lease of one folder while it is needed there. Releases it as soon as nothing is under way. */
export class FolderOwner implements Contribution {
  readonly #appended = new EventEmitter<Appended>();
  readonly #halted = new EventEmitter<Halt>();
  readonly #changed = new EventEmitter<void>();
  #owned: { readonly host: MissionHost; readonly node: NodePorts } | null = null;
  #uses = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #watching = false;
  #ended: 'window' | 'folder' | null = null;
  readonly onDidAppend: Event<Appended> = this.#appended.event;
  readonly onDidHalt: Event<Halt> = this.#halted.event;
  readonly onDidChangeOwnership: Event<void> = this.#changed.event;

  constructor(
    private readonly workspaceDir: string,
    private readonly dependencies: OwnerDependencies,
  ) {}

  get host(): MissionHost | null {
    return this.#owned?.host ?? null;
  }

  /** Returns whether this window owns the missions, after a pending acquire or release. */
  async isHere(): Promise<boolean> {
    await this.#turn;
    return this.#owned !== null;
  }

  /** Refused with LEASE_HELD while another process owns. Missions that it started continue afterwards. */
  async use<T>(actor: Actor, work: (host: MissionHost) => Promise<T>): Promise<Outcome<T>> {
    this.#uses += 1;
    try {
      const host = await this.#inTurn(() => this.#acquire(actor));
      if (!host.ok) return host;
      return { ok: true, value: await work(host.value) };
    } finally {
      this.#uses -= 1;
      void this.#giveBackWhenSettled();
    }
  }

  /**
   * Releases the lease now and for good; workers run on under their supervisors.
   *
   * @param because the thing that goes away
   */
  async letGo(because: 'window' | 'folder'): Promise<void> {
    this.#ended = because;
    await this.#inTurn(() => this.#release());
  }

  dispose(): void {
    this.#appended.dispose();
    this.#halted.dispose();
    this.#changed.dispose();
  }

  async #acquire(actor: Actor): Promise<Outcome<MissionHost>> {
    if (this.#owned) return { ok: true, value: this.#owned.host };
    if (this.#ended !== null) return { ok: false, refusal: gone[this.#ended] };
    const node = await this.dependencies.openPorts(this.workspaceDir);
    if (!node.ok) return node;
    const host = await MissionHost.acquire(node.value.ports, this.dependencies.engineOptions(), actor);
    if (!host.ok) {
      await node.value.close();
      return host;
    }
    this.#owned = { host: host.value, node: node.value };
    host.value.listen({
      onEntries: (mission, entries) => this.#appended.fire({ mission, entries }),
      onHalt: (halt) => this.#halted.fire(halt),
    });
    this.dependencies.log.info(ui`Owner of the missions in ${this.workspaceDir}.`);
    this.#changed.fire();
    return host;
  }

  async #giveBackWhenSettled(): Promise<void> {
    if (this.#watching) return;
    this.#watching = true;
    try {
      while (this.#owned && this.#uses === 0) {
        await this.#owned.host.settled();
        await this.#inTurn(async () => {
          if (!this.#owned || this.#uses > 0 || !(await this.#owned.host.releaseIfSettled())) return;
          await this.#release();
        });
      }
    } catch (error) {
      this.dependencies.log.error(ui`The ownership could not be given back`, error);
    } finally {
      this.#watching = false;
    }
  }

  async #release(): Promise<void> {
    if (!this.#owned) return;
    const { host, node } = this.#owned;
    this.#owned = null;
    await host.release();
    await node.close();
    this.dependencies.log.info(ui`No longer owner of the missions in ${this.workspaceDir}.`);
    this.#changed.fire();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

const gone: Readonly<Record<'window' | 'folder', Refusal>> = {
  window: { code: 'LEASE_HELD', reason: 'This window is closing.', next: ['Repeat it in another window.'] },
  folder: {
    code: 'LEASE_HELD',
    reason: 'This window drives no mission of the folder, because the folder left it.',
    next: ['Add the folder again (File > Add Folder to Workspace...), then repeat it.'],
  },
};

/** Looks with the ports of an owner, and owns nothing: for what is asked before a person is. */
export async function withPorts<T>(
  { openPorts }: Pick<OwnerDependencies, 'openPorts'>,
  { folder }: Pick<MissionFolder, 'folder'>,
  look: (node: NodePorts) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const node = await openPorts(folder.uri.fsPath);
  if (!node.ok) return node;
  try {
    return await look(node.value);
  } finally {
    await node.value.close();
  }
}
