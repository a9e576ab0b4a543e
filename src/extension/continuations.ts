import type { MissionControlView } from '../contracts/missionView';
import { ui } from '../core/text/ui';
import { runner } from '../engine/missionEngine';
import type { FolderOwner, OwnerDependencies } from './folderOwner';
import { toContinue } from './foundMissions';

/** Missions of this machine that nobody runs go on in this window, unasked. */
export class Continuations {
  /** Continued, and did not stay: not again before another owner had them. */
  readonly #tried = new Set<string>();

  constructor(
    private readonly owner: FolderOwner,
    private readonly isKnown: (missionId: string) => boolean,
    private readonly log: OwnerDependencies['log'],
  ) {}

  follow(view: MissionControlView): void {
    if (view.owner === 'another') this.#tried.clear();
    for (const { mission_id } of toContinue(view, this.isKnown)) {
      if (this.#tried.has(mission_id)) continue;
      this.#tried.add(mission_id);
      void this.#take(mission_id);
    }
  }

  async #take(missionId: string): Promise<void> {
    const taken = await this.owner.use(runner, (host) => host.take(missionId));
    if (taken.ok && taken.value.ok) {
      this.log.info(ui`Continued ${missionId}.`);
      return;
    }
    const refusal = taken.ok ? (taken.value.ok ? null : taken.value.refusal) : taken.refusal;
    // Another window was faster, or a former owner is still on its way out: the next look tells.
    if (refusal?.code === 'LEASE_HELD') this.#tried.delete(missionId);
    this.log.warn(ui`${missionId} was not continued: ${refusal?.reason ?? ''}`);
  }
}
