import { eventText, type StreamClient } from '../../adapters/events/client';
import { evidenceDocuments } from '../../adapters/evidence/missionsOnDisk';
import type { HostMessage } from '../../contracts/page/panelMessages';
import type { PanelView, ShownEntry } from '../../contracts/page/panelView';
import type { EvidenceChecks } from '../../engine/views/evidenceChecks';
import { panelOf, planOfEvidence, shownInFull } from '../../engine/views/panelOfFolder';
import { panelItems, shownItem, type PanelItem } from '../../engine/views/panelView';
import type { ServedWorkspace } from './workspace';

/** The snapshots of the page, each whole, as the extension's panel gets them. */
export class PanelStream {
  /** Begins with the time, because the page drops what is older than what it shows, also from an earlier server. */
  #sequence = Date.now();

  constructor(
    private readonly served: ServedWorkspace,
    private readonly checks: EvidenceChecks,
  ) {}

  /** Returns what is shown now: ids are looked up here, and nowhere else. */
  items(): readonly PanelItem[] {
    return panelItems([this.served.folder]);
  }

  item(entry: string): PanelItem | null {
    return this.items().find((item) => item.entry.id === entry) ?? null;
  }

  /** Runs until the client is gone. @param selected id of the entry that a person chose; null: what calls for one */
  async run(client: StreamClient, selected: string | null): Promise<void> {
    const { looks } = this.served;
    let before = selected;
    let opened: string | null = null;
    let sent = '';
    while (client.open && !looks.hasEnded) {
      const turn = looks.number;
      const items = this.items();
      const item = shownItem(items, before);
      const planId = item && planOfEvidence(item);
      if (item && planId !== null && opened !== item.entry.id) this.checks.opened(planId);
      opened = item?.entry.id ?? null;
      const shown = item && (await this.#shown(item));
      before = shown?.id ?? before;
      const current = JSON.stringify([items.map(({ entry }) => entry), shown]);
      if (current !== sent) client.send(this.#text(panelOf(items, shown, new Date().toISOString(), null)));
      sent = current;
      // One snapshot at most waits for a client: each is whole.
      if (!(await client.hasRead())) return;
      await Promise.race([looks.after(turn), client.gone]);
    }
  }

  #shown(item: PanelItem): Promise<ShownEntry> {
    const live = (mission: Parameters<ServedWorkspace['liveOf']>[0]): ReturnType<ServedWorkspace['liveOf']> =>
      this.served.liveOf(mission);
    const documents = (planId: string): Promise<readonly unknown[]> => evidenceDocuments(this.served.workspace, planId);
    return shownInFull(item, { ...this.served.plans, checks: this.checks, live, documents });
  }

  #text(panel: PanelView): ReturnType<typeof eventText> {
    this.#sequence += 1;
    const message: HostMessage = { type: 'snapshot', sequence: this.#sequence, panel };
    return eventText([{ name: message.type, id: null, data: message }]);
  }
}
