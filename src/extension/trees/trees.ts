import {
  EventEmitter,
  Uri,
  commands as vscodeCommands,
  type Event,
  type TreeDataProvider,
  type TreeView,
} from 'vscode';
import type { TargetArgument } from '../commands/ask/targets';
import {
  type MissionFolders,
  followViews,
  missionsHere,
  workspaceOf,
  type MissionHere,
} from '../folder/missionFolders';
import { type Contribution, ownKeys, treeViews, commands } from '../registry/registry';
import type { FoundEvidence, PlanDrafts } from '../views/folderFiles';
import type { PanelData } from '../views/panelData';
import type { PanelSelection } from '../views/panelSelection';
import { Paced } from '../window/paced';
import { showBadge, openTree, treeItem } from '../window/treeItems';
import { missionRowId, missionRows, planRows } from './missionRows';
import { needsYouRows, needsYouText } from './needsYouRows';
import { type Row, type RowTarget, goneRow, signatureOf } from './row';
import { mattersOf } from '../views/attentionItems';

export interface TreeParts {
  readonly folders: MissionFolders;
  readonly data: Pick<PanelData, 'isRead' | 'items'>;
  readonly drafts: Pick<PlanDrafts, 'of' | 'isRead'>;
  readonly evidence: Pick<FoundEvidence, 'unlisted'>;
  readonly selection: Pick<PanelSelection, 'entry' | 'onDidSelect'>;
  readonly follow: (changed: () => void) => Contribution;
  readonly now: () => string;
}

/** Milliseconds: the shortest time between two looks. */
const pace = 200;

export class Trees implements Contribution {
  readonly #needsYou: Tree;
  readonly #missions: Tree;
  readonly #plans: Tree;
  readonly #all: readonly Tree[];
  readonly #seen = new EventEmitter<void>();
  readonly #subscriptions: readonly Contribution[];
  readonly #looks = new Paced(pace, () => this.#look());
  #isRead = false;
  #followed: string | null = null;
  readonly onDidChangeSight: Event<void> = this.#seen.event;

  constructor(private readonly parts: TreeParts) {
    const { folders } = parts;
    this.#needsYou = new Tree(treeViews.needsYou.id, () => this.#read(() => needsYouRows(this.#missionViews)));
    this.#missions = new Tree(treeViews.missions.id, () => this.#read(() => this.#missionRows()));
    this.#plans = new Tree(treeViews.plans.id, () => (this.#arePlansRead ? this.#planRows() : null));
    this.#all = [this.#needsYou, this.#missions, this.#plans];
    const changed = (): void => this.#looks.ask();
    this.#subscriptions = [
      ...this.#all,
      this.#seen,
      this.#looks,
      ...this.#all.map(({ view }) => view.onDidChangeVisibility(changed)),
      this.#missions.view.onDidChangeVisibility(() => this.#seen.fire()),
      followViews(folders, changed),
      parts.follow(changed),
      parts.selection.onDidSelect(changed),
    ];
  }

  get isInSight(): boolean {
    return this.#missions.view.visible;
  }

  /** Returns what a row's command is about, by the row's name: `nothing` for a heading; null: no such row is shown. */
  argumentOf(row: string): TargetArgument | Uri | 'nothing' | null {
    for (const tree of this.#all) {
      const target = tree.targetOf(row);
      if (target) return argumentOf(target);
    }
    return null;
  }

  dispose(): void {
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
    const entries = data.items().map(({ entry, folder, of }) => ({
      ...{ entry, folder: folder.key, view: of.kind === 'mission' ? of.view : null },
    }));
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

  async #look(): Promise<void> {
    if (!this.#isRead && this.#arePlansRead) {
      this.#isRead = true;
      void vscodeCommands.executeCommand('setContext', ownKeys.isRead, true);
    }
    const missions = this.#missionViews;
    showBadge(this.#needsYou.view, mattersOf(missions).length, needsYouText(missions));
    for (const tree of this.#all) tree.update();
    await this.#followPage();
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

/** VS Code's handle of a row: only a name, which is looked up at each use. */
interface TreeElement {
  readonly treeRow: string;
}

interface Node {
  readonly element: TreeElement;
  readonly parent: TreeElement | undefined;
  row: Row;
  signature: string;
  /** Null: a person has never unfolded it. */
  children: readonly string[] | null;
}

/** A tree of rows. VS Code redraws only changed ones, and keeps the unfolded and chosen ones. */
class Tree implements TreeDataProvider<TreeElement>, Contribution {
  readonly #changed = new EventEmitter<TreeElement[] | undefined>();
  readonly #nodes = new Map<string, Node>();
  readonly view: TreeView<TreeElement>;
  readonly onDidChangeTreeData = this.#changed.event;
  #roots: readonly string[] | null = null;
  #waiting: (() => void)[] = [];

  /** @param rows null: not read yet */
  constructor(
    id: string,
    private readonly rows: () => readonly Row[] | null,
  ) {
    this.view = openTree(id, this);
  }

  /** Returns the target of a row; null: it is not shown, or is gone. */
  targetOf(id: string): RowTarget | null {
    return this.#nodes.get(id)?.row.target ?? null;
  }

  /** Selects a row, unless one below it is selected. False: VS Code does not have the row. */
  async choose(id: string): Promise<boolean> {
    const node = this.#nodes.get(id);
    if (!node || !this.view.visible) return false;
    const isBelow = ({ treeRow }: TreeElement): boolean =>
      treeRow === id || this.getParent({ treeRow })?.treeRow === id;
    if (this.view.selection.some(isBelow)) return true;
    return Promise.resolve(this.view.reveal(node.element, { select: true, focus: false, expand: false })).then(
      () => true,
      // The row went meanwhile, and the next look selects the one that came.
      () => false,
    );
  }

  /** Shows changes. Called often, so it makes only the rows that a person looks at. */
  update(): void {
    const rows = this.rows();
    if (rows === null) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
    // Compares hidden rows only once a person sees them.
    if (this.#roots === null || !this.view.visible) return;
    const changed: TreeElement[] = [];
    const same = this.#compare(this.#roots, rows, changed);
    if (!same) this.#changed.fire(undefined);
    else if (changed.length > 0) this.#changed.fire(changed);
  }

  async getChildren(element?: TreeElement): Promise<TreeElement[]> {
    if (element) {
      const node = this.#nodes.get(element.treeRow);
      if (!node) return [];
      const rows = node.row.rows();
      node.children = this.#take(rows, node.children ?? [], element);
      return this.#elements(node.children);
    }
    const rows = this.rows() ?? (await this.#read());
    this.#roots = this.#take(rows, this.#roots ?? [], undefined);
    return this.#elements(this.#roots);
  }

  getTreeItem(element: TreeElement): ReturnType<typeof treeItem> {
    const row = this.#nodes.get(element.treeRow)?.row ?? goneRow;
    const command = row.does && commands[row.does];
    return treeItem(row, command && { id: command.id, title: command.title, argument: element });
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return this.#nodes.get(element.treeRow)?.parent;
  }

  dispose(): void {
    this.view.dispose();
    this.#changed.dispose();
  }

  async #read(): Promise<readonly Row[]> {
    for (;;) {
      const rows = this.rows();
      if (rows !== null) return rows;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #elements(ids: readonly string[]): TreeElement[] {
    return ids.flatMap((id) => this.#nodes.get(id)?.element ?? []);
  }

  #take(rows: readonly Row[], before: readonly string[], parent: TreeElement | undefined): readonly string[] {
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of before) if (!ids.has(id)) this.#forget(id);
    for (const row of rows) {
      const known = this.#nodes.get(row.id);
      if (known) Object.assign(known, { row, signature: signatureOf(row) });
      else
        this.#nodes.set(row.id, {
          ...{ element: { treeRow: row.id }, parent, row, signature: signatureOf(row), children: null },
        });
    }
    return [...ids];
  }

  /** False: there are other rows, or another order, so the element above is redrawn. */
  #compare(before: readonly string[], rows: readonly Row[], changed: TreeElement[]): boolean {
    const listed = before.length === rows.length && rows.every(({ id }, index) => before[index] === id);
    if (!listed) {
      const ids = new Set(rows.map(({ id }) => id));
      for (const id of before) if (!ids.has(id)) this.#forget(id);
      return false;
    }
    for (const row of rows) {
      const node = this.#nodes.get(row.id);
      if (!node) return false;
      const signature = signatureOf(row);
      const other = signature !== node.signature;
      Object.assign(node, { row, signature });
      const below = node.children === null || this.#compare(node.children, row.rows(), changed);
      if (other || !below) changed.push(node.element);
    }
    return true;
  }

  #forget(id: string): void {
    for (const child of this.#nodes.get(id)?.children ?? []) this.#forget(child);
    this.#nodes.delete(id);
  }
}
