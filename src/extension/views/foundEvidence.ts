import { EventEmitter, FileType, RelativePattern, Uri, workspace } from 'vscode';
import { parsedJson } from '../../base/json';
import type { ShownEvidence } from '../../contracts/panelView';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/evidenceFiles';
import { shownEvidence } from '../../core/view/shownEvidence';
import { withoutMission } from '../../engine/views/panelOfFolder';
import type { MissionFolder, MissionFolders } from '../folder/types';
import type { Contribution } from '../registry/contribution';
import { oneAtATime } from './oneAtATime';

export type EvidenceOfFolder = ShownEvidence & { readonly at: string | null };

/**
 * Number of evidence folders to list, the last written first, because a repository may hold the evidence of years.
 * Others are not read. In a clone all have the time of the checkout.
 */
const listedAtMost = 200;

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
    const root = executionsOf(each);
    const inside = await Promise.resolve(workspace.fs.readDirectory(root)).catch(() => []);
    const names = inside.filter(([, type]) => type === FileType.Directory).map(([name]) => name);
    const headers = (await Promise.all(names.map((name) => headerIn(root, name))))
      .flatMap((one) => one ?? [])
      .sort((left, right) => right.written - left.written);
    const listed = await Promise.all(headers.slice(0, listedAtMost).map(evidenceOf));
    // Stops, because the folder may have been removed from the window meanwhile.
    if (!this.#watchers.has(key)) return;
    this.#found.set(key, { listed, others: headers.slice(listedAtMost).map(({ name }) => ({ plan_id: name })) });
    this.#changed.fire();
  }
}

function executionsOf({ folder }: MissionFolder): Uri {
  return Uri.joinPath(folder.uri, ...executionsDir.split('/'));
}

interface Header {
  readonly name: string;
  readonly uri: Uri;
  /** Milliseconds. */
  readonly written: number;
}

/** Null: there is no header. */
async function headerIn(root: Uri, name: string): Promise<Header | null> {
  const uri = Uri.joinPath(root, name, evidenceNames.header);
  const stat = await Promise.resolve(workspace.fs.stat(uri)).catch(() => null);
  return stat === null || stat.size > 1 << 20 ? null : { name, uri, written: stat.mtime };
}

async function evidenceOf({ name, uri, written }: Header): Promise<EvidenceOfFolder> {
  const bytes = await Promise.resolve(workspace.fs.readFile(uri)).catch(() => null);
  const document = bytes === null ? null : parsedJson(Buffer.from(bytes).toString());
  return { ...shownEvidence(name, document), at: new Date(written).toISOString() };
}
