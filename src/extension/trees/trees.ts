import { EventEmitter, Uri, commands as vscodeCommands, type Event } from 'vscode';
import type { TargetArgument } from '../commands/targets';
import type { MissionFolders } from '../folder/types';
import { followViews } from '../folder/followViews';
import { missionsHere, workspaceOf, type MissionHere } from '../folder/missionsHere';
import type { Contribution } from '../registry/contribution';
import { treeKeys, treeViews } from '../registry/registry';
import type { FoundEvidence } from '../views/foundEvidence';
import type { PanelData } from '../views/panelData';
import type { PanelSelection } from '../views/panelSelection';
import type { PlanDrafts } from '../views/planDrafts';
import { showBadge } from '../window/treeItems';
import { missionRowId, missionRows } from './missionRows';
import { needsYouRows, needsYouText } from './needsYouRows';
import { planRows } from './planRows';
import type { Row, RowTarget } from './row';
import { Tree } from './tree';
import { mattersOf } from '../views/matters';

export interface TreeParts {
  readonly folders: MissionFolders;
  readonly data: Pick<PanelData, 'isRead' | 'items' | 'folderOf'>;
  readonly drafts: Pick<PlanDrafts, 'of' | 'isRead'>;
  readonly evidence: Pick<FoundEvidence, 'unlisted'>;
  readonly selection: Pick<PanelSelection, 'entry' | 'onDidSelect'>;
  /** Calls back when plans or evidence have changed. */
  readonly follow: (changed: () => void) => Contribution;
  readonly now: () => string;
}

/** Milliseconds: the shortest time between two looks. */
const pace = 200;

/** The views in the activity bar: what needs a person, missions, plans. */
export class Trees implements Contribution {
  readonly #needsYou: Tree;
  readonly #missions: Tree;
  readonly #plans: Tree;
  readonly #seen = new EventEmitter<void>();
  readonly #subscriptions: readonly Contribution[];
  #timer: NodeJS.Timeout | null = null;
  #isRead = false;
  /** The row that was selected for what the page shows. */
  #followed: string | null = null;
  /** Fires when the tree of missions becomes visible or hidden. */
  readonly onDidChangeSight: Event<void> = this.#seen.event;

  constructor(private readonly parts: TreeParts) {
    const { folders } = parts;
    this.#needsYou = new Tree(treeViews.needsYou.id, () => this.#read(() => needsYouRows(this.#missionViews)));
    this.#missions = new Tree(treeViews.missions.id, () => this.#read(() => this.#missionRows()));
    this.#plans = new Tree(treeViews.plans.id, () => (this.#arePlansRead ? this.#planRows() : null));
    const changed = (): void => this.#changed();
    this.#subscriptions = [
      this.#needsYou,
      this.#missions,
      this.#plans,
      this.#seen,
      ...[this.#needsYou, this.#missions, this.#plans].map(({ view }) => view.onDidChangeVisibility(changed)),
      this.#missions.view.onDidChangeVisibility(() => this.#seen.fire()),
      followViews(folders, changed),
      parts.follow(changed),
      parts.selection.onDidSelect(changed),
    ];
  }

  /** Returns whether a person can choose a mission in the tree now. */
  get isInSight(): boolean {
    return this.#missions.view.visible;
  }

  /** Returns what a row's command is about, by the row's name: `nothing` for a heading; null: no such row is shown. */
  argumentOf(row: string): TargetArgument | Uri | 'nothing' | null {
    for (const tree of [this.#needsYou, this.#missions, this.#plans]) {
      const target = tree.targetOf(row);
      if (target) return argumentOf(target);
    }
    return null;
  }

  dispose(): void {
    if (this.#timer) clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  get #missionViews(): readonly MissionHere[] {
    return missionsHere(this.parts.folders.all);
  }

  get #arePlansRead(): boolean {
    const { folders, drafts, data } = this.parts;
    return data.isRead && folders.all.every((folder) => drafts.isRead(folder));
  }

  #read(rows: () => readonly Row[]): readonly Row[] | null {
    return this.parts.data.isRead ? rows() : null;
  }

  #missionRows(): readonly Row[] {
    const { data, evidence, now } = this.parts;
    const entries = data.items().map((item) => {
      const id = item.of.kind === 'mission' ? item.of.read.mission.mission_id : null;
      const missions = id === null ? [] : (data.folderOf(item)?.view?.missions ?? []);
      const view = missions.find(({ mission_id }) => mission_id === id) ?? null;
      return { entry: item.entry, folder: item.folder.key, view };
    });
    return missionRows(entries, { now: now(), unlisted: evidence.unlisted });
  }

  #planRows(): readonly Row[] {
    const { folders, drafts } = this.parts;
    return planRows(
      folders.all.flatMap((each) =>
        drafts.of(each).map(({ draft, sha256 }) => ({
          ...{ folder: each.folder.uri.toString(), workspace: workspaceOf(each.folder, folders.all) },
          ...{ draft, sha256, missions: each.view?.missions ?? [] },
        })),
      ),
    );
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#look();
    }, pace);
  }

  #look(): void {
    if (!this.#isRead && this.#arePlansRead) {
      this.#isRead = true;
      void vscodeCommands.executeCommand('setContext', treeKeys.isRead, true);
    }
    const missions = this.#missionViews;
    showBadge(this.#needsYou.view, mattersOf(missions).length, needsYouText(missions));
    for (const tree of [this.#needsYou, this.#missions, this.#plans]) tree.update();
    void this.#followPage();
  }

  /** Selects the row of what the page shows, once for each choice and each group that it moves to. */
  async #followPage(): Promise<void> {
    const { data, selection } = this.parts;
    const shown = data.items().find(({ entry }) => entry.id === selection.entry);
    const row = shown ? missionRowId(shown.entry) : null;
    if (row === this.#followed) return;
    this.#followed = row;
    if (row !== null && !(await this.#missions.choose(row)) && this.#followed === row) this.#followed = null;
  }
}

function argumentOf(target: RowTarget): TargetArgument | Uri | 'nothing' {
  switch (target.kind) {
    case 'none':
      return 'nothing';
    case 'entry':
      // Passes the entry, because only Open Evidence knows what it is.
      return { folder: target.folder, missionId: target.entry };
    case 'mission':
      return {
        ...{ folder: target.folder, missionId: target.missionId },
        ...(target.taskId !== null && { taskId: target.taskId }),
      };
    case 'plan':
      return Uri.joinPath(Uri.parse(target.folder), ...target.path.split('/'));
  }
}
