import { Uri, env, workspace, type WorkspaceFolder } from 'vscode';
import type { OwnEventServer } from '../../adapters/system/ownProgram';
import { ui } from '../../base/text/marked/ui';
import type { Composition } from '../compose';
import { settings } from '../registry/settingEntries';
import type { Contribution } from '../registry/registry';
import { pick, alarm, inform } from '../window/ui';
import { folderName } from '../window/folderName';

/**
 * Mission Control in a browser: a server for each folder, in a process of its own. It runs from a person's first
 * request until the window closes or the setting is switched off. Without the setting nothing listens.
 */
export class BrowserPages implements Contribution {
  readonly #servers = new Map<string, Promise<OwnEventServer>>();
  readonly #subscriptions: readonly Contribution[];

  constructor(private readonly parts: Pick<Composition, 'folders' | 'log' | 'settings' | 'eventServer'>) {
    this.#subscriptions = [
      workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settings.eventsEnabled.id) && !parts.settings.servesBrowser()) this.#closeAll();
      }),
      parts.folders.onDidChange(() => this.#closeOthers()),
    ];
  }

  async open(): Promise<void> {
    if (!this.parts.settings.servesBrowser()) {
      void inform(
        ui`Nothing listens for a browser. Switch on ${settings.eventsEnabled.id} in your own settings: Mission Control then serves its page, read-only, on 127.0.0.1 when you ask for it.`,
      );
      return;
    }
    const folder = await this.#choose();
    if (!folder) return;
    try {
      const link = await (await this.#server(folder)).link();
      // VS Code forwards the port if it runs elsewhere.
      await env.openExternal(Uri.parse(link, true));
    } catch (error) {
      // Closes the server, because no browser can reach it.
      this.#close(folder.uri.fsPath);
      this.parts.log.error(ui`Mission Control could not be served for a browser`, error);
      void alarm(ui`Mission Control could not be opened in a browser; its output says why.`);
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#closeAll();
  }

  async #choose(): Promise<WorkspaceFolder | undefined> {
    const folders = this.parts.folders.all.map(({ folder }) => folder);
    if (folders.length === 0) void inform(ui`Open a folder first.`);
    if (folders.length < 2) return folders[0];
    const items = folders.map((folder) => ({ label: folderName(folder, folders), folder }));
    return (await pick(items, { placeHolder: ui`Whose missions?` }))?.folder;
  }

  /** Stored before the first await, so that only one of two simultaneous calls starts it. */
  #server({ uri }: WorkspaceFolder): Promise<OwnEventServer> {
    const start = (): Promise<OwnEventServer> => this.parts.eventServer(uri.fsPath);
    const server = this.#servers.get(uri.fsPath)?.then((known) => (known.isOpen ? known : start())) ?? start();
    this.#servers.set(uri.fsPath, server);
    return server;
  }

  #closeAll(): void {
    for (const folder of [...this.#servers.keys()]) this.#close(folder);
  }

  #closeOthers(): void {
    const open = new Set(this.parts.folders.all.map(({ folder }) => folder.uri.fsPath));
    for (const folder of [...this.#servers.keys()]) if (!open.has(folder)) this.#close(folder);
  }

  #close(folder: string): void {
    this.#servers.get(folder)?.then(
      (server) => server.close(),
      () => undefined,
    );
    this.#servers.delete(folder);
  }
}
