import { Uri, ViewColumn, commands as vscodeCommands, window, type Webview, type WebviewPanel } from 'vscode';
import { ui } from '../../base/text/marked/ui';
import { offeredWords } from '../../contracts/page/menuKeys';
import { pageMessageOf, type PageMessage } from '../../contracts/page/pageMessage';
import type { HostMessage } from '../../contracts/page/panelMessages';
import type { PanelView } from '../../contracts/page/panelView';
import type { PanelItem } from '../../engine/views/panelView';
import { targetArgumentOf } from '../commands/ask/targets';
import type { Composition } from '../compose';
import { commands, ownKeys, views, type CommandName, type Contribution } from '../registry/registry';
import { walkthrough } from '../registry/walkthrough';
import type { WorkerTerminals } from '../terminals/workerTerminals';
import type { Trees } from '../trees/trees';
import { Paced } from '../window/paced';
import { alarm, inform } from '../window/ui';
import { followViews } from '../folder/missionFolders';
import { openAsked } from './asked';
import { calledOn } from './calledOn';
import { copyThing, openTarget } from './openTarget';
import type { PanelData } from '../views/panelData';

export interface PanelParts extends Pick<Composition, 'context' | 'folders' | 'selection' | 'log' | 'ids'> {
  readonly data: PanelData;
  readonly terminals: Pick<WorkerTerminals, 'show'>;
  readonly trees: Pick<Trees, 'argumentOf' | 'isInSight' | 'onDidChangeSight'>;
  /** Calls back when a part of the panel changed that does not belong to a mission. */
  readonly follow: (changed: () => void) => Contribution;
}

/**
 * Milliseconds: the shortest time between two snapshots; how long a reload may look interrupted before the panel says
 * so.
 */
const pace = { least: 50, settles: 3000 } as const;
/** The log names the first forged message, and then one of so many. */
const toldEvery = 100;

/**
 * The Mission Control panel, which gets complete snapshots. A message of the page is validated and looked up in the
 * last snapshot. It can only show, open or copy something.
 */
export class MissionControlPanel implements Contribution {
  #panel: WebviewPanel | null = null;
  #sequence = 0;
  #refused = 0;
  readonly #paced = new Paced(pace.least, () => this.#send());
  /** False: the page still loads, and would not say what it showed before. */
  #isLoaded = false;
  #offers = '';
  #items: readonly PanelItem[] = [];
  readonly #began = performance.now();
  readonly #subscriptions: readonly Contribution[];

  constructor(private readonly parts: PanelParts) {
    this.#subscriptions = [
      window.registerWebviewPanelSerializer(views.panel.viewType, {
        deserializeWebviewPanel: (panel) => {
          this.#attach(panel);
          return Promise.resolve();
        },
      }),
      followViews(parts.folders, () => this.#changed()),
      parts.follow(() => this.#changed()),
      parts.selection.onDidSelect(() => this.#changed()),
      parts.trees.onDidChangeSight(() => this.#changed()),
    ];
  }

  /** Returns the checked argument of a command; null: it names nothing, and a message and the log said so. */
  argumentOf(command: CommandName, argument: unknown): { readonly argument: unknown } | null {
    const { data, trees, log } = this.parts;
    const called = calledOn(command, argument, {
      items: this.#items,
      shown: this.parts.selection.entry,
      folderOf: (item) => data.folderOf(item),
      rowOf: (row) => trees.argumentOf(row),
    });
    if (called.ok) {
      // Shows what the command is about, because a decision over the page of another mission misleads.
      const entry = this.#entryOf(called.argument, this.#items);
      if (entry !== null) this.parts.selection.select(entry);
      return called;
    }
    const said = ui`${commands[command].title}: ${called.why}.`;
    log.warn(ui`Refused: ${said}`);
    void inform(ui`${said} Nothing was changed; open the menu once more in Mission Control.`);
    return null;
  }

  /** @param argument a mission: it is shown, and the focus stays where it is */
  show(argument?: unknown): void {
    const entry = this.#entryOf(argument, this.parts.data.items());
    if (entry !== null) this.parts.selection.select(entry);
    if (this.#panel) {
      this.#panel.reveal(undefined, entry !== null);
      return;
    }
    this.#attach(
      window.createWebviewPanel(views.panel.viewType, views.panel.title, {
        viewColumn: ViewColumn.Active,
        preserveFocus: entry !== null,
      }),
    );
  }

  /** Keeps the panel itself, because VS Code restores it after a reload. */
  dispose(): void {
    this.#paced.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Null: it names nothing that exists. */
  #entryOf(argument: unknown, items: readonly PanelItem[]): string | null {
    const called = targetArgumentOf(argument);
    if (called.missionId === undefined) return null;
    const item = items.find(
      ({ entry, folder, of }) =>
        (of.kind === 'mission' ? of.read.mission.mission_id : entry.id) === called.missionId &&
        (called.folder === undefined || called.folder === folder.key),
    );
    return item?.entry.id ?? null;
  }

  #attach(panel: WebviewPanel): void {
    this.#panel?.dispose();
    this.#panel = panel;
    this.#isLoaded = false;
    const media = Uri.joinPath(this.parts.context.extensionUri, 'dist', 'webview');
    panel.webview.options = {
      enableScripts: true,
      enableForms: false,
      enableCommandUris: false,
      localResourceRoots: [media],
    };
    panel.webview.onDidReceiveMessage((message: unknown) => void this.#heard(message));
    panel.onDidChangeViewState(() => {
      if (panel.visible) this.#changed();
      else this.parts.selection.mission = null;
    });
    panel.onDidDispose(() => {
      if (this.#panel !== panel) return;
      this.#panel = null;
      this.parts.selection.mission = null;
    });
    panel.iconPath = Uri.joinPath(this.parts.context.extensionUri, 'media', 'icon.svg');
    // The secret is a text that no page can guess.
    panel.webview.html = page(panel.webview, media, this.parts.ids.uuid());
  }

  /** Makes one snapshot of many changes within a frame. */
  #changed(): void {
    if (this.#panel?.visible && this.#isLoaded) this.#paced.ask();
  }

  async #send(): Promise<void> {
    if (!this.#panel?.visible || !this.#isLoaded) return;
    if (!this.#isSettled()) {
      this.#paced.ask();
      return;
    }
    try {
      const { data, selection, trees } = this.parts;
      const asked = selection.entry;
      const panel = await data.view(asked);
      // A person may have chosen another one meanwhile, which the next snapshot shows.
      if (selection.entry === asked) selection.select(panel.shown?.id ?? null);
      this.#shows(panel);
      this.#items = data.items();
      const shown = this.#items.find(({ entry }) => entry.id === panel.shown?.id);
      selection.mission =
        shown?.of.kind === 'mission' ? { folder: shown.folder.key, missionId: shown.of.read.mission.mission_id } : null;
      this.#sequence += 1;
      this.#post({
        ...{ type: 'snapshot', sequence: this.#sequence, panel },
        ...(trees.isInSight && { listed: false }),
      });
    } catch (error) {
      this.parts.log.error(ui`Mission Control could not be drawn`, error);
    }
  }

  #shows({ shown }: PanelView): void {
    const offers = shown?.kind === 'mission' ? offeredWords(shown.mission.view, null) : '';
    if (offers === this.#offers) return;
    this.#offers = offers;
    void vscodeCommands.executeCommand('setContext', ownKeys.shownOffers, offers);
  }

  /** Right after a reload no process owns what this window will continue. Only a lasting interruption is shown. */
  #isSettled(): boolean {
    const { data, folders } = this.parts;
    const left = pace.settles - (performance.now() - this.#began);
    const interrupted = folders.all.some(({ view }) => view?.missions.some((mission) => mission.interrupted));
    return left <= 0 || (data.isRead && !interrupted);
  }

  async #heard(said: unknown): Promise<void> {
    const message = pageMessageOf(said);
    if (message === null) {
      this.#refuse();
      return;
    }
    try {
      await this.#follow(message);
    } catch (error) {
      this.parts.log.error(ui`Mission Control could not open something`, error);
      void alarm(ui`Mission Control could not open that; its output says why.`);
    }
  }

  async #follow(message: PageMessage): Promise<void> {
    switch (message.type) {
      case 'ready': {
        this.#isLoaded = true;
        // A choice made in this window since the page was last loaded wins; an unknown id selects nothing.
        if (message.entry !== undefined && this.parts.selection.entry === null)
          this.parts.selection.select(message.entry);
        this.#changed();
        return;
      }
      case 'walkthrough': {
        const id = `${this.parts.context.extension.id}#${walkthrough.id}`;
        await vscodeCommands.executeCommand(
          'workbench.action.openWalkthrough',
          { category: id, step: message.step },
          false,
        );
        return;
      }
      case 'ask':
        return openAsked(message, this.#items);
      case 'select': {
        this.parts.selection.select(message.entry);
        return;
      }
      case 'open':
      case 'range':
      case 'copy':
        return this.#about(message);
    }
  }

  async #about(message: Extract<PageMessage, { readonly type: 'open' | 'range' | 'copy' }>): Promise<void> {
    const { data, terminals } = this.parts;
    const item = this.#items.find(({ entry }) => entry.id === message.entry);
    const folder = item && data.folderOf(item);
    if (!item || !folder) {
      this.#refuse();
      return;
    }
    if (message.type === 'open') return openTarget(item, folder, message.target, terminals);
    if (message.type === 'copy') return copyThing(item, message.what);
    const { entry, from } = message;
    const range = await data.events(item, from, message.count).catch((error: unknown) => {
      this.parts.log.error(ui`The events of a mission could not be read`, error);
      return null;
    });
    this.#post(range ? { type: 'events', entry, ...range } : { type: 'unread', entry, from });
  }

  /** Repeats nothing of the message, because it may be anything. */
  #refuse(): void {
    this.#refused += 1;
    if (this.#refused % toldEvery === 1)
      this.parts.log.warn(
        ui`The page said something that it cannot say, or named what is not shown (${this.#refused}).`,
      );
  }

  #post(message: HostMessage): void {
    void this.#panel?.webview.postMessage(message);
  }
}

function page(webview: Webview, media: Uri, nonce: string): string {
  const script = webview.asWebviewUri(Uri.joinPath(media, 'page.js')).toString();
  const style = webview.asWebviewUri(Uri.joinPath(media, 'page.css')).toString();
  // Allows our own style sheet and the one script with the nonce; no inline code, network, forms, frames or pictures.
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>${views.panel.title}</title>
</head>
<body>
<div id="app"></div>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
