import path from 'node:path';
import { EventEmitter, RelativePattern, workspace, type Uri } from 'vscode';
import type { ShownDraft } from '../../contracts/page/panelView';
import { projectFile } from '../../contracts/vocabulary/aiProject';
import { repositoryPolicyPath } from '../../contracts/vocabulary/models';
import { shownDraft } from '../../core/view/plan/shownDraft';
import type { PlanFiles } from '../../engine/ports/plans';
import type { WorkerName } from '../../contracts/vocabulary/workers';
import type { MissionFolder, MissionFolders } from '../folder/types';
import type { PlanWork } from '../plans/planThreadClient';
import type { PlanWritten } from '../plans/written';
import { planGlob } from '../registry/registry';
import type { Contribution } from '../registry/contribution';
import { oneAtATime } from './oneAtATime';

export interface PlanOfFolder {
  readonly uri: Uri;
  readonly sha256: string | null;
  readonly draft: ShownDraft & { readonly at: string | null };
}

interface Dependencies {
  readonly plans: PlanFiles;
  readonly planWork: Pick<PlanWork, 'findings'>;
  readonly planWritten: PlanWritten;
  readonly defaultWorker: () => WorkerName;
}

/** Bytes; a larger plan is listed by its name only, because reading it would take many frames. */
const readUpTo = 1 << 20;

/** Plans, and the files by which all of them are judged. */
const globs = [planGlob, projectFile, repositoryPolicyPath] as const;

/**
 * The plan files of the workspace for the panel's list; read again when one of them, or a file that they are judged by,
 * has changed.
 */
export class PlanDrafts implements Contribution {
  readonly #changed = new EventEmitter<void>();
  readonly #plans = new Map<string, readonly PlanOfFolder[]>();
  readonly #watched = new Map<string, Contribution & { readonly read: () => Promise<void> }>();
  readonly #subscription: Contribution;
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly folders: MissionFolders,
    private readonly dependencies: Dependencies,
  ) {
    this.#subscription = folders.onDidChange(() => this.#follow());
    dependencies.planWritten.follow(() => this.#readAll());
    this.#follow();
  }

  of({ folder }: MissionFolder): readonly PlanOfFolder[] {
    return this.#plans.get(folder.uri.toString()) ?? [];
  }

  /** False: its plans have not been searched yet. */
  isRead({ folder }: MissionFolder): boolean {
    return this.#plans.has(folder.uri.toString());
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const watched of this.#watched.values()) watched.dispose();
    this.#changed.dispose();
  }

  #follow(): void {
    const present = new Set(this.folders.all.map(({ folder }) => folder.uri.toString()));
    for (const [key, watched] of this.#watched) {
      if (present.has(key)) continue;
      watched.dispose();
      this.#watched.delete(key);
      this.#plans.delete(key);
    }
    for (const each of this.folders.all) {
      const key = each.folder.uri.toString();
      if (this.#watched.has(key)) continue;
      const read = oneAtATime(() => this.#read(each));
      const changed = (): void => void read();
      const watchers = globs.map((glob) => {
        const watcher = workspace.createFileSystemWatcher(new RelativePattern(each.folder, glob));
        watcher.onDidCreate(changed);
        watcher.onDidChange(changed);
        watcher.onDidDelete(changed);
        return watcher;
      });
      const dispose = (): void => {
        for (const watcher of watchers) watcher.dispose();
      };
      this.#watched.set(key, { read, dispose });
      changed();
    }
  }

  async #readAll(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ read }) => read()));
  }

  async #read({ folder }: MissionFolder): Promise<void> {
    const uris = await workspace.findFiles(new RelativePattern(folder, planGlob), null);
    const plans = await Promise.all(uris.map((uri) => this.#plan(uri, folder.uri)));
    // Stops, because the folder was removed from the window meanwhile.
    if (!this.#watched.has(folder.uri.toString())) return;
    this.#plans.set(
      folder.uri.toString(),
      plans.filter((plan) => plan !== null),
    );
    this.#changed.fire();
  }

  /** Null: the file is gone again. */
  async #plan(uri: Uri, root: Uri): Promise<PlanOfFolder | null> {
    const stat = await Promise.resolve(workspace.fs.stat(uri)).catch(() => null);
    if (stat === null) return null;
    const file = path.relative(root.fsPath, uri.fsPath).split(path.sep).join('/');
    const text = stat.size > readUpTo ? null : await this.dependencies.plans.read(uri.fsPath);
    const options = {
      defaultWorker: this.dependencies.defaultWorker(),
      looksAtProject: true,
      workspaceDir: root.fsPath,
    } as const;
    const findings = await this.dependencies.planWork.findings(uri.fsPath, null, options).catch(() => []);
    return {
      uri,
      sha256: text?.sha256 ?? null,
      draft: {
        ...shownDraft(text?.value, file, findings),
        at: new Date(stat.mtime).toISOString(),
      },
    };
  }
}
