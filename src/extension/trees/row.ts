import { ui } from '../../base/text/marked/ui';
import type { CommandName } from '../registry/registry';
import type { RowIcon, TreeRow } from '../window/treeItems';

/** A row of a tree as data: `window/treeItems.ts` draws it, `trees.ts` shows it. */
export interface Row extends TreeRow {
  readonly target: RowTarget;
  /** The command of a click or of Enter; null: it only unfolds. */
  readonly does: CommandName | null;
  /** Made when a person looks, because a finished mission may have 500 tasks. */
  readonly rows: () => readonly Row[];
}

export type RowTarget =
  | { readonly kind: 'none' }
  /** Evidence alone, or an unreadable mission; `entry`: a `PanelEntry.id`, `folder`: URI of the workspace folder. */
  | { readonly kind: 'entry'; readonly folder: string; readonly entry: string }
  | { readonly kind: 'mission'; readonly folder: string; readonly missionId: string; readonly taskId: string | null }
  /** `path`: relative to the folder. */
  | { readonly kind: 'plan'; readonly folder: string; readonly path: string };

export const noRows = (): readonly Row[] => [];

/** For a row that VS Code still asks for although it is gone. */
export const goneRow: Row = {
  ...{ id: 'gone', label: ui``, description: ui``, tooltip: [], icon: null, folded: 'leaf', menu: '' },
  ...{ target: { kind: 'none' }, does: null, rows: noRows },
};

/** Changes with everything that a row itself shows, but not with the rows below it. */
export function signatureOf({ label, description, tooltip, icon, folded, menu, does }: Row): string {
  return JSON.stringify([
    ...[label, description, ...tooltip].map(String),
    ...[icon?.name, icon?.colour, folded, menu, does],
  ]);
}

export const rowIcons = {
  needsYou: { name: 'error', colour: 'list.errorForeground' },
  runs: { name: 'pulse', colour: 'editorInfo.foreground' },
  paused: { name: 'debug-pause', colour: 'list.warningForeground' },
  waits: { name: 'circle-outline' },
  done: { name: 'pass', colour: 'testing.iconPassed' },
  failed: { name: 'error', colour: 'testing.iconFailed' },
  ended: { name: 'circle-slash' },
  evidence: { name: 'archive' },
  unreadable: { name: 'warning', colour: 'list.warningForeground' },
  draft: { name: 'edit' },
  approved: { name: 'verified' },
  locked: { name: 'lock' },
  question: { name: 'question', colour: 'list.warningForeground' },
} as const satisfies Readonly<Record<string, RowIcon>>;
