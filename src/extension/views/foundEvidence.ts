import { EventEmitter, RelativePattern, Uri, workspace } from 'vscode';
import { missionsOnDisk } from '../../adapters/evidence/missionsOnDisk';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import { shownEvidence, type EvidenceOfFolder } from '../../core/view/evidence/shownEvidence';
import { withoutMission } from '../../engine/views/panelOfFolder';
import type { MissionFolder, MissionFolders } from '../folder/types';
import type { Contribution } from '../registry/contribution';
import { oneAtATime } from './oneAtATime';

interface Found {
  readonly listed: readonly EvidenceOfFolder[];
  /** The evidence that is not listed. */
  readonly others: readonly Pick<EvidenceOfFolder, 'plan_id'>[];
}

/** Evidence in the repository, by the name of its folder, whether or not this machine's journal knows it. */
export class FoundEvidence implements Contribution {
  readonly #changed = new EventEmitter<void>();
  readonly #written = new EventEmitter<{ readonly folder: MissionFolder; readonly planId: string }>();
  readonly #found = new Map<string, Found>();
  readonly #watchers = new Map<string, Contribution>();
  readonly #subscription: Contribution;
  readonly onDidChange = this.#changed.event;
  /** Fires when a file of a plan's evidence was written or deleted. */
  readonly onDidWrite = this.#written.event;

  constructor(private readonly folders: MissionFolders) {
    this.#subscription = folders.onDidChange(() => this.#follow());
    this.#follow();
  }

  of({ folder }: MissionFolder): readonly EvidenceOfFolder[] {
    return this.#found.get(folder.uri.toString())?.listed ?? [];
  }

  /** Number of unlisted evidence folders whose mission this machine does not know. */
  get unlisted(): number {
    return this.folders.all.reduce((sum, { folder, read }) => {
      const others = this.#found.get(folder.uri.toString())?.others ?? [];
      return sum + withoutMission(others, read.missions).length;
    }, 0);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#changed.dispose();
    this.#written.dispose();
  }

  #follow(): void {
    const present = new Set(this.folders.all.map(({ folder }) => folder.uri.toString()));
    for (const [key, watcher] of this.#watchers) {
      if (present.has(key)) continue;
      watcher.dispose();
      this.#watchers.delete(key);
      this.#found.delete(key);
    }
    for (const each of this.folders.all) {
      const key = each.folder.uri.toString();
      if (this.#watchers.has(key)) continue;
      const watcher = workspace.createFileSystemWatcher(new RelativePattern(each.folder, `${executionsDir}/**`));
      const read = oneAtATime(() => this.#read(each));
      const { length } = executionsOf(each).path;
      const look = ({ path }: Pick<Uri, 'path'>): void => {
        const [planId = '', ...file] = path.slice(length + 1).split('/');
        if (planId !== '') this.#written.fire({ folder: each, planId });
        // Without a file the whole folder came or went, and its header with it.
        if (file.length === 0 || file.join('/') === evidenceNames.header) void read();
      };
      watcher.onDidCreate(look);
      watcher.onDidChange(look);
      watcher.onDidDelete(look);
      this.#watchers.set(key, watcher);
      void read();
    }
  }

  async #read(each: MissionFolder): Promise<void> {
    const key = each.folder.uri.toString();
    const { listed, others } = await missionsOnDisk(each.folder.uri.fsPath);
    // Stops, because the folder may have been removed from the window meanwhile.
    if (!this.#watchers.has(key)) return;
    this.#found.set(key, { listed: listed.map(shownEvidence), others });
    this.#changed.fire();
  }
}

function executionsOf({ folder }: MissionFolder): Uri {
  return Uri.joinPath(folder.uri, ...executionsDir.split('/'));
}
