import { QuickPickItemKind, window, type QuickPick, type QuickPickItem } from 'vscode';
import { cut } from '../../base/text/plainLine';
import { ui, withoutIcons, withoutLinks, type UiText, type UiValue } from '../../base/text/marked/ui';
import { plain } from './ui';

// Lists at the top of the window that a person picks from. In a narrow list VS Code cuts an entry's
// lines and the placeholder, but wraps the text above. So that text has the question and the whole
// focused entry.

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
  readonly prompt?: UiText;
  readonly matchOnDescription?: boolean;
  readonly matchOnDetail?: boolean;
}

export async function pick<T extends PickItem>(items: readonly T[], options: PickOptions): Promise<T | undefined> {
  return (await chosen(items.map(entry), options, false))?.[0];
}

/** Does the same under titles, which a person cannot pick. */
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
  // Stays open, because a worker's terminal that opens must not take a question away.
  list.ignoreFocusOut = true;
  list.items = entries;
  if (many) list.selectedItems = entries.filter(({ picked }) => picked);
  explain(list, entries, options.prompt);
  return new Promise((resolve) => {
    list.onDidAccept(() => {
      const items = list.selectedItems.flatMap(({ item }) => item ?? []);
      // The typed text fits no entry.
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

/** Characters that fit into a line of a list if the window has half a screen. */
const shown = 70;
/** Characters of each text above the list, because it takes room from the list. Packet and page have the whole text. */
const wrapped = 600;

/** Shows the question above the list, and the whole focused entry if its lines may be cut. */
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

function noIcons(text: UiValue): string {
  return withoutIcons(plain(text));
}
