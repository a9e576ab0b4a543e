import path from 'node:path';
import { EventEmitter, RelativePattern, workspace, Uri } from 'vscode';
import type { ShownDraft } from '../../contracts/page/panelView';
import { projectFile } from '../../contracts/vocabulary/aiProject';
import { repositoryPolicyPath } from '../../contracts/vocabulary/models';
import { editorFindings } from '../../core/view/plan/editorFindings';
import { shownDraft } from '../../core/view/plan/planFile';
import { checkPlan } from '../../engine/plans/check';
import type { PlanFiles } from '../../engine/ports/plans';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import { type MissionFolder, type MissionFolders, PerFolder } from '../folder/missionFolders';
import type { PlanWritten } from '../plans/written';
import { planGlob, together, type Contribution } from '../registry/registry';
import { statOf, watchFiles } from '../window/files';
import { oneAtATime } from '../window/paced';
import { missionsOnDisk } from '../../adapters/evidence/missionsOnDisk';
import { evidenceNames, executionsDir } from '../../contracts/vocabulary/files/evidenceFiles';
import { shownEvidence, type EvidenceOfFolder } from '../../core/view/evidence/shownEvidence';
import { withoutMission } from '../../engine/views/panelOfFolder';

export interface PlanOfFolder {
  readonly uri: Uri;
  readonly sha256: string | null;
  readonly draft: ShownDraft & { readonly at: string | null };
}

interface FolderPlans extends Contribution {
  /** Null: not searched yet. */
  plans: readonly PlanOfFolder[] | null;
  readonly read: () => Promise<void>;
}

interface Dependencies {
  readonly plans: PlanFiles;
  readonly planWritten: PlanWritten;
  readonly defaultWorker: () => WorkerName;
}

/** Plans, and the files by which all of them are judged. */
const globs = [planGlob, projectFile, repositoryPolicyPath] as const;

export class PlanDrafts implements Contribution {
  readonly #changed = new EventEmitter<void>();
  readonly #parts: PerFolder<FolderPlans>;
  readonly onDidChange = this.#changed.event;

  constructor(
    folders: MissionFolders,
    private readonly dependencies: Dependencies,
  ) {
    this.#parts = new PerFolder(folders, (folder) => this.#follow(folder));
    dependencies.planWritten.follow(async () => void (await Promise.all(this.#parts.all.map(({ read }) => read()))));
  }

  of(folder: MissionFolder): readonly PlanOfFolder[] {
    return this.#parts.of(folder)?.plans ?? [];
  }

  /** False: its plans have not been searched yet. */
  isRead(folder: MissionFolder): boolean {
    return (this.#parts.of(folder)?.plans ?? null) !== null;
  }

  dispose(): void {
    this.#parts.dispose();
    this.#changed.dispose();
  }

  #follow({ folder }: MissionFolder): FolderPlans {
    const read = oneAtATime(async () => {
      const uris = await workspace.findFiles(new RelativePattern(folder, planGlob), null);
      const plans = await Promise.all(uris.map((uri) => this.#plan(uri, folder.uri)));
      part.plans = plans.filter((plan) => plan !== null);
      this.#changed.fire();
    });
    const watchers = globs.map((glob) => watchFiles(new RelativePattern(folder, glob), () => void read()));
    const part: FolderPlans = { plans: null, read, ...together(watchers) };
    void read();
    return part;
  }

  /** Null: the file is gone again. */
  async #plan(uri: Uri, root: Uri): Promise<PlanOfFolder | null> {
    const stat = await statOf(uri);
    if (stat === null) return null;
    const file = path.relative(root.fsPath, uri.fsPath).split(path.sep).join('/');
    const options = {
      defaultWorker: this.dependencies.defaultWorker(),
      looksAtProject: true,
      workspaceDir: root.fsPath,
    } as const;
    const { text, findings } = await checkPlan(this.dependencies.plans, uri.fsPath, options);
    return {
      uri,
      sha256: text.sha256,
      draft: {
        ...shownDraft(text.value, file, editorFindings(text.value, findings)),
        at: new Date(stat.mtime).toISOString(),
      },
    };
  }
}

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
