import { Uri, ViewColumn, window, type ExtensionContext, type Webview, type WebviewPanel } from 'vscode';
import type { MissionFolders } from '../folder/types';
import { views } from '../registry/registry';
import { followViews } from './followViews';
import { isPanelRequest, type SnapshotMessage } from './panelMessages';
import type { Contribution } from '../registry/contribution';

/** The Mission Control panel: fed by complete snapshots, without any way to change something. */
export class MissionControlPanel implements Contribution {
  #panel: WebviewPanel | null = null;
  #sequence = 0;
  readonly #subscriptions: readonly Contribution[];

  constructor(
    private readonly context: Pick<ExtensionContext, 'extensionUri'>,
    private readonly folders: MissionFolders,
  ) {
    this.#subscriptions = [
      window.registerWebviewPanelSerializer(views.panel.viewType, {
        deserializeWebviewPanel: (panel) => {
          this.#attach(panel);
          return Promise.resolve();
        },
      }),
      followViews(folders, () => this.#send()),
    ];
  }

  show(): void {
    if (this.#panel) {
      this.#panel.reveal(undefined, true);
      return;
    }
    this.#attach(
      window.createWebviewPanel(views.panel.viewType, views.panel.title, {
        viewColumn: ViewColumn.Active,
        preserveFocus: false,
      }),
    );
  }

  /** The panel itself stays: VS Code restores it after a reload. */
  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #attach(panel: WebviewPanel): void {
    this.#panel?.dispose();
    this.#panel = panel;
    const media = Uri.joinPath(this.context.extensionUri, 'dist', 'webview');
    panel.webview.options = {
      enableScripts: true,
      enableForms: false,
      enableCommandUris: false,
      localResourceRoots: [media],
    };
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (isPanelRequest(message)) this.#send();
    });
    panel.onDidChangeViewState(() => {
      if (panel.visible) this.#send();
    });
    panel.onDidDispose(() => {
      if (this.#panel === panel) this.#panel = null;
    });
    panel.iconPath = Uri.joinPath(this.context.extensionUri, 'media', 'icon.svg');
    panel.webview.html = page(panel.webview, media);
  }

  #send(): void {
    if (!this.#panel?.visible) return;
    this.#sequence += 1;
    const message: SnapshotMessage = {
      type: 'snapshot',
      sequence: this.#sequence,
      views: this.folders.all.flatMap((folder) => (folder.view ? [folder.view] : [])),
    };
    void this.#panel.webview.postMessage(message);
  }
}

function page(webview: Webview, media: Uri): string {
  const script = webview.asWebviewUri(Uri.joinPath(media, 'main.js')).toString();
  const style = webview.asWebviewUri(Uri.joinPath(media, 'style.css')).toString();
  // Scripts and styles from our own folder only; no inline code, network or forms.
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src ${webview.cspSource}`;
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
<main id="app" aria-live="polite"></main>
<script src="${script}"></script>
</body>
</html>`;
}
