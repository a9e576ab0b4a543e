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
} from 'vscode';
import type { Need } from '../../contracts/page/missionView';
import { ui, withoutIcons, withoutLinks, type UiText, type UiValue } from '../../base/text/marked/ui';

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

export function plain(text: UiValue): string {
  return ui`${text}`.toString();
}

function noLinks(text: UiText): string {
  return withoutLinks(text.toString());
}

function noIcons(text: UiText): string {
  return withoutIcons(text.toString());
}
