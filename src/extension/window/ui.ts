import {
  CancellationTokenSource,
  Hover,
  LanguageStatusSeverity,
  MarkdownString,
  ProgressLocation,
  StatusBarAlignment,
  ThemeColor,
  languages,
  window,
  type Disposable,
  type DocumentSelector,
  type InputBoxOptions,
  type LanguageStatusItem,
  type Range,
  type Terminal,
  type TerminalOptions,
  QuickPickItemKind,
  type QuickPick,
  type QuickPickItem,
} from 'vscode';
import type { Need } from '../../contracts/page/missionView';
import { ui, withoutIcons, withoutLinks, type UiText, type UiValue } from '../../base/text/marked/ui';
import { cut } from '../../base/text/plainLine';

// With `pick.ts` the only place that passes text to VS Code's own widgets, which interpret it.
// `[x](command:y)` is a link in notifications and below input boxes. `$(name)` is an icon in lists,
// prompts, terminal names and the status bar. `base/text/marked/ui.ts` defuses each so that a person sees
// the text as it is.

/** Refuses computed words, because buttons take only our own, which the compiler knows. */
type Ours<B extends string> = string extends B ? never : B;

export function inform<const B extends string>(text: UiText, ...buttons: (B & Ours<B>)[]): Thenable<B | undefined> {
  return window.showInformationMessage<string>(noLinks(text), ...buttons) as Thenable<B | undefined>;
}

export function warn<const B extends string>(text: UiText, ...buttons: (B & Ours<B>)[]): Thenable<B | undefined> {
  return window.showWarningMessage<string>(noLinks(text), ...buttons) as Thenable<B | undefined>;
}

export function alarm<const B extends string>(text: UiText, ...buttons: (B & Ours<B>)[]): Thenable<B | undefined> {
  return window.showErrorMessage<string>(noLinks(text), ...buttons) as Thenable<B | undefined>;
}

/** A modal dialog, in which VS Code shows plain text. */
export function ask<const B extends string>(
  question: UiText,
  detail: UiText,
  ...buttons: (B & Ours<B>)[]
): Thenable<B | undefined> {
  const options = { modal: true, detail: detail.toString() };
  return window.showWarningMessage<string>(question.toString(), options, ...buttons) as Thenable<B | undefined>;
}

/** Asks a question with two answers, neither of them "Cancel"; closing the dialog is the second. */
export async function confirm<const B extends string>(
  question: UiText,
  detail: UiText,
  yes: B & Ours<B>,
  no: B & Ours<B>,
): Promise<boolean> {
  const options = { modal: true, detail: detail.toString() };
  const items = [{ title: yes as string }, { title: no as string, isCloseAffordance: true }];
  return (await window.showWarningMessage(question.toString(), options, ...items))?.title === yes;
}

export function busy<T>(title: UiText, work: () => Promise<T>): Thenable<T> {
  return window.withProgress({ location: ProgressLocation.Notification, title: noLinks(title) }, work);
}

/** A person's wish to end an activity; `ask` expresses it too. */
export interface Cancel {
  requested(): boolean;
  onRequest(listener: () => void): Disposable;
  readonly ask: () => void;
}

/** The same with Cancel; `say` reports the progress. */
export function busyUntilCanceled<T>(
  title: UiText,
  work: (cancel: Cancel, say: (text: UiText) => void) => Promise<T>,
): Thenable<T> {
  const options = { location: ProgressLocation.Notification, title: noLinks(title), cancellable: true };
  return window.withProgress(options, async (progress, token) => {
    const source = new CancellationTokenSource();
    const asked = token.onCancellationRequested(() => source.cancel());
    const cancel: Cancel = {
      requested: () => source.token.isCancellationRequested,
      onRequest: (listener) => source.token.onCancellationRequested(listener),
      ask: () => source.cancel(),
    };
    try {
      return await work(cancel, (text) => progress.report({ message: noLinks(text) }));
    } finally {
      asked.dispose();
      source.dispose();
    }
  });
}

export function askText(
  options: Pick<InputBoxOptions, 'value'> & {
    readonly title: UiValue;
    readonly prompt: UiText;
    readonly placeHolder?: UiValue;
    /** Returns the fault of a text; null: none. */
    readonly refuses: (text: string) => UiText | null;
  },
): Thenable<string | undefined> {
  const { title, prompt, placeHolder = '', refuses, value } = options;
  return window.showInputBox({
    title: plain(title),
    prompt: withoutIcons(noLinks(prompt)),
    placeHolder: plain(placeHolder),
    ignoreFocusOut: true,
    ...(value !== undefined && { value }),
    validateInput(text) {
      const reason = refuses(text);
      return reason && withoutIcons(noLinks(reason));
    },
  });
}

export function openTerminal(options: Omit<TerminalOptions, 'name'> & { readonly name: UiText }): Terminal {
  return window.createTerminal({ ...options, name: noIcons(options.name) });
}

export interface StatusText {
  readonly icon: 'error' | 'question' | 'pulse' | 'debug-pause' | 'pass' | 'circle-slash';
  readonly text: UiText;
  /** One line each. */
  readonly tooltip: readonly UiText[];
  readonly label: UiText;
  readonly needs: Need | null;
}

/** A background appears only when a person is needed: another one for a question than for what stands still. */
export class StatusItem implements Disposable {
  readonly #item = window.createStatusBarItem('missionControl.status', StatusBarAlignment.Left, 10);

  constructor(name: UiText, command: string) {
    this.#item.name = name.toString();
    this.#item.command = command;
  }

  show(status: StatusText | null): void {
    if (!status) {
      this.#item.hide();
      return;
    }
    this.#item.text = `$(${status.icon}) ${noIcons(status.text)}`;
    this.#item.tooltip = tooltip(status.tooltip);
    this.#item.accessibilityInformation = { label: status.label.toString() };
    const background = status.needs && (status.needs === 'answer' ? 'warning' : 'error');
    this.#item.backgroundColor = background ? new ThemeColor(`statusBarItem.${background}Background`) : undefined;
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

export interface LanguageLine {
  readonly text: UiText;
  readonly detail: UiText;
  readonly severity: 'information' | 'warning' | 'error';
  /** One of our commands; null: nothing can be done. */
  readonly command: { readonly title: string; readonly command: string; readonly arguments: readonly unknown[] } | null;
}

/** An entry of the list behind `{}` in the status bar, about the active editor. */
export class LanguageItem implements Disposable {
  readonly #item: LanguageStatusItem;

  constructor(id: string, name: UiText, selector: DocumentSelector) {
    this.#item = languages.createLanguageStatusItem(id, selector);
    this.#item.name = name.toString();
  }

  show({ text, detail, severity, command }: LanguageLine): void {
    this.#item.text = noIcons(text);
    this.#item.detail = withoutIcons(noLinks(detail));
    this.#item.severity = severities[severity];
    this.#item.command = command ? { ...command, arguments: [...command.arguments] } : undefined;
    this.#item.accessibilityInformation = { label: ui`${text}. ${detail}`.toString() };
  }

  dispose(): void {
    this.#item.dispose();
  }
}

const severities = {
  information: LanguageStatusSeverity.Information,
  warning: LanguageStatusSeverity.Warning,
  error: LanguageStatusSeverity.Error,
} as const;

/** A title above a line of an editor, where VS Code makes icons. */
export function lensTitle(text: UiText): string {
  return noIcons(text);
}

/** A title of a tab, where VS Code makes neither links nor icons. */
export function tabTitle(text: UiText): string {
  return text.toString();
}

/** The hover of a place of a text, each line on its own. */
export function hover(lines: readonly UiText[], range: Range): Hover {
  return new Hover(tooltip(lines), range);
}

/** Plain text, each line on its own. */
export function tooltip(lines: readonly UiText[]): MarkdownString {
  const text = new MarkdownString();
  for (const [index, line] of lines.entries())
    text.appendMarkdown(index === 0 ? '' : '\\\n').appendText(line.toString());
  // Restores real spaces, because VS Code makes them non-breaking and then breaks within words. Escapes `<`, because
  // with real spaces `<p x>` would begin HTML, which VS Code drops with what follows.
  text.value = text.value.replaceAll('<', '&lt;').replaceAll(spaceBetweenWords, ' ');
  return text;
}

/** Keeps the space after a full stop or a bracket, because `1.` or `1)` and a space begin a list. */
const spaceBetweenWords = /(?<=[^\s.)])(?<!&nbsp;)&nbsp;(?!&nbsp;|\s|$)/g;

function plain(text: UiValue): string {
  return ui`${text}`.toString();
}

function noLinks(text: UiText): string {
  return withoutLinks(text.toString());
}

function noIcons(text: UiValue): string {
  return withoutIcons(plain(text));
}

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
