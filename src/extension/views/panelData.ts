import { EventEmitter } from 'vscode';
import type { FoundHere, PanelView, ShownEntry } from '../../contracts/page/panelView';
import type { Mission } from '../../core/model/state';
import { evidenceDocuments } from '../../adapters/evidence/missionsOnDisk';
import { EvidenceChecks } from '../../engine/views/evidenceChecks';
import { LineCounts, type CountLines } from '../../engine/views/lineCounts';
import { panelFolder, panelOf, planOfEvidence, shownInFull } from '../../engine/views/panelOfFolder';
import { panelItems, shownEntry, shownItem, type PanelFolder, type PanelItem } from '../../engine/views/panelView';
import type { EventRange } from '../../engine/views/reader';
import { workspaceOf, type MissionFolder, type MissionFolders, PerFolder } from '../folder/missionFolders';
import type { Contribution } from '../registry/registry';
import type { FoundEvidence, PlanDrafts } from './folderFiles';

interface Sources {
  readonly folders: MissionFolders;
  readonly drafts: Pick<PlanDrafts, 'of' | 'isRead'>;
  readonly evidence: Pick<FoundEvidence, 'of' | 'onDidWrite'>;
  readonly mission: (args: readonly string[]) => Promise<string>;
  readonly lines: (folder: MissionFolder, mission: Mission) => ReturnType<CountLines>;
  readonly now: () => string;
  readonly found: () => FoundHere | null;
}

/** What is found out about the missions of a folder that a person looks at. */
interface Looks extends Contribution {
  readonly checks: EvidenceChecks;
  readonly lines: LineCounts;
}

export class PanelData implements Contribution {
  readonly #changed = new EventEmitter<void>();
  readonly #looks: PerFolder<Looks>;
  #opened: string | null = null;
  /** Fires when a verdict about evidence or a count of lines has arrived. */
  readonly onDidChange = this.#changed.event;

  readonly #written: Contribution;

  constructor(private readonly sources: Sources) {
    const changed = (): void => this.#changed.fire();
    this.#looks = new PerFolder(sources.folders, (folder) => ({
      checks: new EvidenceChecks(
        (plan) => sources.mission(['evidence', 'verify', plan, '--workspace', folder.folder.uri.fsPath]),
        changed,
      ),
      lines: new LineCounts((mission) => sources.lines(folder, mission), changed),
      dispose: () => undefined,
    }));
    this.#written = sources.evidence.onDidWrite(({ folder, planId }) => this.#looks.of(folder)?.checks.written(planId));
  }

  dispose(): void {
    this.#written.dispose();
    this.#looks.dispose();
    this.#changed.dispose();
  }

  /** False: a folder has not been read yet, so its content is unknown. */
  get isRead(): boolean {
    return this.sources.folders.all.every(({ view }) => view !== null);
  }

  items(): readonly PanelItem[] {
    return panelItems(
      this.sources.folders.all.map((folder) => this.#folder(folder)),
      (at) => new Date(at).toLocaleString(),
    );
  }

  /** @param before id of the entry that a person chose or that was shown last; ignored if it is gone */
  async view(before: string | null): Promise<PanelView> {
    const items = this.items();
    const item = shownItem(items, before);
    return panelOf(items, item && (await this.#shown(item)), this.sources.now(), this.sources.found());
  }

  /** The folder of an item; null: it was closed meanwhile. */
  folderOf({ folder }: Pick<PanelItem, 'folder'>): MissionFolder | null {
    return this.sources.folders.all.find((candidate) => keyOf(candidate) === folder.key) ?? null;
  }

  /** The evidence of an entry whose mission is unknown; null: the entry is something else, or gone. */
  evidenceOf(entry: string): { readonly folder: MissionFolder; readonly dir: string } | null {
    const item = this.items().find((one) => one.entry.id === entry);
    const folder = item && this.folderOf(item);
    return folder && item.of.kind === 'evidence_only' ? { folder, dir: item.of.evidence.dir } : null;
  }

  /** Verifies evidence for a person who asks; resolves with what was printed, and the page shows the same answer. */
  async verify(folder: MissionFolder, planId: string): Promise<string> {
    return (await this.#looks.of(folder)?.checks.asked(planId)) ?? 'Its folder is no longer open.';
  }

  /** Events of a mission by number, as many as one answer holds. */
  async events(item: PanelItem, from: number, count: number): Promise<EventRange | null> {
    if (item.of.kind !== 'mission') return null;
    return (await this.folderOf(item)?.eventsOf(item.of.read.mission, from, count)) ?? null;
  }

  #folderName({ folder }: MissionFolder): string {
    return workspaceOf(folder, this.sources.folders.all) ?? folder.name;
  }

  #folder(folder: MissionFolder): PanelFolder {
    const { missions, unreadable } = folder.read;
    return panelFolder(
      {
        key: keyOf(folder),
        workspace: this.#folderName(folder),
        owner: folder.view?.owner ?? 'none',
        views: folder.view?.missions ?? [],
        missions,
        unreadable,
      },
      { plans: this.sources.drafts.of(folder), evidence: this.sources.evidence.of(folder) },
    );
  }

  async #shown(item: PanelItem): Promise<ShownEntry> {
    const folder = this.folderOf(item);
    const looks = folder && this.#looks.of(folder);
    if (!looks) return shownEntry(item, { live: new Map() });
    const { checks, lines } = looks;
    if (this.#opened !== item.entry.id) {
      this.#opened = item.entry.id;
      const planId = planOfEvidence(item);
      if (planId !== null) checks.opened(planId);
      if (item.of.kind === 'mission') lines.opened(item.of.read.mission.mission_id);
    }
    return shownInFull(item, {
      plans: this.sources.drafts.of(folder),
      hasAllPlans: this.sources.drafts.isRead(folder),
      checks,
      documents: (planId) => evidenceDocuments(folder.folder.uri.fsPath, planId),
      live: (mission) => folder.liveOf(mission),
      lines: (mission) => lines.of(mission),
    });
  }
}

function keyOf({ folder }: MissionFolder): string {
  return folder.uri.toString();
}
