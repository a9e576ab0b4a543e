import {
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  window,
  type TreeDataProvider,
  type TreeView,
} from 'vscode';
import { ui, type UiText } from '../../base/text/marked/ui';
import { tooltip } from './ui';

// Makes texts safe for trees, as `ui.ts` does for other widgets. VS Code shows label and description of a row as plain
// text, and its tooltip as Markdown.

/** Codicon and colour of the theme; words beside it say the same. */
export interface RowIcon {
  readonly name: string;
  readonly colour?: string;
}

export interface TreeRow {
  /** Unique, and the same for the same thing in every snapshot. */
  readonly id: string;
  readonly label: UiText;
  readonly description: UiText;
  /** One line each. */
  readonly tooltip: readonly UiText[];
  readonly icon: RowIcon | null;
  readonly folded: 'leaf' | 'open' | 'closed';
  /** The context of native menus: a section and words (`contracts/page/menuKeys.ts`); empty: no menu. */
  readonly menu: string;
}

const states = {
  leaf: TreeItemCollapsibleState.None,
  open: TreeItemCollapsibleState.Expanded,
  closed: TreeItemCollapsibleState.Collapsed,
} as const;

/** @param command of a click or of Enter, with its argument; null: it only unfolds */
export function treeItem(
  row: TreeRow,
  command: { readonly id: string; readonly title: string; readonly argument: object } | null,
): TreeItem {
  const item = new TreeItem(row.label.toString(), states[row.folded]);
  item.id = row.id;
  item.description = row.description.toString();
  item.tooltip = tooltip(row.tooltip);
  if (row.icon) {
    const { name, colour } = row.icon;
    item.iconPath = new ThemeIcon(name, colour === undefined ? undefined : new ThemeColor(colour));
  }
  const spoken = row.description.isEmpty ? [row.label] : [row.label, row.description];
  item.accessibilityInformation = { label: ui.join(spoken, ', ').toString() };
  if (row.menu !== '') item.contextValue = row.menu;
  if (command) item.command = { command: command.id, title: command.title, arguments: [command.argument] };
  return item;
}

export function openTree<T>(id: string, treeDataProvider: TreeDataProvider<T>): TreeView<T> {
  return window.createTreeView(id, { treeDataProvider });
}

/** Shows the number on the icon in the activity bar; no badge for 0. */
export function showBadge(view: Pick<TreeView<unknown>, 'badge'>, value: number, text: UiText): void {
  view.badge = value === 0 ? undefined : { value, tooltip: text.toString() };
}
