import { QuickPickItemKind, window, type QuickPick, type QuickPickItem } from 'vscode';
import { cut } from '../../base/text/cut';
import { ui, withoutIcons, withoutLinks, type UiText, type UiValue } from '../../base/text/ui';

// Lists that a person picks from, at the top of the window. VS Code cuts the lines of an entry where the list is narrow,
// also the placeholder, and wraps the text above the list: that one has the question, and all of the entry in focus.

/** An entry of a list; its texts are made safe here. */
export interface PickItem {
  readonly label: UiValue;
  readonly description?: UiValue;
  readonly detail?: UiValue;
  readonly picked?: boolean;
}

interface PickOptions {
  readonly title?: UiValue;
  /** Short, because VS Code cuts it. */
  readonly placeHolder: UiValue;
  /** What the question is about, in full. */
  readonly prompt?: UiText;
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
}

export async function pick<T extends PickItem>(items: readonly T[], options: PickOptions): Promise<T | undefined> {
  return (await chosen(items.map(entry), options, false))?.[0];
}

/** Picks like `pick`, under titles, which a person cannot choose. */
export async function pickFrom<T extends PickItem>(
  groups: readonly { readonly title: UiValue; readonly items: readonly T[] }[],
  options: PickOptions,
): Promise<T | undefined> {
  const entries = groups
    .filter(({ items }) => items.length > 0)
    .flatMap(({ title, items }): readonly Entry<T>[] => [
      { label: plain(title), kind: QuickPickItemKind.Separator, item: null },
      ...items.map(entry),
    ]);
  return (await chosen(entries, options, false))?.[0];
}

export function pickMany<T extends PickItem>(
  items: readonly T[],
  options: PickOptions,
): Promise<readonly T[] | undefined> {
  return chosen(items.map(entry), options, true);
}

/** Null: a title. */
type Entry<T> = QuickPickItem & { readonly item: T | null };

function chosen<T extends PickItem>(
  entries: readonly Entry<T>[],
  options: PickOptions,
  many: boolean,
): Promise<readonly T[] | undefined> {
  const list = window.createQuickPick<Entry<T>>();
  if (options.title !== undefined) list.title = plain(options.title);
  list.placeholder = plain(options.placeHolder);
  list.matchOnDescription = options.matchOnDescription === true;
  list.matchOnDetail = options.matchOnDetail === true;
  list.canSelectMany = many;
  // A worker's terminal that opens meanwhile takes no question away.
  list.ignoreFocusOut = true;
  list.items = entries;
  if (many) list.selectedItems = entries.filter(({ picked }) => picked);
  explain(list, entries, options.prompt);
  return new Promise((resolve) => {
    list.onDidAccept(() => {
      const items = list.selectedItems.flatMap(({ item }) => item ?? []);
      // What was typed fits no entry.
      if (!many && items.length === 0) return;
      resolve(items);
      list.hide();
    });
    list.onDidHide(() => {
      resolve(undefined);
      list.dispose();
    });
    list.show();
  });
}

/** So many characters fit into a line of a list where half a screen has the window. */
const shown = 70;
/** Characters of each text above the list, which takes room from it. The packet and the page have all of a longer one. */
const wrapped = 600;

/** Says above the list what it asks, and, where lines of it may be cut, all of the entry in focus. */
function explain<T extends PickItem>(
  list: QuickPick<Entry<T>>,
  entries: readonly Entry<T>[],
  prompt: UiText | undefined,
): void {
  const isCut = entries.some((one) => line(one).length > shown || (one.detail ?? '').length > shown);
  const show = (active: T | null | undefined): void => {
    const whole = active && isCut ? wholeOf(active) : undefined;
    const said = [prompt, whole].flatMap((text) => (text === undefined ? [] : cut(text.toString(), wrapped)));
    list.prompt = said.length === 0 ? undefined : withoutIcons(withoutLinks(said.join(' ')));
  };
  show(entries.find(({ item }) => item !== null)?.item);
  list.onDidChangeActive(([active]) => show(active?.item));
}

function line({ label, description }: QuickPickItem): string {
  return description === undefined ? label : `${label} ${description}`;
}

function wholeOf({ label, description = '', detail = '' }: PickItem): UiText {
  const named = plain(description) === '' ? ui`${label}` : ui`${label} (${description})`;
  return plain(detail) === '' ? named : ui`${named}: ${detail}`;
}

function entry<T extends PickItem>(item: T): Entry<T> {
  const { label, description, detail, picked } = item;
  return {
    label: noIcons(label),
    ...(description !== undefined && { description: noIcons(description) }),
    ...(detail !== undefined && { detail: noIcons(detail) }),
    ...(picked !== undefined && { picked }),
    item,
  };
}

function plain(text: UiValue): string {
  return ui`${text}`.toString();
}

function noIcons(text: UiValue): string {
  return withoutIcons(plain(text));
}
