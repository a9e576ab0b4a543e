import { EventEmitter, type TreeDataProvider, type TreeView } from 'vscode';
import { commands } from '../registry/registry';
import type { Contribution } from '../registry/contribution';
import { openTree, treeItem } from '../window/treeItems';
import { goneRow, signatureOf, type Row, type RowTarget } from './row';

/** VS Code's handle of a row: only a name, which is looked up at each use. */
export interface TreeElement {
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
export class Tree implements TreeDataProvider<TreeElement>, Contribution {
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

  /** Gives VS Code the present rows below one element. */
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
