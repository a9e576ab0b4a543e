import { EventEmitter, RelativePattern, Uri } from 'vscode';
import { missionsOnDisk } from '../../adapters/evidence/missionsOnDisk';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import { shownEvidence, type EvidenceOfFolder } from '../../core/view/evidence/shownEvidence';
import { withoutMission } from '../../engine/views/panelOfFolder';
import type { MissionFolder, MissionFolders } from '../folder/types';
import type { Contribution } from '../registry/contribution';
import { PerFolder } from '../folder/perFolder';
import { watchFiles } from '../window/files';
import { oneAtATime } from '../window/paced';

interface Found {
  readonly listed: readonly EvidenceOfFolder[];
  readonly others: readonly Pick<EvidenceOfFolder, 'plan_id'>[];
}

/** Evidence in the repository, by the name of its folder, whether or not this machine's journal knows it. */
export class FoundEvidence implements Contribution {
  readonly #changed = new EventEmitter<void>();
  readonly #written = new EventEmitter<{ readonly folder: MissionFolder; readonly planId: string }>();
  readonly #parts: PerFolder<Contribution & { found: Found }>;
  readonly onDidChange = this.#changed.event;
  /** Fires when a file of a plan's evidence was written or deleted. */
  readonly onDidWrite = this.#written.event;

  constructor(private readonly folders: MissionFolders) {
    this.#parts = new PerFolder(folders, (folder) => this.#follow(folder));
  }

  of(folder: MissionFolder): readonly EvidenceOfFolder[] {
    return this.#parts.of(folder)?.found.listed ?? [];
  }

  get unlisted(): number {
    return this.folders.all.reduce((sum, folder) => {
      const others = this.#parts.of(folder)?.found.others ?? [];
      return sum + withoutMission(others, folder.read.missions).length;
    }, 0);
  }

  dispose(): void {
    this.#parts.dispose();
    this.#changed.dispose();
    this.#written.dispose();
  }

  #follow(each: MissionFolder): Contribution & { found: Found } {
    const { uri } = each.folder;
    const { length } = Uri.joinPath(uri, ...executionsDir.split('/')).path;
    const read = oneAtATime(async () => {
      const { listed, others } = await missionsOnDisk(uri.fsPath);
      part.found = { listed: listed.map(shownEvidence), others };
      this.#changed.fire();
    });
    const watcher = watchFiles(new RelativePattern(each.folder, `${executionsDir}/**`), ({ path }) => {
      const [planId = '', ...file] = path.slice(length + 1).split('/');
      if (planId !== '') this.#written.fire({ folder: each, planId });
      // Without a file the whole folder came or went, and its header with it.
      if (file.length === 0 || file.join('/') === evidenceNames.header) void read();
    });
    const part = { found: { listed: [], others: [] } as Found, dispose: () => void watcher.dispose() };
    void read();
    return part;
  }
}
