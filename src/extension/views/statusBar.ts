import { MarkdownString, StatusBarAlignment, ThemeColor, window, type StatusBarItem } from 'vscode';
import type { MissionFolders } from '../missionFolder';
import { commands } from '../registry';
import { followViews } from './followViews';
import { statusOf } from './statusText';
import type { Contribution } from '../contribution';

/** One item for the whole window. The error background appears only when a person is needed. */
export class StatusBar implements Contribution {
  readonly #item: StatusBarItem;
  readonly #following: Contribution;

  constructor(private readonly folders: MissionFolders) {
    this.#item = window.createStatusBarItem('missionControl.status', StatusBarAlignment.Left, 10);
    this.#item.name = 'Mission Control';
    this.#item.command = commands.showMissionControl.id;
    this.#following = followViews(folders, () => this.#update());
  }

  dispose(): void {
    this.#following.dispose();
    this.#item.dispose();
  }

  #update(): void {
    const views = this.folders.all.flatMap(({ view }) => (view ? [view] : []));
    const now =
      views
        .map(({ generated_at }) => generated_at)
        .sort()
        .at(-1) ?? '';
    const text = statusOf(
      views.flatMap(({ missions }) => missions),
      now,
    );
    if (!text) {
      this.#item.hide();
      return;
    }
    this.#item.text = text.text;
    this.#item.tooltip = tooltip(text.tooltip);
    this.#item.accessibilityInformation = { label: text.label };
    this.#item.backgroundColor = text.needsPerson ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.show();
  }
}

/** Plain text, whatever it holds; a line of its own for each. */
function tooltip(lines: readonly string[]): MarkdownString {
  const text = new MarkdownString();
  for (const [index, line] of lines.entries()) text.appendMarkdown(index === 0 ? '' : '\\\n').appendText(line);
  return text;
}
