import { Uri, ViewColumn, window, type ExtensionContext, type WebviewPanel } from 'vscode';
import type { UiText } from '../../base/text/marked/ui';
import { tabTitle } from '../window/ui';
import { pageDocument, type PageDocument } from './document';

export type PageContext = Pick<ExtensionContext, 'extensionUri'>;

/**
 * Opens a searchable page without scripts. VS Code does not restore it after a reload, because its content or question
 * is over. `command`: the only one that its links may run.
 */
export function openPlainPage(
  { extensionUri }: PageContext,
  { viewType, title, command }: { readonly viewType: string; readonly title: UiText; readonly command: string },
): WebviewPanel {
  const panel = window.createWebviewPanel(viewType, tabTitle(title), ViewColumn.Active, {
    enableScripts: false,
    enableForms: false,
    enableCommandUris: [command],
    enableFindWidget: true,
    localResourceRoots: [mediaOf(extensionUri)],
  });
  panel.iconPath = Uri.joinPath(extensionUri, 'media', 'icon.svg');
  return panel;
}

export function showPlainPage({ extensionUri }: PageContext, { webview }: WebviewPanel, page: PageDocument): void {
  const styleOf = (file: string): string => webview.asWebviewUri(Uri.joinPath(mediaOf(extensionUri), file)).toString();
  webview.html = pageDocument(page, { source: webview.cspSource, styleOf });
}

function mediaOf(extensionUri: Uri): Uri {
  return Uri.joinPath(extensionUri, 'dist', 'webview');
}
