import { MarkdownString, StatusBarAlignment, ThemeColor, window, type Disposable, type StatusBarItem } from 'vscode';
import type { MissionView } from '../../contracts/missionView';
import type { MissionFolders } from '../missionFolder';
import { commands } from '../registry';

/** One item for the whole window. The error background appears only when a person is needed. */
export class StatusBar implements Disposable {
  readonly #item: StatusBarItem;
  readonly #subscriptions: Disposable[] = [];
  #folderSubscriptions: Disposable[] = [];

  constructor(private readonly folders: MissionFolders) {
    this.#item = window.createStatusBarItem('missionControl.status', StatusBarAlignment.Left, 10);
    this.#item.name = 'Mission Control';
    this.#item.command = commands.showMissionControl.id;
    this.#subscriptions.push(folders.onDidChange(() => this.#followFolders()));
    this.#followFolders();
  }

  dispose(): void {
    this.#item.dispose();
    for (const subscription of [...this.#subscriptions, ...this.#folderSubscriptions]) subscription.dispose();
  }

  #followFolders(): void {
    for (const subscription of this.#folderSubscriptions) subscription.dispose();
    this.#folderSubscriptions = this.folders.all.map((folder) => folder.onDidChangeView(() => this.#update()));
    this.#update();
  }

  #update(): void {
    const text = statusOf(this.folders.all.flatMap((folder) => folder.view?.missions ?? []));
    if (!text) {
      this.#item.hide();
      return;
    }
    this.#item.text = text.text;
    this.#item.tooltip = new MarkdownString().appendText(text.tooltip);
    this.#item.accessibilityInformation = { label: text.label };
    this.#item.backgroundColor = text.needsPerson ? new ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#item.show();
  }
}

interface StatusText {
  readonly text: string;
  readonly tooltip: string;
  readonly label: string;
  readonly needsPerson: boolean;
}

/** What the item says for all missions of the window; null when there is nothing to say. */
export function statusOf(missions: readonly MissionView[]): StatusText | null {
  const blocked = missions.filter((mission) => !mission.ending && (mission.status === 'blocked' || mission.blocks.some((block) => block.state === 'open')));
  const failed = missions.filter((mission) => mission.status === 'failed' && !mission.acknowledged);
  const [first] = [...blocked, ...failed];
  if (first) {
    const count = blocked.length + failed.length;
    const what = blocked.length > 0 ? 'blocked' : 'failed';
    return {
      text: `$(error) Mission ${first.plan_id} ${what}${count > 1 ? ` (+${count - 1})` : ''}`,
      tooltip: `${first.headline}\n\nClick to open Mission Control.`,
      label: `Mission Control: mission ${first.plan_id} is ${what} and needs a person. ${first.headline}`,
      needsPerson: true,
    };
  }
  const live = missions.find((mission) => mission.status === 'running' && !mission.interrupted) ?? missions.find((mission) => mission.status === 'planned' && !mission.interrupted);
  if (live) {
    const progress = `${live.done}/${live.tasks.length}`;
    return { text: `$(sync~spin) Mission ${live.plan_id} ${progress}`, tooltip: live.headline, label: `Mission Control: ${live.plan_id} running, ${progress} tasks done`, needsPerson: false };
  }
  const waiting = missions.find((mission) => mission.interrupted || mission.status === 'paused');
  if (waiting) {
    const what = waiting.interrupted ? 'interrupted' : 'paused';
    return { text: `$(debug-pause) Mission ${waiting.plan_id} ${what}`, tooltip: waiting.headline, label: `Mission Control: ${waiting.plan_id} ${what}`, needsPerson: false };
  }
  const [latest] = missions;
  if (!latest) return null;
  return {
    text: `${latest.status === 'completed' ? '$(pass)' : '$(circle-slash)'} Mission ${latest.plan_id} ${latest.status}`,
    tooltip: latest.headline,
    label: `Mission Control: ${latest.plan_id} ${latest.status}`,
    needsPerson: false,
  };
}
