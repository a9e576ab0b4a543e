import { EventEmitter, Uri, workspace, type Event } from 'vscode';
import type { MissionFolder, MissionFolders } from './missionFolders';
import { MissionFolderService, type FolderDependencies } from './service';
import type { Contribution } from '../registry/registry';

export class MissionFoldersService implements MissionFolders, Contribution {
  readonly #folders = new Map<string, MissionFolderService>();
  readonly #changed = new EventEmitter<void>();
  readonly #subscriptions: Contribution[];
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(private readonly dependencies: FolderDependencies) {
    this.#subscriptions = [
      this.#changed,
      workspace.onDidChangeWorkspaceFolders(() => this.#follow()),
      workspace.onDidGrantWorkspaceTrust(() => {
        for (const folder of this.#folders.values()) void folder.refresh();
      }),
    ];
    this.#follow();
  }

  get all(): readonly MissionFolder[] {
    return [...this.#folders.values()];
  }

  of(path: string): MissionFolder | undefined {
    const folder = workspace.getWorkspaceFolder(Uri.file(path));
    return folder && this.#folders.get(folder.uri.toString());
  }

  /** Releases every lease, because the window closes; workers run on. */
  async letGo(): Promise<void> {
    await Promise.all([...this.#folders.values()].map((folder) => folder.letGo('window')));
  }

  dispose(): void {
    for (const folder of this.#folders.values()) folder.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #follow(): void {
    const present = (workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const keys = new Set(present.map(({ uri }) => uri.toString()));
    for (const [key, folder] of this.#folders) {
      if (keys.has(key)) continue;
      this.#folders.delete(key);
      void folder.letGo('folder').then(() => folder.dispose());
    }
    for (const folder of present) {
      const key = folder.uri.toString();
      if (!this.#folders.has(key))
        this.#folders.set(key, new MissionFolderService(folder, this.dependencies, () => this.all));
    }
    this.#changed.fire();
  }
}
